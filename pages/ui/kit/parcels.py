"""Data for the browser without what it has already: a part that was sent stays there.

A moved ε changes a few numbers of a picture; its curves, names and texts stay. Every part of some
size is sent once with its digest and from then on as the digest alone. A browser that lacks a part
says so and is sent everything again.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

SMALL = 120
"""A part shorter than this, as JSON, travels as it is: a digest costs about as much."""

MOST = 4000
"""Parts that are remembered; the browser keeps as many."""


LONG = 40
"""A text at least this long is a part of its own."""

RUN = 10
"""Rows that a run in a table must have on average for the runs to travel apart."""


def parcelled(data: Any, known: dict[str, None]) -> Any:  # noqa: ANN401 - any JSON
    """The data with every part in ``known`` as its digest; new parts are added to it."""
    written = isinstance(data, str)
    if not (written or isinstance(data, dict | list | tuple)):
        return data
    text = data if written else json.dumps(data, separators=(",", ":"), allow_nan=False)
    if len(text) < (LONG if written else SMALL):
        return data
    short = hashlib.blake2b(text.encode(), digest_size=9, person=b"text" if written else b"part")
    digest = base64.urlsafe_b64encode(short.digest()).decode()
    if digest in known:
        return {"=": digest}
    if len(known) >= MOST:
        known.pop(next(iter(known)))
    known[digest] = None
    return {"=": digest, "is": _inside(data, known)}


def _inside(data: Any, known: dict[str, None]) -> Any:  # noqa: ANN401
    if isinstance(data, dict):
        runs = {"columns": _in_runs(data["columns"])} if "columns" in data else {}
        return {key: parcelled(value, known) for key, value in {**data, **runs}.items()}
    if isinstance(data, list | tuple) and not (data and isinstance(data[0], int | float)):
        return [parcelled(value, known) for value in data]
    return data


def _in_runs(columns: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    """The columns of a table, each cut where the first one changes: one method's rows, say.

    A knob that moves one method then leaves the rows of the others where they are. The browser
    puts the runs together again.
    """
    first = columns[0] if columns else ()
    cuts = [0, *(i for i in range(1, len(first)) if first[i] != first[i - 1]), len(first)]
    if len(first) < RUN * (len(cuts) - 1):
        return columns
    return [[column[a:b] for a, b in pairwise(cuts)] for column in columns]
