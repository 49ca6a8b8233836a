"""Requests of this service to others: signed, bounded, and only to addresses that may be called."""
