"""Engines: one adapter each, one scripted for tests, and the process of its own that an engine runs in."""
