"""SGF as GNU Backgammon writes it: trees of nodes of properties, one tree a game."""
