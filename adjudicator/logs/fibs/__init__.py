"""What the First Internet Backgammon Server (FIBS) writes on the screens of players and watchers."""
