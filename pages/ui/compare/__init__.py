"""Compare: the privacy-utility frontier of every method."""
