"""Reviewed, spent, recorded: what a release needs before, while and after it happens."""
