"""How a view is had again elsewhere: from its command line follow a call in Python and a figure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

SHELL = "python cli.py "
LINE, PYTHON, FIGURE = "Command line", "Python", "Figure"
CODE = (LINE, PYTHON)
"""Headings of what is to be copied letter by letter."""

DRAWING = ("allocate", "attack", "compare", "risk", "sweep", "synthesise", "undirected")
"""Verbs that draw the picture of their page."""


def offered(details: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The details of a view with the call and the figure behind its command line."""
    for heading, text in details:
        yield heading, text
        if heading == LINE and text.startswith(SHELL):
            line = text.removeprefix(SHELL)
            yield PYTHON, f"from cli import ask\nask({json.dumps(line, ensure_ascii=False)})"
            if line.split()[0] in DRAWING:
                yield FIGURE, "PNG and SVG beside the chart, or the line with --figure FILE.html"


def without_calls(details: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The details for a browser, which writes a call itself from the line before it."""
    return [(heading, "" if heading == PYTHON else text) for heading, text in details]
