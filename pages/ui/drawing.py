"""A layered drawing of a DAG: where boxes stand and how edges run between them.

Rows minimise edge length, orders along a row minimise crossings, and columns minimise sideways
travel. Curves live in the gaps between rows only; a long edge passes each row straight down a
lane of its own, so no edge crosses a box. The same graph gives the same drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pages.ui.columns import NODE_WIDTH, place_columns
from pages.ui.layers import Ladder, assign_rows, build_ladder, order_rows

HEIGHT = 36
GAP = 26
"""Room between rows; wider where many edges travel far."""

SPACE = 12
"""Room between boxes of a row."""

TARGET_WIDTH = 690
MARGIN = 2
PORT_STEP = 16
HEAD = 6
"""Length of an arrow head; the line stops just inside it."""

ROOMY, AIR = 0.6, 1.6
"""A drawing narrower than this share of the target is spread out, by at most this factor."""

LABEL_WIDTH = 86
LARGE = 300
"""Above this many nodes long edges share lanes, to keep the picture and the time small."""


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


@dataclass(frozen=True)
class _Part:
    """One connected piece, drawn from (0, 0): box centres and tops, and each edge's points."""

    members: list[int]
    edges: list[int]
    width: float
    height: float
    spots: list[tuple[float, float]]
    lines: list[list[tuple[float, float]]]


def draw(names: Sequence[str], edges: Iterable[tuple[str, str]]) -> Drawing:
    """Boxes in rows, parents above children; separate pieces are packed side by side."""
    position = {name: i for i, name in enumerate(names)}
    pairs = [(position[parent], position[child]) for parent, child in edges]
    target = max(TARGET_WIDTH, 0.9 * math.sqrt(1.5 * len(names) * 106 * 62))
    parts = [_draw_part(m, e, pairs, target) for m, e in _pieces(len(names), pairs)]
    parts.sort(key=lambda part: (-part.height, -part.width))
    nodes: dict[int, Node] = {}
    arrows: dict[int, Edge] = {}
    right = bottom = 0.0
    for part, (x, y) in zip(parts, _pack(parts, target), strict=True):
        for i, (centre, top) in zip(part.members, part.spots, strict=True):
            corner = (round(x + centre - NODE_WIDTH / 2, 1), round(y + top, 1))
            nodes[i] = Node(names[i], cut_label(names[i]), *corner)
        for e, line in zip(part.edges, part.lines, strict=True):
            parent, child = pairs[e]
            path = _path([(x + px, y + py) for px, py in line])
            arrows[e] = Edge(names[parent], names[child], *path)
        right, bottom = max(right, x + part.width), max(bottom, y + part.height)
    return Drawing(
        math.ceil(right + MARGIN),
        math.ceil(bottom + MARGIN),
        tuple(nodes[i] for i in range(len(names))),
        tuple(arrows[e] for e in range(len(pairs))),
    )


def _pieces(
    count: int, pairs: Sequence[tuple[int, int]]
) -> list[tuple[list[int], list[int]]]:
    """Connected pieces as (nodes, edges)."""
    root = list(range(count))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for parent, child in pairs:
        a, b = sorted((find(parent), find(child)))
        root[b] = a
    found: dict[int, tuple[list[int], list[int]]] = {}
    for node in range(count):
        found.setdefault(find(node), ([], []))[0].append(node)
    for e, (parent, _) in enumerate(pairs):
        found[find(parent)][1].append(e)
    return list(found.values())


def _pack(parts: Sequence[_Part], target: float) -> list[tuple[float, float]]:
    """Left upper corner of each part: side by side in shelves, tallest first."""
    corners = []
    x = y = float(MARGIN)
    shelf = 0.0
    for part in parts:
        if x > MARGIN and x + part.width > target + MARGIN:
            x, y, shelf = float(MARGIN), y + shelf + GAP, 0.0
        corners.append((x, y))
        shelf = max(shelf, part.height)
        x += part.width + (SPACE if part.height == HEIGHT else 2 * SPACE)
    return corners


def _draw_part(
    members: list[int], edges: list[int], pairs: Sequence[tuple[int, int]], target: float
) -> _Part:
    local = {node: i for i, node in enumerate(members)}
    links = [(local[pairs[e][0]], local[pairs[e][1]]) for e in edges]
    capacity = int((target + SPACE) // (NODE_WIDTH + SPACE))
    row = assign_rows(len(members), links, capacity)
    share = {"share": 0} if len(members) > LARGE else {}
    ladder = build_ladder(row, links, **share)
    rows = order_rows(ladder)
    x = place_columns(ladder, rows, len(members), target - 2 * MARGIN)
    air = min(AIR, max(1.0, ROOMY * target / (max(x) - min(x) + NODE_WIDTH)))
    x = [air * value for value in x]
    tops = _tops(ladder, rows, x, GAP * air)
    level = {item: r for r, line in enumerate(rows) for item in line}
    left = min(x[i] - (NODE_WIDTH / 2 if i < len(members) else 0) for i in range(len(x)))
    right = max(x[i] + (NODE_WIDTH / 2 if i < len(members) else 0) for i in range(len(x)))
    x = [value - left for value in x]
    lines = _lines(ladder, x, [tops[level[i]] for i in range(len(x))])
    spots = [(x[i], tops[level[i]]) for i in range(len(members))]
    return _Part(members, edges, right - left, tops[-1] + HEIGHT, spots, lines)


def _tops(ladder: Ladder, rows: list[list[int]], x: list[float], gap: float) -> list[float]:
    """Upper edge of each row; a gap grows with the edges that travel far in it."""
    tops = [0.0]
    for row in rows[:-1]:
        far = sum(abs(x[a] - x[b]) > 2 * NODE_WIDTH for a in row for b in ladder.down[a])
        tops.append(tops[-1] + HEIGHT + gap + min(54, 4 * max(0, far - 4)))
    return tops


def _lines(ladder: Ladder, x: list[float], top: list[float]) -> list[list[tuple[float, float]]]:
    """Points of each edge: leaves a port below its parent, passes lanes, enters a port above."""
    out = [_ports(x, item, ladder.down[item]) for item in range(len(x))]
    into = [_ports(x, item, ladder.up[item]) for item in range(len(x))]
    lines = []
    for first, *between, last in ladder.routes:
        steps = [first, *between, last]
        points = [(out[first][steps[1]], top[first] + HEIGHT)]
        for bend in between:
            points += [(x[bend], top[bend]), (x[bend], top[bend] + HEIGHT)]
        points.append((into[last][steps[-2]], top[last]))
        lines.append(points)
    return lines


def _ports(x: list[float], item: int, others: list[int]) -> dict[int, float]:
    """Where on its side each neighbour's edge meets a box, in the neighbours' order."""
    ordered = sorted(others, key=lambda o: (x[o], o))
    step = min(PORT_STEP, (NODE_WIDTH - 24) / max(1, len(ordered) - 1))
    first = x[item] - step * (len(ordered) - 1) / 2
    return {other: first + step * i for i, other in enumerate(ordered)}


def _path(points: list[tuple[float, float]]) -> tuple[str, str]:
    """SVG of line and head: curves with upright ends in gaps, straight through rows."""
    (x, y), *_ = points
    end_x, end_y = points[-1]
    text = [f"M{x:.1f} {y:.1f}"]
    stops = [*points[:-1], (end_x, end_y - HEAD + 1)]
    for i, ((x, y), (to_x, to_y)) in enumerate(pairwise(stops)):
        if i % 2:
            text.append(f"V{to_y:.1f}")
        else:
            drop = to_y - y
            text.append(
                f"C{x:.1f} {y + 0.6 * drop:.1f} {to_x:.1f} {y + 0.4 * drop:.1f} "
                f"{to_x:.1f} {to_y:.1f}"
            )
    base = end_y - HEAD
    head = f"M{end_x - 3.4:.1f} {base:.1f}L{end_x:.1f} {end_y:.1f}L{end_x + 3.4:.1f} {base:.1f}Z"
    return "".join(text), head


def cut_label(name: str) -> str:
    """The name, or as much of it as a box holds and an ellipsis."""
    if _text_width(name) <= LABEL_WIDTH:
        return name
    kept = name
    while kept and _text_width(kept + "…") > LABEL_WIDTH:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def _text_width(text: str) -> float:
    return sum(_LETTER_WIDTH.get(letter, _OTHER_WIDTH) for letter in text)


_LETTER_WIDTH = {
    letter: width
    for width, letters in {
        3.2: " !',.:;|Iijl",
        4.1: "()-/[]{}frt",
        5.4: "?*cszJ",
        6.0: "0123456789_=+<>#$aegkvxyEFLVXYZ",
        6.7: "bdhnopquABCKPRST",
        7.6: "&DGHNOQU",
        9.0: "MWw",
        9.9: "m%@",
    }.items()
    for letter in letters
}
"""Advance in pixels at 11.5 px semibold, rounded up; the browser's own measure comes too late."""

_OTHER_WIDTH = 11.5
