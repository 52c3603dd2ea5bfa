"""Lessons: predict, see the computed answer, read its cause."""
