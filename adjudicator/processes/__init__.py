"""The processes of a service on one machine: how they are run, supervised, and heard of."""
