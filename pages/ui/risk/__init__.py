"""Risk: the most an attacker gains, what a measured one gains, and where theory stops."""
