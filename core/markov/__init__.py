"""Undirected models: learned from noisy tables without local normalisation."""
