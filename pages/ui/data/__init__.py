"""The Data page: what was uploaded."""
