"""The palette as style sheets of the boards."""

from __future__ import annotations

from figures.palette import METHOD_HUES, properties
from figures.palette import PALETTE as PALETTE
from figures.palette import hue as hue


def css(selector: str) -> str:
    """One rule that defines every colour as a custom property, following the page's theme.

    Streamlit sets ``color-scheme`` on the app, so ``light-dark`` switches without a script.
    """
    return f"{selector}{{{properties()}}}\n"


def tones() -> str:
    """Classes ``fill-``, ``stroke-`` and ``tone-`` for what is drawn and written in a hue."""
    return "".join(
        f".fill-{name}{{fill:var(--{name});background:var(--{name})}}"
        f".stroke-{name}{{stroke:var(--{name}-text)}}"
        f".board .tone-{name}{{color:var(--{name}-text);fill:var(--{name}-text)}}\n"
        for name in (*METHOD_HUES, "truth", "risk")
    )
