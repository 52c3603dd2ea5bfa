"""Exact inference: by hand, at the edges, and what is refused."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.inference.queries import (
    Query,
    answer,
    evidence_probability,
    marginals,
    most_probable,
    network_tree,
    query,
    question_tree,
    treewidth,
)
from core.network import Network
from core.parameters import Model
from core.table import Variable
from sources import networks
from tests.strategies import random_model


def binary(*names):
    return tuple(Variable(name, ("no", "yes")) for name in names)


def wire(variables, **parents):
    """A network from variables and, by keyword, the parents of some of them."""
    return Network(variables, tuple(tuple(parents.get(v.name, ())) for v in variables))


RAIN = wire(binary("rain", "sprinkler", "wet"), wet=("rain", "sprinkler"))
WET = Model.from_conditionals(
    RAIN,
    [
        np.array([0.8, 0.2]),
        np.array([0.5, 0.5]),
        np.array([[[1.0, 0.0], [0.2, 0.8]], [[0.1, 0.9], [0.0, 1.0]]]),
    ],
)


def test_marginals_by_hand():
    wet = 0.8 * 0.5 * 0.8 + 0.2 * 0.5 * 0.9 + 0.2 * 0.5 * 1.0
    found = marginals(WET)
    np.testing.assert_allclose(found[0], [0.8, 0.2])
    np.testing.assert_allclose(found[2], [1 - wet, wet])


def test_explaining_away_by_hand():
    wet = 0.51
    np.testing.assert_allclose(query(WET, ["rain"], {"wet": "yes"}).values[1], 0.19 / wet)
    both = query(WET, ["rain"], {"wet": "yes", "sprinkler": "yes"}).values[1]
    np.testing.assert_allclose(both, 0.1 / (0.1 + 0.32))


def test_targets_come_in_the_order_asked():
    one = query(WET, ["wet", "rain"])
    other = query(WET, ["rain", "wet"])
    assert one.names == ("wet", "rain")
    np.testing.assert_allclose(one.values, other.values.T)


def test_evidence_lists_add_an_axis():
    found = query(WET, ["rain"], {"wet": ["no", "yes", "yes"], "sprinkler": "yes"})
    assert found.values.shape == (3, 2)
    np.testing.assert_allclose(found.values[1], found.values[2])
    assert evidence_probability(WET, {"wet": ["no", "yes"]}).tolist() == pytest.approx([0.49, 0.51])


def test_no_evidence_in_a_list_gives_no_answers():
    assert query(WET, ["rain"], {"wet": []}).values.shape == (0, 2)


def test_most_probable_by_hand():
    codes, log_probability = most_probable(WET, {"wet": "yes"})
    assert codes.tolist() == [0, 1, 1]
    assert math.exp(log_probability) == pytest.approx(0.8 * 0.5 * 0.8)


def test_most_probable_for_a_list_of_evidence():
    codes, log_probability = most_probable(WET, {"wet": ["yes", "no"]})
    assert codes.tolist() == [[0, 1, 1], [0, 0, 0]]
    assert np.exp(log_probability).tolist() == pytest.approx([0.32, 0.4])


def test_results_of_query_are_read_only():
    assert not query(WET, ["rain"]).values.flags.writeable


@pytest.mark.parametrize(
    ("targets", "given", "message"),
    [
        (["snow"], {}, "no variable 'snow'"),
        (["rain"], {"snow": "yes"}, "no variable 'snow'"),
        (["rain"], {"wet": "maybe"}, "'wet' has no state 'maybe'"),
        (["rain", "rain"], {}, "'rain' is named twice"),
        (["rain"], {"rain": "yes"}, "'rain' is both a target and given"),
        (["rain"], {"wet": ["yes"], "sprinkler": ["no", "no"]}, "lists of equal length"),
        (["sprinkler"], {"rain": "yes", "wet": ["no", "no"], "snow": "x"}, "no variable 'snow'"),
    ],
)
def test_bad_questions_are_refused(targets, given, message):
    with pytest.raises(EquipoiseError, match=message):
        query(WET, targets, given)


@pytest.mark.parametrize("given", [{"snow": "yes"}, {"wet": "maybe"}, {"rain": "yes"}])
def test_bad_questions_are_refused_among_many(given):
    with pytest.raises(EquipoiseError):
        answer(WET, [Query(("wet",)), Query(("rain",), given)])


IMPOSSIBLE = {"rain": "yes", "sprinkler": "yes", "wet": "no"}
SENTENCE = "evidence rain=yes, sprinkler=yes, wet=no has probability 0"


def test_impossible_evidence_is_refused_by_a_single_model():
    with pytest.raises(EquipoiseError, match=SENTENCE):
        query(WET, [], IMPOSSIBLE)
    with pytest.raises(EquipoiseError, match=SENTENCE):
        answer(WET, [Query((), IMPOSSIBLE)])
    with pytest.raises(EquipoiseError, match=SENTENCE):
        most_probable(WET, IMPOSSIBLE)
    assert evidence_probability(WET, IMPOSSIBLE) == 0


def test_impossible_evidence_in_some_replicates_answers_uniform_there():
    certain = WET.values.copy()
    certain[RAIN.layout.slices[0]] = [1.0, 0.0]
    many = Model(RAIN, np.stack([WET.values, certain]))
    given = {"rain": "yes"}
    assert evidence_probability(many, given).tolist() == pytest.approx([0.2, 0.0])
    for found in (query(many, ["wet"], given).values, answer(many, [Query(("wet",), given)])[0]):
        np.testing.assert_allclose(found, [[0.05, 0.95], [0.5, 0.5]])
    codes, log_probability = most_probable(many, given)
    assert codes[0].tolist() == [1, 1, 1]
    assert log_probability[1] == -np.inf


def test_treewidth():
    names = [f"v{i}" for i in range(9)]
    alone = wire(binary(*names))
    chain = wire(binary(*names), **{b: (a,) for a, b in itertools.pairwise(names)})
    complete = wire(binary(*names), **{b: tuple(names[:i]) for i, b in enumerate(names)})
    cells = [(i, j) for i in range(3) for j in range(3)]
    grid = {
        names[3 * i + j]: [names[3 * (i - 1) + j]] * (i > 0) + [names[3 * i + j - 1]] * (j > 0)
        for i, j in cells
    }
    assert [treewidth(n) for n in (alone, chain, complete)] == [0, 1, 8]
    assert treewidth(wire(binary(*names), **grid)) == 3
    known = {"asia": 2, "sachs": 3, "child": 3, "alarm": 4}
    assert {name: treewidth(networks.sample(name).network) for name in known} == known


def test_trees_are_compiled_once():
    model = networks.sample("asia").model
    marginals(model)
    query(model, ["lung"], {"xray": "yes"})
    before = network_tree.cache_info().misses, question_tree.cache_info().misses
    marginals(networks.sample("asia").model)
    query(model, ["lung"], {"xray": "no"})
    assert (network_tree.cache_info().misses, question_tree.cache_info().misses) == before


def test_the_same_network_always_gives_the_same_tree():
    network = networks.sample("alarm").network
    trees = []
    for _ in range(2):
        network_tree.cache_clear()
        trees.append(network_tree(network).cliques)
    assert trees[0] == trees[1]


def naive_bayes(children, *, rng):
    names = [f"x{i}" for i in range(children)]
    network = wire(binary("class", *names), **{name: ("class",) for name in names})
    return random_model(network, rng=rng), names


def test_much_evidence_does_not_underflow():
    """1,500 observed children: the joint probability is far below the smallest float."""
    model, names = naive_bayes(1_500, rng=np.random.default_rng(0))
    given = dict.fromkeys(names, "yes")
    logs = np.log(model.conditional(0).values)
    for node in range(1, len(names) + 1):
        logs = logs + np.log(model.conditional(node).values[:, 1])
    assert logs.max() < -800
    expected = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
    np.testing.assert_allclose(query(model, ["class"], given).values, expected, rtol=1e-9)
    found = answer(model, [Query(("class",), given)])[0]
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    codes, log_probability = most_probable(model, given)
    assert codes[0] == np.argmax(logs)
    assert log_probability == pytest.approx(logs.max(), rel=1e-12)


def test_a_chain_of_two_thousand_variables_answers():
    names = [f"v{i}" for i in range(2_000)]
    network = wire(binary(*names), **{b: (a,) for a, b in itertools.pairwise(names)})
    model = random_model(network, rng=np.random.default_rng(1))
    belief = model.conditional(0).values
    for node in range(1, 2_000):
        belief = belief @ model.conditional(node).values
    np.testing.assert_allclose(marginals(model)[-1], belief, rtol=1e-9)
    codes, log_probability = most_probable(model)
    steps = [math.log(model.conditional(0).values[codes[0]])]
    for node in range(1, 2_000):
        steps.append(math.log(model.conditional(node).values[codes[node - 1], codes[node]]))
    assert log_probability == pytest.approx(math.fsum(steps), rel=1e-9)


def tangled(size, parents, *, rng):
    """A random graph with a junction tree far beyond any memory."""
    names = [f"v{i}" for i in range(size)]
    above = {
        name: tuple(names[j] for j in rng.choice(i, min(i, parents), replace=False))
        for i, name in enumerate(names)
    }
    return wire(binary(*names), **above)


def test_too_large_a_tree_is_refused_before_memory_grows():
    network = tangled(400, 3, rng=np.random.default_rng(2))
    model = random_model(network, rng=np.random.default_rng(3))
    assert treewidth(network) > 22
    tracemalloc.start()
    with pytest.raises(EquipoiseError, match=r"needs a table over v\d+, .* at most 4,194,304"):
        marginals(model)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 * 2**20


def test_a_question_about_a_small_part_of_a_large_network_is_answered():
    network = tangled(400, 3, rng=np.random.default_rng(2))
    model = random_model(network, rng=np.random.default_rng(3))
    small = Network(network.variables[:8], network.parents[:8])  # ancestors come first
    part = Model.from_conditionals(small, [model.conditional(i).values for i in range(8)])
    question = Query(("v7",), {"v3": "yes"})
    expected = query(part, question.targets, question.given).values
    np.testing.assert_allclose(answer(model, [question])[0], expected, rtol=1e-9)


def test_many_large_cliques_are_refused_together():
    """Each of twelve cliques of four loops is allowed, and all tables; all cliques are not."""
    above = ([], [0], [1], [2], [3, 0])
    variables = tuple(
        Variable(f"c{i}_{j}", tuple(map(str, range(128)))) for i in range(4) for j in range(5)
    )
    parents = {f"c{i}_{j}": [f"c{i}_{k}" for k in above[j]] for i in range(4) for j in range(5)}
    with pytest.raises(EquipoiseError, match="25,165,824 cells in all"):
        network_tree(wire(variables, **parents))
