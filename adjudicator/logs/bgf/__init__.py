"""BGBlitz files (.bgf): the packed document, the Smile encoding it is in, and the games it holds."""
