"""Studies of undirected models: what each view of the page shows, step by step."""
