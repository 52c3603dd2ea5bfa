"""The engine: numpy and the standard library only; it knows no files, screens or frames."""
