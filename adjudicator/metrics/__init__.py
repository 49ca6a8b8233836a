"""What the service counts, for Prometheus."""
