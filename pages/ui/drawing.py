"""A layered drawing of a DAG: where boxes stand and how edges run between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """A box; ``x`` and ``y`` are its left upper corner, ``label`` its name cut to fit."""

    name: str
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Edge:
    """An arrow; ``d`` is the line's SVG path, ``head`` that of the arrow head."""

    parent: str
    child: str
    d: str
    head: str


@dataclass(frozen=True)
class Drawing:
    """A picture ``width`` by ``height``; nodes in the order of the names given."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def draw(names: Sequence[str], edges: Iterable[tuple[str, str]]) -> Drawing:
    """Boxes in rows, parents above children."""
    raise NotImplementedError
