"""Data for the browser without what it has already: a part that was sent stays there.

A moved ε changes a few numbers of a picture; its curves, names and texts stay. Every part of some
size is sent once with its digest and from then on as the digest alone. A browser that lacks a part
says so and is sent everything again.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
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

    ``mark`` is its JSON with the parts inside as digests: what the digest is of, so that each
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
    if isinstance(data, str):
        return _whole(data, data, data, LONG, b"text") if len(data) >= LONG else _plain(data)
    if not isinstance(data, dict | list | tuple):
        return _plain(data)
    old = None if before is None else before.inside
    if isinstance(data, dict):
        laid = {**data, "columns": _in_runs(data["columns"])} if "columns" in data else data
        if any(map(_deep, laid.values())):
            had = old if isinstance(old, Mapping) else {}
            named = {key: packed(value, had.get(key)) for key, value in laid.items()}
            marks = ",".join(f"{_text(key)}:{part.mark}" for key, part in named.items())
            return _around(data, laid, f"{{{marks}}}", named, named.values())
        return _whole(data, laid, _text(laid), SMALL, b"part")
    if data and not isinstance(data[0], int | float) and any(map(_deep, data)):
        pairs: Sequence[Parcel | None] = [None] * len(data)
        if isinstance(old, Sequence) and len(old) == len(data):
            pairs = old
        listed = [packed(value, had) for value, had in zip(data, pairs, strict=True)]
        marks = ",".join([part.mark for part in listed])
        return _around(data, data, f"[{marks}]", listed, listed)
    return _whole(data, data, _text(data), SMALL, b"part")


def _deep(value: object) -> bool:
    """Whether there may be a part in it."""
    return isinstance(value, dict | list | tuple) or (isinstance(value, str) and len(value) >= LONG)


_text = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def _plain(data: Any) -> Parcel:  # noqa: ANN401
    return Parcel(data, data, _text(data))


def _around(
    given: Any,  # noqa: ANN401
    data: Any,  # noqa: ANN401
    mark: str,
    inside: Mapping[str, Parcel] | Sequence[Parcel],
    parts: Iterable[Parcel],
) -> Parcel:
    """What has other parts inside is one, whatever its own length."""
    if any([part.digest for part in parts]):
        return _whole(given, data, mark, 0, b"tree")._replace(inside=inside)
    return _whole(given, data, mark, SMALL, b"part")


def _whole(given: Any, data: Any, mark: str, least: int, kind: bytes) -> Parcel:  # noqa: ANN401
    if len(mark) < least:
        return Parcel(given, data, mark)
    short = hashlib.blake2b(mark.encode(), digest_size=9, person=kind)
    digest = base64.urlsafe_b64encode(short.digest()).decode()
    return Parcel(given, data, f'{{"=":"{digest}"}}', digest)


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
