"""The room of Lessons."""
