"""The rules of the game: plain values and functions, no clock, chance, network or framework."""
