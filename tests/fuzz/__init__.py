"""Coverage-guided fuzzing of everything that reads what people send: ``python -m tests.fuzz FORMAT``.

How, how long, and what was found: ``docs/testing.md``.
"""
