"""The HTTP door: a Flask application over the use cases."""
