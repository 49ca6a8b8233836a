"""eXtreme Gammon files (.xg): the container, its records, and the games they make."""
