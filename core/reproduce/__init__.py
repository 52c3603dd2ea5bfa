"""What the four papers say, measured again: items, rules, verdicts."""
