"""What is kept: the database behind the store port with its migrations, and the solved value tables."""
