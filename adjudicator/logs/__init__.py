"""Match logs: one reader a format, all giving the same ``MatchLog``."""
