import random
import re
import time
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from pages.ui.columns import NODE_WIDTH, least_distance, place_columns
from pages.ui.drawing import HEIGHT, LABEL_WIDTH, cut_label, draw
from pages.ui.layers import assign_rows, build_ladder, crossings, order_rows
from pages.ui.simplex import settle

ALARM = """
HYPOVOLEMIA>LVEDVOLUME LVFAILURE>LVEDVOLUME HYPOVOLEMIA>STROKEVOLUME LVFAILURE>STROKEVOLUME
LVFAILURE>HISTORY LVEDVOLUME>CVP LVEDVOLUME>PCWP STROKEVOLUME>CO HR>CO ERRLOWOUTPUT>HRBP HR>HRBP
ERRCAUTER>HREKG HR>HREKG ERRCAUTER>HRSAT HR>HRSAT INSUFFANESTH>CATECHOL SAO2>CATECHOL
TPR>CATECHOL ARTCO2>CATECHOL CATECHOL>HR ANAPHYLAXIS>TPR ARTCO2>EXPCO2 VENTLUNG>EXPCO2
INTUBATION>MINVOL VENTLUNG>MINVOL FIO2>PVSAT VENTALV>PVSAT PVSAT>SAO2 SHUNT>SAO2
PULMEMBOLUS>SHUNT INTUBATION>SHUNT PULMEMBOLUS>PAP INTUBATION>PRESS KINKEDTUBE>PRESS
VENTTUBE>PRESS DISCONNECT>VENTTUBE VENTMACH>VENTTUBE MINVOLSET>VENTMACH INTUBATION>VENTLUNG
KINKEDTUBE>VENTLUNG VENTTUBE>VENTLUNG INTUBATION>VENTALV VENTLUNG>VENTALV VENTALV>ARTCO2
CO>BP TPR>BP
"""


def alarm():
    edges = [tuple(pair.split(">")) for pair in ALARM.split()]
    return sorted({name for edge in edges for name in edge}), edges


def random_dag(count, edges, seed, reach=40):
    draw_pair = random.Random(seed)
    pairs = set()
    while len(pairs) < edges:
        a, b = sorted(draw_pair.sample(range(count), 2))
        if b - a <= reach:
            pairs.add((f"v{a}", f"v{b}"))
    return [f"v{i}" for i in range(count)], sorted(pairs)


def star(leaves, inward=False):
    names = ["hub", *(f"leaf{i}" for i in range(leaves))]
    return names, [(leaf, "hub") if inward else ("hub", leaf) for leaf in names[1:]]


AWKWARD = {
    "one": (["only"], []),
    "loose": ([f"v{i}" for i in range(25)], []),
    "chain": ([f"v{i}" for i in range(30)], [(f"v{i}", f"v{i + 1}") for i in range(29)]),
    "star": star(40),
    "inward star": star(40, inward=True),
    "complete": (
        [f"v{i}" for i in range(8)],
        [(f"v{a}", f"v{b}") for a, b in combinations(range(8), 2)],
    ),
    "pieces": (list("abcdefgh"), [("a", "b"), ("c", "d"), ("c", "e")]),
    "alarm": alarm(),
    "random": random_dag(60, 110, seed=3),
}


@st.composite
def dags(draw):
    count = draw(st.integers(1, 14))
    order = draw(st.permutations(range(count)))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    chosen = draw(st.lists(pairs, max_size=30))
    forward = [(min(p), max(p)) for p in chosen if p[0] != p[1]]
    edges = dict.fromkeys((f"v{order[a]}", f"v{order[b]}") for a, b in forward)
    return [f"v{i}" for i in range(count)], list(edges)


def points(d, steps=24):
    """Points along an SVG path of M, C and V commands."""
    found, here = [], None
    for command, text in re.findall(r"([MCV])([^MCV]*)", d):
        numbers = [float(n) for n in text.split()]
        if command == "M":
            here = np.array(numbers)
        elif command == "V":
            end = np.array([here[0], numbers[0]])
            found += [here + (end - here) * t for t in np.linspace(0, 1, steps)]
            here = end
        else:
            a, b, end = np.array(numbers).reshape(3, 2)
            for t in np.linspace(0, 1, steps):
                s = 1 - t
                found.append(s**3 * here + 3 * s * s * t * a + 3 * s * t * t * b + t**3 * end)
            here = end
    return np.array(found)


def assert_readable(drawing):
    boxes = {n.name: (n.x, n.y, n.x + NODE_WIDTH, n.y + HEIGHT) for n in drawing.nodes}
    for (_, a), (_, b) in combinations(boxes.items(), 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1], "boxes overlap"
    for x0, y0, x1, y1 in boxes.values():
        assert x0 >= 0 and y0 >= 0 and x1 <= drawing.width and y1 <= drawing.height
    for edge in drawing.edges:
        assert boxes[edge.parent][3] < boxes[edge.child][1], "an edge points upwards"
        line = points(edge.d)
        assert np.all(np.diff(line[:, 1]) > -1e-6), "a line turns back"
        assert (line >= 0).all() and (line <= [drawing.width, drawing.height]).all()
        assert boxes[edge.parent][0] < line[0, 0] < boxes[edge.parent][2]
        assert boxes[edge.child][0] < line[-1, 0] < boxes[edge.child][2]
        for x0, y0, x1, y1 in boxes.values():
            inside = (line > [x0, y0]).all(axis=1) & (line < [x1, y1]).all(axis=1)
            assert not inside.any(), f"{edge.parent} -> {edge.child} crosses a box"


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_graphs_are_readable(name):
    names, edges = AWKWARD[name]
    drawing = draw(names, edges)
    assert [n.name for n in drawing.nodes] == names
    assert [(e.parent, e.child) for e in drawing.edges] == edges
    assert_readable(drawing)


@settings(max_examples=60, deadline=None)
@given(dags())
def test_any_dag_is_readable(graph):
    drawing = draw(*graph)
    assert_readable(drawing)
    assert drawing == draw(*graph)


def indexed(names, edges):
    return len(names), [(names.index(a), names.index(b)) for a, b in edges]


def test_alarm_is_narrow_and_clear():
    count, pairs = indexed(*alarm())
    rows = assign_rows(count, pairs, capacity=6)
    assert max(rows) + 1 == 11
    assert sum(rows[b] - rows[a] for a, b in pairs) == 56  # 46 edges, ten bends
    ladder = build_ladder(rows, pairs)
    assert crossings(ladder, order_rows(ladder)) <= 10
    assert draw(*alarm()).width <= 692


def test_alarm_is_fast():
    draw(*alarm())
    start = time.perf_counter()
    draw(*alarm())
    assert time.perf_counter() - start < 0.5  # about 0.04 s on an idle machine


@pytest.mark.slow
@pytest.mark.parametrize(("count", "edges", "limit"), [(200, 300, 2), (2000, 3000, 15)])
def test_large_graphs_answer(count, edges, limit):
    start = time.perf_counter()
    drawing = draw(*random_dag(count, edges, seed=0))
    assert time.perf_counter() - start < limit
    assert len(drawing.nodes) == count


def test_wide_rows_are_broken_and_loose_nodes_packed():
    assert draw(*star(40)).width <= 700
    loose = draw([f"v{i}" for i in range(25)], [])
    assert len({n.y for n in loose.nodes}) == 5


def test_crossings_equal_those_counted_pair_by_pair():
    count, pairs = indexed(*random_dag(30, 60, seed=1))
    ladder = build_ladder(assign_rows(count, pairs, capacity=6), pairs)
    place = {item: i for row in ladder.rows for i, item in enumerate(row)}
    found = 0
    for row in ladder.rows:
        segments = [(a, b) for a in row for b in ladder.down[a]]
        for (a, b), (c, d) in combinations(segments, 2):
            found += (place[a] - place[c]) * (place[b] - place[d]) < 0
    assert crossings(ladder, ladder.rows) == found > 0


def linear_programme(count, arcs):
    cost, left, right = np.zeros(count), [], []
    for tail, head, distance, weight in arcs:
        cost[head] += weight
        cost[tail] -= weight
        row = np.zeros(count)
        row[tail], row[head] = 1, -1
        left.append(row)
        right.append(-distance)
    return linprog(cost, A_ub=left, b_ub=right, bounds=[(0, 1e5)] * count).fun


@pytest.mark.parametrize("seed", range(12))
def test_simplex_equals_a_linear_programme(seed):
    pick = random.Random(seed)
    count = pick.randint(2, 14)
    ends = [(pick.randrange(v), v) for v in range(1, count)]
    ends += [tuple(sorted(pick.sample(range(count), 2))) for _ in range(20)]
    arcs = [(a, b, pick.randint(0, 3), pick.randint(0, 4)) for a, b in ends]
    start = [0] * count
    for node in range(count):
        start[node] = max((start[a] + d for a, b, d, _ in arcs if b == node), default=0)
    place = settle(start, arcs, pivots=1_000)
    assert all(place[b] - place[a] >= d for a, b, d, _ in arcs)
    pulled = sum(w * (place[b] - place[a]) for a, b, _, w in arcs)
    assert pulled == pytest.approx(linear_programme(count, arcs))


def test_columns_travel_least():
    count, pairs = indexed(*alarm())
    ladder = build_ladder(assign_rows(count, pairs, capacity=6), pairs)
    rows = order_rows(ladder)
    x = place_columns(ladder, rows, count, target=5_000)  # walls too far to matter
    segments = [(a, b) for a, lower in enumerate(ladder.down) for b in lower]
    weights = [(8, 2, 1)[(a < count) + (b < count)] for a, b in segments]
    arcs = [(a, b, least_distance(a, b, count), 0) for row in rows for a, b in pairwise(row)]
    for i, ((a, b), weight) in enumerate(zip(segments, weights, strict=True)):
        arcs += [(len(x) + i, a, 0, weight), (len(x) + i, b, 0, weight)]
    travelled = sum(w * abs(x[a] - x[b]) for (a, b), w in zip(segments, weights, strict=True))
    assert travelled == pytest.approx(linear_programme(len(x) + len(segments), arcs))


@pytest.mark.parametrize(
    ("name", "label"),
    [("HR", "HR"), ("ERRLOWOUTPUT", "ERRLOWOUTPUT"), ("a rather long variable name", None)],
)
def test_labels_fit_their_box(name, label):
    cut = cut_label(name)
    if label is None:
        assert cut.endswith("…") and name.startswith(cut[:-1]) and len(cut) * 4 < LABEL_WIDTH
    else:
        assert cut == label
