"""Reproduce: what the four papers say, measured again, each with a verdict."""

from pages.ui.reproduce.page import page

page()
