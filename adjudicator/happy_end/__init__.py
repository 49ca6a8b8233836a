"""The Happy-End procedure, clause by clause: see ``docs/procedure.md``."""
