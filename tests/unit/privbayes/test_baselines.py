import itertools
import math

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.privbayes.baselines import BASELINES, majority
from core.privbayes.comparison import Plan, compare, methods_for
from core.privbayes.distances import distance, distributions, marginals_of
from core.privbayes.encoding import encoding
from core.privbayes.multiplicative import Wanted
from core.privbayes.settings import Settings
from core.table import Variable
from tests.wholes import distances

VARIABLES = tuple(Variable(name, ("0", "1")) for name in "abcde")


def binary_rows(records=4000):
    rng = np.random.default_rng(0)
    first = rng.random((records, 1)) < 0.3
    return Rows(Dataset(VARIABLES, (first ^ (rng.random((records, 5)) < 0.2)).astype(int)))


ROWS = binary_rows()


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("neighbours", Neighbours)
def test_every_baseline_gives_distributions(name, neighbours):
    marginals = marginals_of(VARIABLES, 2)
    found = BASELINES[name].run(
        Wanted(ROWS, VARIABLES, marginals, 0.5, neighbours), rng=np.random.default_rng(1)
    )
    assert len(found) == 10
    for table in found:
        assert table.shape == (4,)
        assert table.min() >= 0
        assert table.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["laplace", "fourier", "contingency", "independent"])
def test_a_large_budget_gives_the_truth_or_its_product(name):
    marginals = marginals_of(VARIABLES, 3)
    found = BASELINES[name].run(
        Wanted(ROWS, VARIABLES, marginals, math.inf, Neighbours.REPLACE),
        rng=np.random.default_rng(1),
    )
    exact = list(distributions(ROWS, marginals))
    if name == "independent":
        single = {
            v: p
            for (v,), p in zip(
                [(v,) for v in VARIABLES],
                distributions(ROWS, [(v,) for v in VARIABLES]),
                strict=True,
            )
        }
        exact = [
            np.array(
                [
                    math.prod(single[v][s] for v, s in zip(m, states, strict=True))
                    for states in itertools.product((0, 1), repeat=3)
                ]
            )
            for m in marginals
        ]
    for p, q in zip(exact, found, strict=True):
        np.testing.assert_allclose(p, q, atol=1e-12)


def test_mwem_comes_closer_with_a_larger_budget():
    marginals = marginals_of(VARIABLES, 2)
    exact = list(distributions(ROWS, marginals))
    errors = []
    for epsilon in (0.01, 20.0):
        found = BASELINES["mwem"].run(
            Wanted(ROWS, VARIABLES, marginals, epsilon, Neighbours.ADD_REMOVE),
            rng=np.random.default_rng(0),
        )
        errors.append(np.mean([distance(p, q) for p, q in zip(exact, found, strict=True)]))
    assert errors[1] < 0.05 < errors[0]


def test_fourier_adds_noise_once_to_each_coefficient():
    """Marginals that overlap agree on what they share, before negative cells are cut."""
    marginals = marginals_of(VARIABLES, 2)
    found = BASELINES["fourier"].run(
        Wanted(ROWS, VARIABLES, marginals, 5.0, Neighbours.REPLACE), rng=np.random.default_rng(0)
    )
    shares = [
        table.reshape(2, 2).sum(axis=1 - m.index(VARIABLES[0]))[1]
        for m, table in zip(marginals, found, strict=True)
        if VARIABLES[0] in m
    ]
    assert np.ptp(shares) < 1e-9


def test_majority_predicts_the_frequent_state():
    (table,) = ROWS.counts([(VARIABLES[0],)])
    found = majority(
        ROWS,
        VARIABLES[0],
        epsilon=1.0,
        neighbours=Neighbours.REPLACE,
        rng=np.random.default_rng(0),
    )
    assert found == int(np.argmax(table.values))


def test_what_cannot_be_used_says_why():
    three = (*VARIABLES, Variable("f", ("x", "y", "z")))
    assert "two states" in BASELINES["fourier"].unfit(three)
    wide = tuple(Variable(f"x{i}", ("0", "1")) for i in range(30))
    assert "joint table of at most" in BASELINES["contingency"].unfit(wide)
    rows = Rows(Dataset(three, np.zeros((3, 6), dtype=int)))
    assert "fourier" not in methods_for(rows)


def test_distance_is_half_the_sum_of_differences():
    assert distance(np.array([0.5, 0.5]), np.array([0.8, 0.2])) == pytest.approx(0.3)
    assert distances(ROWS, ROWS, marginals_of(VARIABLES, 3)).tolist() == [0.0] * 10


def test_many_marginals_are_sampled_the_same_way_each_time():
    wide = tuple(Variable(f"x{i}", ("0", "1")) for i in range(40))
    first, again = marginals_of(wide, 3), marginals_of(wide, 3)
    assert first == again
    assert len(set(first)) == len(first) == 2000


def test_a_comparison_can_be_stopped_and_keeps_its_draws():
    how = encoding("vanilla", VARIABLES)
    plan = Plan(
        methods=("privbayes-plus", "uniform"), epsilons=(0.5, 1.0), ways=(2, 3), repetitions=2
    )
    whole = list(compare(ROWS, how, Settings(), plan))
    assert [(m.method, m.epsilon) for m in whole] == [
        ("privbayes-plus", 0.5),
        ("privbayes-plus", 1.0),
        ("uniform", 0.5),
        ("uniform", 1.0),
    ]
    assert whole[0].values.shape == (2, 2)
    part = list(itertools.islice(compare(ROWS, how, Settings(), plan), 2))
    np.testing.assert_array_equal(part[1].values, whole[1].values)
    with pytest.raises(EquipoiseError, match="no method 'magic' to compare"):
        Plan(methods=("magic",), epsilons=(1.0,))


def test_an_exact_phase_is_not_worse():
    how = encoding("vanilla", VARIABLES)
    plan = Plan(
        methods=("privbayes-plus", "best network", "best marginals"),
        epsilons=(0.1,),
        repetitions=12,
    )
    own, network, tables = (m.values.mean() for m in compare(ROWS, how, Settings(), plan))
    assert tables < own
    assert network < 1.2 * own
