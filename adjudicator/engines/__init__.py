"""Engine adapters, one a module, and the process they run in."""
