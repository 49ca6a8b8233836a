"""bgammon.org match logs (.match): the reader, and the turns of a game."""
