"""Exact inference on a junction tree: questions, explanations, records from a model."""
