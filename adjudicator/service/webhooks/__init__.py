"""Telling others what has happened: who is told, where it may be sent, when it is tried again."""
