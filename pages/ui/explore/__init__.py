"""Explore: budget, error and risk of one release on one screen."""
