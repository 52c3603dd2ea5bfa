"""Sum-product terms side by side, and the questions that errors are measured on."""

import numpy as np
import pytest

from core.inference.queries import query
from core.network import Network
from core.parameters import Model
from core.privbayes.encoding import encoding
from core.privbayes.structure import Pair, Structure
from core.reproduce.chowdhury_bounds import sum_products
from core.reproduce.error_study import CONDITIONAL, MARGINAL, MOST_CELLS, random_queries
from core.reproduce.privbayes_searches import sum_of_information
from core.reproduce.sampled import SURVEYS, survey
from core.table import Variable, cells
from sources.networks import sample

A, B, C = (Variable(n, ("0", "1", "2")) for n in "abc")


def models(network, seed=0, replicates=4):
    rng = np.random.default_rng(seed)
    shapes = network.layout.shapes
    exact = [rng.dirichlet(np.ones(s[-1]), size=s[:-1]) for s in shapes]
    noisy = [rng.dirichlet(np.ones(s[-1]), size=(replicates, *s[:-1])) for s in shapes]
    return Model.from_conditionals(network, exact), Model.from_conditionals(network, noisy)


def test_one_edge_is_one_term_whose_error_is_that_of_the_answer():
    exact, private = models(Network((A, B), ((), ("a",))))
    (term,) = sum_products(exact, private, ("b",))
    told = np.abs(query(private, ["b"]).values - query(exact, ["b"]).values).sum(axis=1)
    np.testing.assert_allclose(term.error, told, atol=1e-12)
    assert term.factors == 2
    assert term.smallest == pytest.approx(exact.values.min())
    np.testing.assert_allclose(term.most, np.abs(private.values - exact.values).max(axis=1))


def test_evidence_leaves_the_terms():
    exact, private = models(Network((A, B, C), ((), ("a",), ("b",))))
    assert len(sum_products(exact, private)) == 2
    assert len(sum_products(exact, private, ("c",), {"b": "1"})) == 1  # a alone is summed out


@pytest.mark.parametrize("kind", [MARGINAL, CONDITIONAL])
def test_random_questions_keep_their_limits(kind):
    model = sample("child").model
    asked = random_queries(model, kind, 10, 10, rng=np.random.default_rng(0))
    assert len(asked) == 10
    for one in asked:
        variables = [model.network.variables[model.network.index(n)] for n in one.targets]
        assert cells(variables) <= MOST_CELLS
        assert not set(one.targets) & set(one.given)
        assert bool(one.given) is (kind == CONDITIONAL)


def test_information_of_a_structure_is_that_of_its_pairs():
    rows = survey(*SURVEYS["survey16"])
    variables = rows.dataset.variables[:2]
    attributes = encoding("vanilla", variables).attributes
    pairs = (Pair(0, (), 0.0, 0.0, 1.0, 1), Pair(1, ((0, 0),), 0.0, 0.0, 1.0, 1))
    (table,) = rows.counts([variables])
    shares = table.values / rows.records
    apart = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    told = float((shares * np.log2(shares / apart)).sum())
    assert sum_of_information(Structure(attributes, pairs), rows) == pytest.approx(told, abs=1e-12)
