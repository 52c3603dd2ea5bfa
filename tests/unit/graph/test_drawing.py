"""Where boxes stand and how edges run: no edge crosses a box, and an edit moves nothing."""

import re
from itertools import combinations

import networkx as nx
import pytest

from pages.ui.graph.drawing import BUDGET_BOXES, Boxes, draw
from pages.ui.graph.keeping import redraw
from pages.ui.graph.labels import cut_label, text_width
from sources.networks import sample, sample_names


def boxes_for(network, kind):
    if kind == "budget":
        return BUDGET_BOXES
    own = tuple(28 + 15 * v.cardinality for v in network.variables)
    return Boxes(168, 70, own, 1090)


def samples_of(path):
    """Points along an SVG path of ours: M, V and C."""
    points, here = [], None
    for command, text in re.findall(r"([MVC])([^MVC]*)", path):
        numbers = [float(n) for n in text.split()]
        if command == "M":
            here = tuple(numbers)
        elif command == "V":
            points += [(here[0], here[1] + t / 20 * (numbers[0] - here[1])) for t in range(21)]
            here = (here[0], numbers[0])
        else:
            (x0, y0), (x1, y1, x2, y2, x3, y3) = here, numbers
            for t in (i / 40 for i in range(41)):
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
                x = sum(w * v for w, v in zip(weights, (x0, x1, x2, x3), strict=True))
                y = sum(w * v for w, v in zip(weights, (y0, y1, y2, y3), strict=True))
                points.append((x, y))
            here = (x3, y3)
    return points


def check(drawing):
    """Parents above children, boxes apart, and lines past every box but their own ends."""
    spots = {node.name: node for node in drawing.nodes}
    for a, b in combinations(drawing.nodes, 2):
        beside = abs(a.x - b.x) >= drawing.box_width
        assert beside or a.y + a.height <= b.y or b.y + b.height <= a.y, (a.name, b.name)
    for node in drawing.nodes:
        assert node.x >= 0 and node.x + drawing.box_width <= drawing.width
        assert node.y >= 0 and node.y + node.height <= drawing.height
    for edge in drawing.edges:
        parent, child = spots[edge.parent], spots[edge.child]
        assert parent.y + parent.height < child.y
        for x, y in samples_of(edge.d):
            for node in drawing.nodes:
                inside = node.x + 1 < x < node.x + drawing.box_width - 1
                assert not (inside and node.y + 1 < y < node.y + node.height - 1), (edge, node.name)


@pytest.mark.parametrize("kind", ["budget", "answers"])
@pytest.mark.parametrize("name", sample_names())
def test_no_edge_crosses_a_box(name, kind):
    network = sample(name).network
    drawing = draw(network.names, network.edges, boxes_for(network, kind))
    assert [n.name for n in drawing.nodes] == list(network.names)
    assert [(e.parent, e.child) for e in drawing.edges] == list(network.edges)
    check(drawing)
    assert draw(network.names, network.edges, boxes_for(network, kind)) == drawing


def test_pieces_stand_apart_and_single_nodes_are_drawn():
    names = [f"n{i}" for i in range(14)]
    check(draw(names, [("n0", "n1"), ("n2", "n3"), ("n2", "n4")]))
    check(draw(["alone"], []))


@pytest.mark.parametrize("name", sample_names())
def test_a_removed_edge_leaves_everything_in_its_place(name):
    network = sample(name).network
    before = draw(network.names, network.edges)
    after = redraw(before, network.edges[1:], BUDGET_BOXES)
    assert after.nodes == before.nodes
    assert after.edges == before.edges[1:]
    assert redraw(after, network.edges, BUDGET_BOXES).nodes == before.nodes


@pytest.mark.parametrize("kind", ["budget", "answers"])
def test_a_new_edge_that_points_down_moves_no_box_and_crosses_none(kind):
    network = sample("alarm").network
    boxes = boxes_for(network, kind)
    before = draw(network.names, network.edges, boxes)
    spots = {n.name: n for n in before.nodes}
    stayed = 0
    for parent, child in [(a, b) for a in network.names[::4] for b in network.names[::5]]:
        down = spots[parent].y + spots[parent].height < spots[child].y
        if (parent, child) in network.edges or not down:
            continue
        after = redraw(before, [*network.edges, (parent, child)], boxes)
        if after.nodes == before.nodes:
            stayed += 1
            assert after.edges[:-1] == before.edges
            check(after)
    assert stayed >= 10


def test_an_edge_that_points_up_is_drawn_anew():
    before = draw(["a", "b", "c"], [("a", "b")])
    below = redraw(before, [("b", "a")], BUDGET_BOXES)
    check(below)
    assert [(e.parent, e.child) for e in below.edges] == [("b", "a")]


def test_large_graphs_are_drawn_in_reasonable_width():
    graph = nx.gn_graph(120, seed=3).reverse()
    names = [f"v{i}" for i in graph]
    drawing = draw(names, [(f"v{a}", f"v{b}") for a, b in graph.edges])
    check(drawing)
    assert drawing.width < 3000


@pytest.mark.parametrize("last", range(10, 20))
def test_long_names_keep_both_ends_and_fit(last):
    label = cut_label(f"respondent_answer_to_question_{last}", 95)
    assert label.startswith("resp") and label.endswith(f"_{last}") and label.count("…") == 1
    assert text_width(label) <= 95
    assert cut_label("short", 95) == "short"


def test_wide_letters_are_cut_too():
    assert text_width(cut_label("名" * 40, 95)) <= 95
    assert text_width(cut_label("W" * 40, 95)) <= 95
