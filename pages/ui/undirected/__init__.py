"""Undirected: what changes without local normalisation, and what cleverer estimation buys."""
