"""The use cases: submit, adjudicate, look up, verify, simulate."""
