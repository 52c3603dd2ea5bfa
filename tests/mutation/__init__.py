"""Whether tests notice a change of a module that privacy rests on: ``python -m tests.mutation``."""
