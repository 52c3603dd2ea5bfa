"""Allocate: which node gets which part of the budget, and why."""
