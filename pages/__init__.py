"""The screen: thin pages over the engine."""
