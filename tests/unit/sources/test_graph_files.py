"""Graphs that other programs drew: read, refused with a sentence, and written back."""

import itertools

import networkx as nx
import numpy as np
import pytest

from core.errors import EquipoiseError
from core.network import Network
from core.table import Variable
from sources.graphs import closed_by, cycle_of, from_digraph, needless, to_digraph, untouched
from sources.loaded import EdgeList, Loaded, with_domain
from sources.networks import EXTENSIONS, read_network, sample, sample_names
from tests.brute_force import joint
from tests.strategies import random_model

WRITERS = {
    "graphml": lambda graph: "\n".join(nx.generate_graphml(graph)),
    "gml": lambda graph: "\n".join(nx.generate_gml(graph)),
    "adjlist": lambda graph: "\n".join(nx.generate_adjlist(graph)),
}


def plain(network):
    """The graph without states, which these formats have no place for."""
    graph = nx.DiGraph()
    graph.add_nodes_from(network.names)
    graph.add_edges_from(network.edges)
    return graph


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", sample_names())
def test_what_networkx_writes_is_read_back(form, name):
    network = sample(name).network
    found = read_network(f"g.{form}", WRITERS[form](plain(network)).encode())
    assert isinstance(found, EdgeList)
    assert sorted(found.names) == sorted(network.names)  # a list names children with parents
    assert set(found.edges) == set(network.edges)
    built = with_domain(found, network.variables)
    assert {n: set(p) for n, p in zip(built.names, built.parents, strict=True)} == {
        n: set(p) for n, p in zip(network.names, network.parents, strict=True)
    }


@pytest.mark.parametrize("name", sample_names())
def test_a_network_survives_the_way_through_a_digraph(name):
    network = sample(name).network
    graph = to_digraph(network)
    assert graph.nodes[network.names[0]]["states"] == network.variables[0].states
    assert with_domain(from_digraph(graph), network.variables) == network
    structure = EdgeList(network.names, network.edges)
    assert from_digraph(to_digraph(structure), structure.name) == structure


@pytest.mark.parametrize("form", WRITERS)
def test_a_cycle_is_refused_by_its_names(form):
    graph = nx.DiGraph([("start", "a"), ("a", "b"), ("b", "c"), ("c", "a")])
    with pytest.raises(EquipoiseError, match=r"g\.\w+ is not acyclic: a -> b -> c -> a; remove"):
        read_network(f"g.{form}", WRITERS[form](graph).encode())


@pytest.mark.parametrize("form", ["graphml", "gml"])
def test_edges_without_a_direction_are_refused(form):
    with pytest.raises(EquipoiseError, match="undirected; give every edge a direction"):
        read_network(f"g.{form}", WRITERS[form](nx.Graph([("a", "b")])).encode())


def test_people_s_names_come_before_numbers():
    graph = nx.DiGraph([("n0", "n1")])
    nx.set_node_attributes(graph, {"n0": "smoke", "n1": "lung"}, "label")
    found = read_network("g.graphml", WRITERS["graphml"](graph).encode())
    assert found.edges == (("smoke", "lung"),)
    numbered = "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]"
    assert read_network("g.gml", numbered.encode()).edges == (("0", "1"),)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("g.graphml", "<graphml", "g.graphml is not GraphML"),
        ("g.graphml", "", "g.graphml"),
        ("g.graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "declares an entity"),
        ("g.graphml", "<svg xmlns='http://www.w3.org/2000/svg'/>", "not GraphML"),
        ("g.gml", "graph [ node [", "g.gml is not GML"),
        ("g.gml", "graph [ " * 5000, "g.gml is not GML"),
        ("g.gml", "hello", "g.gml is not GML"),
        ("g.adjlist", "# nothing", "names no node"),
        ("g.adjlist", "\n".join(map(str, range(2001))), "at most 2,000"),
        ("g.adjlist", "a " * 2_100_000, "may have 4,000,000"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(file, text, said):
    with pytest.raises(EquipoiseError, match=said):
        read_network(file, text.encode())


def test_every_ending_is_named_to_a_stranger():
    assert {".graphml", ".gml", ".adjlist"} <= set(EXTENSIONS)
    with pytest.raises(EquipoiseError, match=r"\.graphml, \.gml, \.adjlist"):
        read_network("g.dot", b"digraph {}")


def test_the_cycle_an_edge_would_close_is_the_shortest():
    network = sample("asia").network
    assert closed_by(network, "dysp", "smoke") == ("dysp", "smoke", "bronc", "dysp")
    assert closed_by(network, "smoke", "dysp") == ()
    assert closed_by(network, "asia", "asia") == ("asia", "asia")
    assert cycle_of(to_digraph(network)) == ()


def test_evidence_reaches_what_shares_an_ancestor_with_it():
    network = sample("alarm").network
    graph = to_digraph(network)
    for evidence in (["CVP"], ["HISTORY", "PRESS"], ["KINKEDTUBE"], list(network.names[:3])):
        above = set(evidence).union(*(nx.ancestors(graph, e) for e in evidence))
        reached = above.union(*(nx.descendants(graph, a) for a in above))
        assert untouched(network, evidence) == set(network.names) - reached
    assert untouched(network, []) == set()


def test_evidence_does_not_matter_behind_other_evidence():
    network = sample("asia").network
    assert isinstance(sample("asia"), Loaded)
    assert needless(network, ["xray"], ["either", "smoke"], ["either", "smoke"]) == ("smoke",)
    assert needless(network, ["xray"], ["smoke"], ["smoke"]) == ()
    assert needless(network, ["asia"], ["smoke"], ["smoke"]) == ("smoke",)
    assert needless(network, ["asia"], ["smoke", "either"], ["smoke", "either"]) == ()


def independent(table, targets, node, given):
    """Whether P(targets | given) is the same whatever the node is, in the whole joint."""
    asked, known = sorted(targets), sorted(given)
    rest = [axis for axis in range(table.ndim) if axis not in {*asked, *known, node}]
    kept = table.sum(axis=tuple(rest), keepdims=True)
    answers = kept / kept.sum(axis=tuple(asked), keepdims=True)
    return bool(np.allclose(answers, answers.take([0], axis=node), atol=1e-9))


@pytest.mark.parametrize("seed", range(8))
def test_what_does_not_matter_is_what_no_answer_depends_on(seed):
    rng = np.random.default_rng(seed)
    variables = tuple(Variable(f"v{i}", ("a", "b")) for i in range(5))
    names = [v.name for v in variables]
    above = [[names[j] for j in range(i) if rng.random() < 0.4] for i in range(5)]
    network = Network(variables, tuple(map(tuple, above)))
    table = joint(random_model(network, rng=rng))
    for asked, known in itertools.product(range(3), range(4)):
        order = rng.permutation(5).tolist()
        targets, given = order[: asked + 1], order[asked + 1 :][:known]
        others = [node for node in range(5) if node not in targets]
        expected = tuple(
            names[node] for node in others if independent(table, targets, node, set(given) - {node})
        )
        named = [[names[node] for node in nodes] for nodes in (targets, given, range(5))]
        assert needless(network, *named) == expected
