"""Streamlit as it is, but every page that asks for the choice fails, as if we had erred.

    python -m tests.browser.erring run serve.py

The error's message holds what a value of an upload could be: ``SECRET``.
"""

from streamlit.web import cli

from pages.ui.kit import inputs

SECRET = "hiv-positive-zq7"


def broken(*_, **__):
    raise RuntimeError(f"could not convert {SECRET!r}")


if __name__ == "__main__":
    inputs.chosen = broken
    cli.main(prog_name="streamlit")
