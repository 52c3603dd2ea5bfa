"""Black-box check: no event tells neighbouring data apart by more than ε (and δ) allow.

The audit itself is in ``release/audit/``; ``python cli.py audit --method all --epsilon 0.5,2`` runs
it in full. Here every method runs with fewer trials, and copies with planted bugs must be caught.
"""

import math

import numpy as np
import pytest
from scipy import stats

from core.gaussian_noise import gaussian_budget
from core.methods.method import packed_counts
from core.methods.plans import even_shares, paired_plan
from core.methods.procedure import draw_families
from core.methods.registry import METHODS
from core.notation import short
from core.options import Options
from core.privacy import Neighbours, leakage
from core.scenario import Scenario
from release.audit.auditing import SMALL, Ask, audit, auditing
from release.audit.claims import Claim, whole_claim
from release.audit.events import EVENTS, lower_bound, proven_epsilon
from release.audit.worst_cases import worst_cases

PRIVATE = [m for m in METHODS if METHODS[m].guarantee.private]
MEASURING = [m for m in PRIVATE if m != "cgm"]  # cgm measures as mrf-naive does
CONFIDENCE = 0.99
LOCKED = Options(floors=(("smoke", 0.7),), weights=(("lung", 3.0),), delta=1e-7)


def audited(method, epsilon, trials, bug="", neighbours=Neighbours.ADD_REMOVE, **more):
    """Audited with the δ that is proposed unless asked for."""
    scenario = Scenario(epsilon=epsilon, neighbours=neighbours, **more)
    return audit(Ask(method=method, scenario=scenario, trials=trials, bug=bug))


def epsilon_lower_bound(left, right, delta=0.0):
    """What half-lines of two samples prove, all together at 99 % confidence."""
    slip = (1 - CONFIDENCE) / (4 * EVENTS)
    return lower_bound(left, right, choosing=len(left) // 2, delta=delta, slip=slip)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", PRIVATE)
def test_no_event_breaks_a_claim_and_half_the_noise_would(method, neighbours):
    """Also where a record is replaced: there the number of records, and its budget, do not show."""
    trials = 10_000 if METHODS[method].guarantee.has_delta else 5_000
    found = audited(method, 1.0, trials, neighbours=neighbours)
    assert found.verdict == "none found"
    assert found.lower_bound <= found.tested.epsilon <= 1.0
    assert all(p.lower_bound <= p.claim.epsilon for shown in found.pairs for p in shown.tables)
    assert len(found.pairs) == 3 * len(SMALL)
    assert found.catches_half
    assert "half the noise" in found.sentence


@pytest.mark.slow
@pytest.mark.parametrize("method", ["uniform", "data-dependent-arxiv"])
def test_locks_and_weights_are_audited_as_proposed(method):
    plain = audited(method, 1.0, 1_000)
    locked = audited(method, 1.0, 1_000, options=LOCKED)
    assert locked.verdict == "none found"
    assert locked.about != plain.about
    tables = [{p.claim for s in a.pairs for p in s.tables} for a in (plain, locked)]
    assert tables[0] != tables[1]


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("bug", ["observed-cells", "probability-scale"])
@pytest.mark.parametrize("method", MEASURING)
def test_a_copy_with_a_forgotten_sensitivity_is_caught(method, bug, neighbours):
    assert audited(method, 0.5, 1_000, bug, neighbours).violated


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", ["uniform", "one-table", "data-dependent-icml"])
def test_a_copy_that_reuses_its_noise_is_caught(method, neighbours):
    """Two tables with the same noise: their difference is exact."""
    assert audited(method, 1.0, 1_000, "reused-noise", neighbours).lower_bound > 2


def test_where_runs_cannot_see_delta_the_same_noise_is_tested_at_another_and_says_so():
    few = audited("equipoise-zcdp", 1.0, 1_000)
    assert few.delta == 1e-6
    assert 0.01 < few.tested.delta < 0.1
    assert leakage(gaussian_budget(1.0, 1e-6).rho, few.tested.epsilon) == few.tested.delta
    for part in ("at δ = 10⁻⁶", f"tested at δ = {short(few.tested.delta)}", "cannot see δ = 10⁻⁶"):
        assert part in few.sentence
    seen = whole_claim("equipoise-zcdp", Scenario(epsilon=1.0), 500_000)
    assert seen == Claim(1.0, 1e-6)
    large = Scenario(epsilon=1.0, options=Options(delta=0.01))
    assert whole_claim("equipoise-zcdp", large, 10_000) == Claim(1.0, 0.01)


@pytest.mark.parametrize("epsilon", [1.0, 150.0, 400.0, 1e6])
def test_a_gaussian_claim_of_any_budget_has_one_that_runs_can_test(epsilon):
    tested = whole_claim("equipoise-zcdp", Scenario(epsilon=epsilon), 2_000)
    assert 0 <= tested.epsilon <= epsilon and 1e-6 <= tested.delta <= 1


def test_an_audit_without_power_says_so():
    found = audited("equipoise", 8.0, 400)
    assert found.catches_half is False
    assert "do not catch a copy with half the noise" in found.sentence


def test_exact_tables_fail_by_design_and_say_so():
    found = audited("exact", 2.0, 1_000)
    assert found.violated
    assert "fails by design" in found.sentence


@pytest.mark.slow
def test_the_audit_comes_close_to_what_one_histogram_spends():
    scenario = Scenario(epsilon=2.0)
    found = audit(Ask(method="equipoise", scenario=scenario, trials=40_000, power=False))
    assert 1.8 < found.lower_bound <= 2.0


def test_an_audit_reports_after_every_block_and_can_be_left():
    ask = Ask(method="uniform", scenario=Scenario(epsilon=1.0), trials=60_000)
    states = auditing(ask)
    first, second = next(states), next(states)
    assert (first.done, second.done) == (1, 2)
    assert first.total == 2 * 2 * 3 * 3 * len(SMALL)  # the copy with half the noise as well
    assert first.verdict == "unfinished"


def test_the_same_seed_proves_the_same():
    assert audited("one-table", 1.0, 2_000).pairs == audited("one-table", 1.0, 2_000).pairs


@pytest.mark.parametrize(("hits", "misses"), [(900, 300), (50, 1), (1000, 0), (3, 2), (0, 10)])
def test_the_bound_of_one_event_is_that_of_scipys_beta_quantiles(hits, misses):
    trials, slip, delta = 1000, 1e-4, 0.01
    low = stats.beta.ppf(slip, hits, trials - hits + 1) if hits else 0.0
    high = stats.beta.ppf(1 - slip, misses + 1, trials - misses)
    expected = max(0.0, math.log((low - delta) / high)) if low > delta else 0.0
    assert proven_epsilon(hits, misses, trials, delta, slip) == pytest.approx(expected, abs=1e-9)


def likelihood_ratios(scales, neighbours, centre, seed):
    """Log-likelihood ratio of both data sets for noisy tables drawn around one of them."""
    network = SMALL[1]
    pair = worst_cases(network, neighbours)[1]
    counts = [packed_counts(network, rows) for rows in (pair.left, pair.right)]
    rng = np.random.default_rng(seed)
    tables, parents, _ = draw_families(network, counts[centre], scales, replicates=100_000, rng=rng)
    found = 0.0
    layout = network.layout
    for noisy, owner, of in (
        (tables, layout.cell_owner, lambda c: c),
        (parents, layout.row_owner, layout.row_totals),
    ):
        gaps = np.abs(noisy - of(counts[0])) - np.abs(noisy - of(counts[1]))
        found = found + (gaps / scales[owner]).sum(axis=1)
    # idealised arithmetic: the last bits of a sum of doubles give the data away (Mironov 2012)
    return np.round(found, 9)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", Neighbours)
def test_the_paired_tables_themselves_cost_what_the_plan_says(neighbours):
    """The best test of all: likelihood ratios of the tables before anything is done to them."""
    plan = paired_plan(SMALL[1], 1.0, neighbours, even_shares(SMALL[1], 1.0))
    proven = []
    for noise in (1.0, 0.5):
        scales = noise * plan.scales[::2]
        both = [likelihood_ratios(scales, neighbours, centre, 3 + centre) for centre in (0, 1)]
        proven.append(epsilon_lower_bound(*both))
    assert proven[0] <= 1.0 < proven[1]


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_the_bound_is_close_to_what_one_laplace_table_allows(epsilon):
    rng = np.random.default_rng(5)
    left, right = (rng.laplace(centre, 1 / epsilon, 200_000) for centre in (3, 4))
    assert 0.9 * epsilon < epsilon_lower_bound(left, right) <= epsilon


@pytest.mark.slow
def test_a_true_claim_is_broken_no_more_often_than_the_confidence_says():
    """Randomised response spends all of ε in one event: nothing is harder to clear."""
    rng, chance, broken = np.random.default_rng(8), 1 / (1 + math.exp(-1.0)), 0
    for _ in range(300):
        left, right = (rng.random(400) < p for p in (chance, 1 - chance))
        slip = 0.2 / 4  # two bounds, two directions, one event
        found = lower_bound(
            left.astype(float), right.astype(float), choosing=200, delta=0.0, slip=slip
        )
        broken += found > 1.0
    assert broken <= 300 * 0.2 + 3 * math.sqrt(300 * 0.2 * 0.8)
    assert broken > 0  # and the bound is not vacuous
