"""The verbs of the command line, one module for each question a user asks."""
