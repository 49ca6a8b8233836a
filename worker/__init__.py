"""The worker process: takes job ids from the queue and calls the service."""
