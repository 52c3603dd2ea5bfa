"""The room of page Reproduce."""
