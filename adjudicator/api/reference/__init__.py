"""The page that shows openapi.yaml to people: made here, so that it needs no script and no other host."""
