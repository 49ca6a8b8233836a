"""The use cases: submit, adjudicate, look up, make good what was lost, verify, simulate; and their ports."""
