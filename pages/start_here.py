"""Start: three doors, and what a number on screen means."""

from pages.ui.start.page import page

page()
