"""Data for the browser without what it has already: a part that was sent stays there.

A moved ε changes a few numbers of a picture; its curves, names and texts stay. Every part of some
size is sent once with its digest and from then on as the digest alone. A browser that lacks a part
says so and is sent everything again.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

SMALL = 160
"""A part shorter than this, as JSON, travels as it is: a digest costs about as much."""

MOST = 4000
"""Parts that are remembered; the browser keeps as many."""


def parcelled(data: Any, known: dict[str, None]) -> Any:  # noqa: ANN401 - any JSON
    """The data with every part in ``known`` as its digest; new parts are added to it."""
    if not isinstance(data, dict | list | tuple):
        return data
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    if len(text) < SMALL:
        return data
    short = hashlib.blake2b(text.encode(), digest_size=9).digest()
    digest = base64.urlsafe_b64encode(short).decode()
    if digest in known:
        return {"=": digest}
    if isinstance(data, dict):
        inside: Any = {key: parcelled(value, known) for key, value in data.items()}
    elif data and isinstance(data[0], dict | list | tuple):
        inside = [parcelled(value, known) for value in data]
    else:
        inside = data
    if len(known) >= MOST:
        known.pop(next(iter(known)))
    known[digest] = None
    return {"=": digest, "is": inside}
