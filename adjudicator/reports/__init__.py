"""Reports for people, made from a result and the record it came from."""
