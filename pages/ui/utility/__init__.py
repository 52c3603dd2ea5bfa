"""Utility: how wrong parameters and answers become, and what ε buys."""
