"""The job queue over RQ, and the embedded queue server."""
