"""Allocate: which node gets which part of the budget, and why."""

from pages.ui.allocate.page import draw
from pages.ui.kit.acting import live

live(draw)
