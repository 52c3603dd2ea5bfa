"""An edited graph on the drawing that is there: boxes stay, one edge comes or goes.

A reader who edits keeps the picture in mind. A removed edge leaves everything in its place, and so
does a new one that points down: it curves in the gaps between rows, where no box stands, and passes
each row through the nearest opening. Only an edge that points up needs another drawing.
"""

from collections.abc import Sequence
from dataclasses import replace

from pages.ui.graph.drawing import Boxes, Drawing, Edge, Node, draw, svg_path

BESIDE = 7
"""Least room between a box and an edge that passes it."""


def redraw(before: Drawing, edges: Sequence[tuple[str, str]], boxes: Boxes) -> Drawing:
    """The drawing with these edges over the same names, boxes in their places if they can stay."""
    drawn = {(edge.parent, edge.child): edge for edge in before.edges}
    named = {node.name: node for node in before.nodes}
    lines: list[Edge] = []
    for pair in edges:
        edge = drawn.get(pair) or _route(before, named[pair[0]], named[pair[1]])
        if edge is None:
            return draw(tuple(named), edges, boxes)
        lines.append(edge)
    return replace(before, edges=tuple(lines))


def _route(before: Drawing, parent: Node, child: Node) -> Edge | None:
    """A line from box to box past all others; none where it would point up or leave the picture."""
    rows = _rows(before)
    above = next(i for i, (top, bottom) in enumerate(rows) if top <= parent.y < bottom)
    below = next(i for i, (top, bottom) in enumerate(rows) if top <= child.y < bottom)
    if above >= below or rows[below][0] < child.y:
        return None
    half = before.box_width / 2
    start, end = (parent.x + half, rows[above][1]), (child.x + half, child.y)
    points = [start]
    for top, bottom in rows[above + 1 : below]:
        share = (top - start[1]) / (end[1] - start[1])
        x = _opening(before, top, bottom, start[0] + share * (end[0] - start[0]))
        if x is None:
            return None
        points += [(x, top), (x, bottom)]
    return Edge(parent.name, child.name, *svg_path([*points, end], parent))


def _rows(before: Drawing) -> list[tuple[float, float]]:
    """Upper and lower edges of all rows; boxes that overlap in height are in one row."""
    rows: list[tuple[float, float]] = []
    for node in sorted(before.nodes, key=lambda node: node.y):
        top, bottom = node.y, node.y + node.height
        if rows and top < rows[-1][1]:
            rows[-1] = (rows[-1][0], max(rows[-1][1], bottom))
        else:
            rows.append((top, bottom))
    return rows


def _opening(before: Drawing, top: float, bottom: float, wish: float) -> float | None:
    """The column nearest to the wish where no box stands between ``top`` and ``bottom``."""
    boxes = [
        (node.x - BESIDE, node.x + before.box_width + BESIDE)
        for node in before.nodes
        if node.y < bottom and node.y + node.height > top
    ]
    sides = [wish, *(side for box in boxes for side in box)]
    free = [
        x
        for x in sides
        if 0 <= x <= before.width and not any(left < x < right for left, right in boxes)
    ]
    return min(free, key=lambda x: abs(x - wish), default=None)
