"""Lessons: predict, see what is computed, and read why."""

from pages.ui.kit import state
from pages.ui.lessons.page import page

state.load()
page()
