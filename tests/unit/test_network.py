import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from core.errors import EquipoiseError
from core.methods.method import packed_counts
from core.network import Network, find_cycle
from core.study.metrics import Truth
from core.table import Variable
from tests.strategies import networks


def binary(*names):
    return tuple(Variable(n, ("no", "yes")) for n in names)


def test_the_papers_figure_one_by_hand():
    parents = ((), (), ("A", "B"), ("C",), ("C",), ("D", "E"))
    network = Network(binary(*"ABCDEF"), parents)
    assert [network.names[i] for i in network.order] == list("ABCDEF")
    assert network.heights == (3, 3, 2, 1, 1, 0)
    assert [len(c) for c in network.children] == [1, 1, 2, 1, 1, 0]
    assert network.complexities == (1, 1, 4, 2, 2, 4)
    assert network.complexity == 14
    assert [v.name for v in network.families[5]] == ["D", "E", "F"]


@given(networks())
def test_order_heights_and_edges_agree_with_networkx(network):
    graph = nx.DiGraph(network.edges)
    graph.add_nodes_from(network.names)
    place = {network.names[i]: k for k, i in enumerate(network.order)}
    assert all(place[a] < place[b] for a, b in network.edges)
    for name, height in zip(network.names, network.heights, strict=True):
        reach = graph.subgraph(nx.descendants(graph, name) | {name})
        longest = max(
            len(p) - 1
            for end in reach
            for p in ([[name]] if end == name else nx.all_simple_paths(reach, name, end))
        )
        assert height == longest


@given(networks())
def test_a_removed_edge_put_back_gives_the_same_families(network):
    for parent, child in network.edges:
        again = network.without_edge(parent, child).with_edge(parent, child)
        assert set(again.edges) == set(network.edges)


@pytest.mark.parametrize(
    ("names", "parents", "words"),
    [
        ("ABC", (("C",), ("A",), ("B",)), r"A -> B -> C -> A|B -> C -> A -> B|C -> A -> B -> C"),
        ("A", (("A",),), "A -> A"),
        ("AB", ((), ("Z",)), "'Z', which is not a variable"),
        ("AA", ((), ()), "'A' appears twice"),
        ("AB", ((), ("A", "A")), "parent twice"),
        ("AB", ((),), "2 variables but 1 parent lists"),
        ("", (), "no variables"),
    ],
)
def test_refusals_name_the_thing(names, parents, words):
    with pytest.raises(EquipoiseError, match=words):
        Network(binary(*names), parents)


def test_the_cycle_named_follows_real_edges():
    parents = {"a": ("d",), "b": ("a", "x"), "c": ("b",), "d": ("c",), "x": ()}
    cycle = find_cycle(parents.keys(), parents.values())
    assert cycle[0] == cycle[-1]
    assert all(a in parents[b] for a, b in itertools.pairwise(cycle))


def test_ten_million_cells_in_one_table_are_refused_with_what_to_merge():
    wide = tuple(Variable(n, tuple(map(str, range(216)))) for n in "ABC")
    with pytest.raises(EquipoiseError, match=r"10,077,696 cells.*merge states of 'A'"):
        Network(wide, ((), (), ("A", "B")))


def test_tables_that_are_too_many_cells_together_are_refused():
    names = [f"v{i}" for i in range(40)]
    parents = [tuple(names[max(0, i - 19) : i]) for i in range(40)]
    with pytest.raises(EquipoiseError, match=r"23,068,670 cells together.*parents of 'v19'"):
        Network(binary(*names), parents)


def test_more_cells_than_a_method_can_work_on_are_refused_uncounted():
    """7 million cells took 1.7 GB in allocate; a graph of as many may be held and asked about."""

    class Untouched:
        records = 10

    names = [f"v{i}" for i in range(22)]
    network = Network(binary(*names), [tuple(names[max(0, i - 18) : i]) for i in range(22)])
    for ask in (packed_counts, Truth.of):
        with pytest.raises(EquipoiseError, match=r"2,621,438 cells together; at most 1,048,576 .*"
                                                 r"parents of 'v18' or merge states"):  # fmt: skip
            ask(network, Untouched())
    assert network.layout.size == 2_621_438


def test_too_many_variables_are_refused():
    names = [f"v{i}" for i in range(2001)]
    with pytest.raises(EquipoiseError, match="2,001 variables"):
        Network(binary(*names), ((),) * 2001)


def test_two_thousand_variables_answer():
    names = [f"v{i}" for i in range(2000)]
    network = Network(binary(*names), ((), *((n,) for n in names[:-1])))
    assert network.complexity == 1 + 1999 * 2
    assert network.heights[0] == 1999


@given(networks())
def test_layout_packs_every_family_once_and_rows_are_contiguous(network):
    layout = network.layout
    arrays = [
        np.arange(np.prod(s, dtype=int)).reshape(s) + 1000.0 * i
        for i, s in enumerate(layout.shapes)
    ]
    flat = layout.pack(arrays)
    assert sorted(flat) == sorted(np.concatenate([a.ravel() for a in arrays]))
    for i, array in enumerate(arrays):
        np.testing.assert_array_equal(layout.unpack(flat, i), array)
        np.testing.assert_array_equal(
            layout.row_totals(flat)[layout.row_slices[i]], array.sum(axis=-1).ravel()
        )
        assert set(layout.row_owner[layout.row_slices[i]]) == {i}
