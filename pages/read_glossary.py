"""Glossary: every symbol and word on screen, each under its own anchor."""

from pages.ui.glossary.page import page

page()
