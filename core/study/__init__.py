"""Answers to a person's questions, numbers only: page and shell call the same functions."""
