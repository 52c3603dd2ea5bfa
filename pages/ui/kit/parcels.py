"""Data for the browser without what it has already: a part that was sent stays there.

A moved ε changes a few numbers of a picture; its curves, names and texts stay. Every part of some
size is sent once with its digest and from then on as the digest alone. A browser that lacks a part
says so and is sent everything again.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

SMALL = 120
"""A part shorter than this, as JSON, travels as it is: a digest costs about as much."""

MOST = 4000
"""Parts that are remembered; the browser keeps as many."""


LONG = 40
"""A text at least this long is a part of its own."""

RUN = 10
"""Rows that a run in a table must have on average for the runs to travel apart."""


class Parcel(NamedTuple):
    """Data with its digest, empty where it travels as it is.

    ``mark`` is its JSON with the digests of the parts inside: what the digest is of, so that each
    number is written once, however deep it lies. ``inside`` are the parts of a list or a mapping
    that has any. ``given`` is the data as it came, to know it again.
    """

    given: Any
    data: Any
    mark: str
    digest: str = ""
    inside: Mapping[str, Parcel] | Sequence[Parcel] | None = None


def packed(data: Any, before: Parcel | None = None) -> Parcel:  # noqa: ANN401
    """The parts of data; what is equal to the picture before is not written again."""
    if before is not None and before.given == data:
        return before
    if isinstance(data, dict):
        laid = {**data, "columns": _in_runs(data["columns"])} if "columns" in data else data
        if any(map(_deep, laid.values())):
            old = before.inside if before and isinstance(before.inside, Mapping) else {}
            named = {key: packed(value, old.get(key)) for key, value in laid.items()}
            marks = ",".join(f"{_text(key)}:{part.mark}" for key, part in named.items())
            return _digested(Parcel(data, laid, f"{{{marks}}}", inside=named), SMALL)
        return _digested(Parcel(data, laid, _text(laid)), SMALL)
    if not isinstance(data, list | tuple):
        return _digested(Parcel(data, data, _text(data)), LONG)
    if data and not isinstance(data[0], int | float) and any(map(_deep, data)):
        had: Sequence[Parcel | None] = [None] * len(data)
        if before and isinstance(before.inside, Sequence) and len(before.inside) == len(data):
            had = before.inside
        listed = [packed(value, part) for value, part in zip(data, had, strict=True)]
        marks = ",".join([part.mark for part in listed])
        return _digested(Parcel(data, data, f"[{marks}]", inside=listed), SMALL)
    return _digested(Parcel(data, data, _text(data)), SMALL)


def _deep(value: object) -> bool:
    """Whether there may be a part in it."""
    return isinstance(value, dict | list | tuple) or (isinstance(value, str) and len(value) >= LONG)


_text = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def _digested(part: Parcel, least: int) -> Parcel:
    """A part of its own where it is long, or has others inside, whatever its own length.

    A digest within a mark is no JSON, so that nothing else has the same.
    """
    inside = part.inside.values() if isinstance(part.inside, Mapping) else part.inside or ()
    if not any([one.digest for one in inside]):
        part = part._replace(inside=None)
        if len(part.mark) < least:
            return part
    short = hashlib.blake2b(part.mark.encode(), digest_size=9)
    digest = base64.urlsafe_b64encode(short.digest()).decode()
    return part._replace(mark=f"={digest}", digest=digest)


def sent(part: Parcel, known: dict[str, None]) -> Any:  # noqa: ANN401
    """What travels: parts in ``known`` as their digests; new ones are added to it."""
    if not part.digest:
        return part.data
    if part.digest in known:
        return {"=": part.digest}
    if len(known) >= MOST:
        known.pop(next(iter(known)))
    known[part.digest] = None
    inside: Any = part.data
    if isinstance(part.inside, Mapping):
        inside = {key: sent(value, known) for key, value in part.inside.items()}
    elif part.inside is not None:
        inside = [sent(value, known) for value in part.inside]
    return {"=": part.digest, "is": inside}


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
