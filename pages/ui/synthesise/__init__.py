"""Synthesise: a private structure and synthetic records when no graph is known."""
