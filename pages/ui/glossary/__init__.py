"""Glossary: every symbol and word on screen, each under its own anchor."""
