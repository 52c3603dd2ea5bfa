"""Reproduce: what the four papers say, measured again, each with a verdict."""

from pages.ui.kit import state
from pages.ui.reproduce.page import page

state.load()
page()
