"""The JSON match record, match-record/1: the reader, its fields and values, and the writer."""
