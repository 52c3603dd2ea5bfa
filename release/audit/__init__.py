"""The audit: a lower bound on the real budget, from runs on neighbours."""
