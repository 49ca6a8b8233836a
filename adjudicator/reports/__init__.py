"""Reports for people, made from a result alone."""
