"""Start: three doors, and what a number on screen means."""
