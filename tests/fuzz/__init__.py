"""Damaged input at every door: ``python -m tests.fuzz --door all --inputs 10000 --seed 0``."""
