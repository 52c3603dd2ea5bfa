"""Lessons: predict, see what is computed, and read why."""

from pages.ui.lessons.page import page

page()
