"""Structure learning of appendix I against a search that rescores everything."""

import itertools

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.inference.sampling import sample as draw
from core.membership.structure import correlations, edge_prices, learn
from core.study.metrics import Truth
from core.table import Variable
from sources.networks import sample
from sources.study import sampled_study


def records_of(name, size):
    model = sample(name).model
    return model.network, draw(model, size, rng=np.random.default_rng(0))


def score(related, child, parents):
    """Eq. 35 of the paper, written out."""
    if not parents:
        return 0.0
    among = sum(related[j, k] for j in parents for k in parents if j != k)
    return sum(related[child, j] for j in parents) / np.sqrt(len(parents) + among)


@pytest.mark.parametrize("parents", [0, 1, 2, 3])
def test_learning_equals_a_search_that_rescores_everything(parents):
    network, people = records_of("sachs", 400)
    counts, variables = Rows(people), network.variables
    related = correlations(variables, counts)
    chosen = {i: [] for i in range(len(variables))}

    def above(node):
        return {node}.union(*(above(j) for j in chosen[node])) if chosen[node] else {node}

    while True:
        gains = {
            (i, j): round(score(related, i, [*chosen[i], j]) - score(related, i, chosen[i]), 12)
            for i, j in itertools.permutations(range(len(variables)), 2)
            if len(chosen[i]) < parents and j not in chosen[i] and i not in above(j)
        }
        if not gains or max(gains.values()) <= 0:
            break
        child, parent = max(gains, key=gains.get)
        chosen[child].append(parent)
    slow = tuple(tuple(variables[j].name for j in chosen[i]) for i in chosen)
    assert learn(variables, counts, parents).parents == slow


def entropy(shares):
    return -sum(p * np.log(p) for p in np.ravel(shares) if p > 0)


@pytest.mark.parametrize("sizes", [(2,) * 15, (3, 70, 2, 1, 5, 66, 4), (2,)])
def test_correlations_are_those_of_each_pair_counted_by_itself(sizes):
    variables = tuple(
        Variable(f"v{i}", tuple(map(str, range(size)))) for i, size in enumerate(sizes)
    )
    drawn = np.random.default_rng(1).integers(0, sizes, size=(500, len(sizes)))
    drawn[:, -1] = drawn[:, 0] % sizes[-1]
    rows = Rows(Dataset(variables, drawn.astype(np.uint8)))
    related = correlations(variables, rows)
    for i, j in itertools.permutations(range(len(sizes)), 2):
        (table,) = rows.counts([(variables[i], variables[j])])
        both = table.values / rows.records
        apart = entropy(both.sum(axis=0)) + entropy(both.sum(axis=1))
        told = 2 - 2 * entropy(both) / apart if apart else 0.0
        assert related[i, j] == pytest.approx(max(told, 0.0), abs=1e-12)
    assert (related.diagonal() == 0).all()


def test_correlation_is_one_for_copies_and_near_zero_for_strangers():
    network, people = records_of("asia", 3000)
    related = correlations(network.variables, Rows(people))
    either, lung, asia = (network.index(n) for n in ("either", "lung", "asia"))
    assert related[either, lung] > 0.5
    assert related[asia, lung] < 0.01
    assert (related == related.T).all()


def test_learning_alarm_gives_the_expected_size():
    study = sampled_study("alarm", None, records=10_000, seed=0)
    sizes = [learn(study.network.variables, study.counts, eta).complexity for eta in range(4)]
    assert sizes[0] == 68
    assert sizes == sorted(sizes)
    assert 520 < sizes[3] < 650  # the unordered reading of the score gives about 970


def test_an_edge_costs_what_refitting_loses():
    network, people = records_of("asia", 500)
    counts = Rows(people)

    def fit_of(graph):
        truth = Truth.of(graph, counts)
        logs = np.log(np.where(truth.counts > 0, truth.model.values, 1.0))
        return float((truth.counts * logs).sum())

    prices = edge_prices(network, counts)
    assert [p.bargain for p in prices] == sorted((p.bargain for p in prices), reverse=True)
    for price in prices:
        without = network.without_edge(price.parent, price.child)
        assert price.loses == pytest.approx(fit_of(network) - fit_of(without), abs=1e-6)
        assert price.saves == network.complexity - without.complexity
