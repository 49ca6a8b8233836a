"""Reports for people, made from a result or an inspection alone."""
