"""A layered drawing of a DAG: where boxes stand and how edges run between them.

Rows minimise edge length, orders along a row minimise crossings, and columns minimise sideways
travel. Curves live in the gaps between rows only; a long edge passes each row straight down a
lane of its own, so no edge crosses a box. The same graph gives the same drawing.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from pages.ui.graph.labels import cut_label
from pages.ui.graph.rows import SPACE, Layered, assign_rows, build_ladder, order_rows, place_columns

GAP = 26
"""Room between rows; wider where many edges travel far."""

TARGET_WIDTH = 690
MARGIN = 2
PORT_STEP = 16
HEAD = 6
"""Length of an arrow head; the line stops just inside it."""

ROOMY, AIR = 0.6, 1.6
"""A drawing narrower than this share of the target is spread out, by at most this factor."""

PADDING = 9
"""What a box is wider than its label."""

LARGE = 300
"""Above this many nodes long edges share lanes, to keep the picture and the time small."""


@dataclass(frozen=True)
class Boxes:
    """How large nodes are; ``own`` gives each its height where they differ.

    ``target`` is the width a drawing should keep within.
    """

    width: int = 104
    height: int = 36
    own: tuple[int, ...] = ()
    target: int = TARGET_WIDTH

    def height_of(self, node: int) -> int:
        """Height of one box."""
        return self.own[node] if self.own else self.height


@dataclass(frozen=True)
class Node:
    """A box; ``x`` and ``y`` are its left upper corner, ``label`` its name cut to fit."""

    name: str
    label: str
    x: float
    y: float
    height: int


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
    box_width: int = Boxes.width


@dataclass(frozen=True)
class _Part:
    """One connected piece, drawn from (0, 0): box centres and tops, and each edge's points."""

    members: list[int]
    edges: list[int]
    width: float
    height: float
    spots: list[tuple[float, float]]
    lines: list[list[tuple[float, float]]]


BUDGET_BOXES = Boxes()
"""Boxes that hold a name and a number."""


def draw(
    names: Sequence[str], edges: Iterable[tuple[str, str]], boxes: Boxes = BUDGET_BOXES
) -> Drawing:
    """Boxes in rows, parents above children; separate pieces are packed side by side."""
    position = {name: i for i, name in enumerate(names)}
    pairs = [(position[parent], position[child]) for parent, child in edges]
    room = (boxes.width + SPACE) * (boxes.height + GAP)
    target = max(boxes.target, 0.9 * math.sqrt(1.5 * len(names) * room))
    parts = [_draw_part(m, e, pairs, boxes, target) for m, e in _pieces(len(names), pairs)]
    parts.sort(key=lambda part: (-part.height, -part.width))
    nodes: dict[int, Node] = {}
    arrows: dict[int, Edge] = {}
    right = bottom = 0.0
    for part, (x, y) in zip(parts, _pack(parts, target), strict=True):
        for i, (centre, top) in zip(part.members, part.spots, strict=True):
            corner = (round(x + centre - boxes.width / 2, 1), round(y + top, 1))
            label = cut_label(names[i], boxes.width - PADDING)
            nodes[i] = Node(names[i], label, *corner, boxes.height_of(i))
        for e, line in zip(part.edges, part.lines, strict=True):
            parent, child = pairs[e]
            path = svg_path([(x + px, y + py) for px, py in line], nodes[parent])
            arrows[e] = Edge(names[parent], names[child], *path)
        right, bottom = max(right, x + part.width), max(bottom, y + part.height)
    return Drawing(
        math.ceil(right + MARGIN),
        math.ceil(bottom + MARGIN),
        tuple(nodes[i] for i in range(len(names))),
        tuple(arrows[e] for e in range(len(pairs))),
        boxes.width,
    )


def _pieces(count: int, pairs: Sequence[tuple[int, int]]) -> list[tuple[list[int], list[int]]]:
    """Connected pieces as (nodes, edges), in the order of their first nodes."""
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(pairs)
    pieces = sorted(sorted(piece) for piece in nx.connected_components(graph))
    where = {node: i for i, piece in enumerate(pieces) for node in piece}
    edges: list[list[int]] = [[] for _ in pieces]
    for e, (parent, _) in enumerate(pairs):
        edges[where[parent]].append(e)
    return list(zip(pieces, edges, strict=True))


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
        x += part.width + (SPACE if len(part.members) == 1 else 2 * SPACE)
    return corners


def _draw_part(
    members: list[int],
    edges: list[int],
    pairs: Sequence[tuple[int, int]],
    boxes: Boxes,
    target: float,
) -> _Part:
    local = {node: i for i, node in enumerate(members)}
    links = [(local[pairs[e][0]], local[pairs[e][1]]) for e in edges]
    capacity = max(1, int((target + SPACE) // (boxes.width + SPACE)))
    row = assign_rows(len(members), links, capacity)
    share = {"share": 0} if len(members) > LARGE else {}
    ladder = build_ladder(row, links, **share)
    rows = order_rows(ladder)
    x = place_columns(ladder, rows, len(members), boxes.width, target - 2 * MARGIN)
    air = min(AIR, max(1.0, ROOMY * target / (max(x) - min(x) + boxes.width)))
    x = [air * value for value in x]
    tall = [max(boxes.height_of(members[i]) for i in r if i < len(members)) for r in rows]
    tops = _tops(ladder, rows, x, tall, GAP * air, boxes.width)
    level = {item: r for r, line in enumerate(rows) for item in line}
    half = [boxes.width / 2 if i < len(members) else 0 for i in range(len(x))]
    left = min(value - wide for value, wide in zip(x, half, strict=True))
    right = max(value + wide for value, wide in zip(x, half, strict=True))
    x = [value - left for value in x]
    upper = [tops[level[i]] for i in range(len(x))]
    lower = [tops[level[i]] + tall[level[i]] for i in range(len(x))]
    lines = _lines(ladder, x, upper, lower, boxes.width)
    spots = [(x[i], upper[i]) for i in range(len(members))]
    return _Part(members, edges, right - left, tops[-1] + tall[-1], spots, lines)


def _tops(
    ladder: Layered, rows: list[list[int]], x: list[float], tall: list[int], gap: float, width: int
) -> list[float]:
    """Upper edge of each row; a gap grows with the edges that travel far in it."""
    tops = [0.0]
    for row, height in zip(rows[:-1], tall, strict=False):
        far = sum(abs(x[a] - x[b]) > 2 * width for a in row for b in ladder.down[a])
        tops.append(tops[-1] + height + gap + min(54, 4 * max(0, far - 4)))
    return tops


def _lines(
    ladder: Layered, x: list[float], upper: list[float], lower: list[float], width: int
) -> list[list[tuple[float, float]]]:
    """Points of each edge: leaves a port below its parent, passes lanes, enters a port above."""
    out = [_ports(x, item, ladder.down[item], width) for item in range(len(x))]
    into = [_ports(x, item, ladder.up[item], width) for item in range(len(x))]
    lines = []
    for first, *between, last in ladder.routes:
        steps = [first, *between, last]
        points = [(out[first][steps[1]], lower[first])]
        for bend in between:
            points += [(x[bend], upper[bend]), (x[bend], lower[bend])]
        points.append((into[last][steps[-2]], upper[last]))
        lines.append(points)
    return lines


def _ports(x: list[float], item: int, others: list[int], width: int) -> dict[int, float]:
    """Where on its side each neighbour's edge meets a box, in the neighbours' order."""
    ordered = sorted(others, key=lambda o: (x[o], o))
    step = min(PORT_STEP, (width - 24) / max(1, len(ordered) - 1))
    first = x[item] - step * (len(ordered) - 1) / 2
    return {other: first + step * i for i, other in enumerate(ordered)}


def svg_path(points: Sequence[tuple[float, float]], parent: Node) -> tuple[str, str]:
    """SVG of line and head: curves with upright ends in gaps, straight through rows.

    A box that ends above the foot of its row is left straight down to it.
    """
    (x, y), *_ = points
    end_x, end_y = points[-1]
    begin = parent.y + parent.height
    text = [f"M{x:.1f} {begin:.1f}", f"V{y:.1f}"] if begin < y - 0.1 else [f"M{x:.1f} {y:.1f}"]
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
