"""The published bound, its inverses and its parts; Gaussian privacy of appendix H."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.errors import EquipoiseError
from core.membership import bound, gaussian, normal
from core.membership.bound import (
    PublishedBound,
    complexity_for_auc,
    guaranteed_power,
    records_for_auc,
    records_for_power,
)
from core.membership.curves import right_accusations
from core.privacy import Neighbours
from sources.networks import sample, sample_names

TABLE_TWO = [
    (446, 3000, 0.6074), (789, 3000, 0.6415), (1222, 3000, 0.6741), (1905, 3000, 0.7134),
    (600, 3000, 0.6241), (1096, 3000, 0.6654), (1942, 3000, 0.7153), (3431, 3000, 0.7752),
    (1000, 1000, 0.7602), (1729, 1000, 0.8237), (2706, 1000, 0.8776), (4323, 1000, 0.9292),
]  # fmt: skip


@pytest.mark.parametrize(("complexity", "records", "auc"), TABLE_TWO)
def test_table_two_of_the_paper(complexity, records, auc):
    assert PublishedBound(complexity, records).auc == pytest.approx(auc, abs=1e-4 + 5e-5)


def test_twelve_rows_round_to_the_printed_digit_or_one_above():
    ours = [round(PublishedBound(c, n).auc, 4) for c, n, _ in TABLE_TWO]
    gaps = [round(o - printed, 4) for o, (_, _, printed) in zip(ours, TABLE_TWO, strict=True)]
    assert max(map(abs, gaps)) <= 1e-4
    assert gaps.count(0.0) == 9


@given(st.integers(1, 10**5), st.floats(0.501, 0.999))
def test_records_for_auc_is_the_first_number_that_suffices(complexity, auc):
    records = records_for_auc(complexity, auc)
    assert PublishedBound(complexity, records).auc <= auc + 1e-9
    if records > 2:
        assert PublishedBound(complexity, records - 1).auc > auc - 1e-9


@given(st.integers(1, 10**5), st.floats(0.001, 0.4), st.floats(0.02, 0.5))
def test_records_for_power_is_the_first_number_that_suffices(complexity, alpha, more):
    power = min(alpha + more, 0.99)
    records = records_for_power(complexity, alpha, power)
    assert PublishedBound(complexity, records).power(alpha) <= power + 1e-9
    if records > 2:
        assert PublishedBound(complexity, records - 1).power(alpha) > power - 1e-9


@given(st.integers(2, 10**6), st.floats(0.51, 0.99))
def test_largest_complexity_is_the_last_that_fits(records, auc):
    most = complexity_for_auc(records, auc)
    if most >= 1:
        assert PublishedBound(most, records).auc <= auc + 1e-9
    assert PublishedBound(most + 1, records).auc > auc - 1e-9


def test_a_finite_reference_weakens_the_attacker_as_stated():
    known = PublishedBound(509, 20_000)
    limited = PublishedBound(509, 10_000, reference=10_000)
    assert limited.mu == pytest.approx(known.mu)
    assert PublishedBound(509, 10_000, reference=10**12).mu == pytest.approx(
        PublishedBound(509, 10_000).mu
    )


def test_the_threshold_gives_its_false_alarms():
    bound = PublishedBound(509, 1000)
    scores = stats.norm(bound.mu**2 / 2, bound.mu)  # L under the null hypothesis, Theorem 1
    for alpha in (0.001, 0.05, 0.5):
        assert scores.cdf(bound.threshold(alpha)) == pytest.approx(alpha, abs=1e-9)


@pytest.mark.parametrize("name", sample_names())
def test_edges_and_attributes_move_the_complexity_as_stated(name):
    network = sample(name).network
    assert sum(bound.node_shares(network)) == pytest.approx(1)
    for edge in bound.removal_savings(network):
        without = network.without_edge(edge.parent, edge.child)
        assert network.complexity - without.complexity == edge.saves
        # added again, c_i (r_j - 1) come back
        child, states = without.index(edge.child), network.variables[network.index(edge.parent)]
        assert without.complexities[child] * (states.cardinality - 1) == edge.saves


def test_dropping_an_attribute_counts_its_children():
    network = sample("asia").network
    either = network.variables[network.index("either")]
    kept = [i for i, v in enumerate(network.variables) if v != either]
    rest = type(network)(
        tuple(network.variables[i] for i in kept),
        tuple(tuple(p for p in network.parents[i] if p != "either") for i in kept),
    )
    saved = bound.attribute_saving(network, "either")
    assert saved == network.complexity - rest.complexity


def test_delta_is_the_hockey_stick_of_two_normals():
    for epsilon, mu in ((0.5, 1.0), (2.0, 1.5), (0.0, 0.3)):
        x = np.linspace(-12, 14, 400_001)
        gap = stats.norm.pdf(x, mu) - math.exp(epsilon) * stats.norm.pdf(x)
        area = np.trapezoid(np.maximum(gap, 0), x)
        assert gaussian.delta_of(epsilon, mu) == pytest.approx(area, abs=1e-7)


@given(st.floats(0.05, 8), st.floats(0.001, 0.999))
def test_the_gaussian_reading_of_pure_privacy_is_never_tighter(epsilon, alpha):
    mu = gaussian.mu_of_pure(epsilon)
    gaussian_power = float(normal.cumulative(mu + normal.quantile(alpha)))
    assert gaussian_power >= guaranteed_power(alpha, epsilon, Neighbours.REPLACE) - 1e-9


def test_arrays_of_the_normal_equal_scipy():
    x = np.linspace(-30, 8, 200)
    assert np.allclose(normal.cumulative(x), stats.norm.cdf(x), rtol=1e-11, atol=0)
    assert np.allclose(normal.quantile([0.001, 0.5, 0.9]), stats.norm.ppf([0.001, 0.5, 0.9]))


def test_accusations_follow_bayes():
    # 1 in 100 suspects is a member; 10 % of members and 1 % of others are accused
    assert right_accusations(0.01, 0.01, 0.1) == pytest.approx(0.001 / (0.001 + 0.0099))
    assert right_accusations(0.3, 0.05, 0.05) == pytest.approx(0.3)  # guessing learns nothing
    assert right_accusations(0.3, 0.0, 0.0) == 0.3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: records_for_auc(10, 0.5), "AUC is 0.5"),
        (lambda: records_for_auc(10, 1.0), "AUC is 1"),
        (lambda: records_for_power(10, 0.1, 0.05), "share of members found is 0.05"),
        (lambda: records_for_power(10, 0, 0.05), "false-alarm rate is 0"),
        (lambda: complexity_for_auc(1, 0.6), "records is 1"),
        (lambda: PublishedBound(5, 100, reference=0), "reference population has 0"),
        (lambda: gaussian.delta_of(1.0, -1.0), "mu is -1"),
    ],
)
def test_refusals_name_the_thing(call, words):
    with pytest.raises(EquipoiseError, match=words):
        call()
