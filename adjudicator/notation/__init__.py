"""Text forms of plays and positions."""
