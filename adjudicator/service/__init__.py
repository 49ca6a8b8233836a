"""The use cases: submit, adjudicate, look up, make good what was lost, simulate; and the ports they need."""
