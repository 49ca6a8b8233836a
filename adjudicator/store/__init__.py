"""The database: tables, migrations, and the store port kept over SQLAlchemy."""
