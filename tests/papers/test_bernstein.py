"""Bernstein et al. 2017: KL from the truth of third-order chains, 10 variables of 5 states.

Expected figures come from an independent implementation of the paper, five populations and two
noise draws each. Two of its figures do not come out: the naive estimator with λ = 1e-4 where noise
dominates (178 and 186; ours, solved to the end, 104 to 134 over four models), and DP-SGD at
ε = 1 and 10^5 records (0.0925; ours, with momentum, 0.013).
"""

import functools
import time
from dataclasses import replace

import numpy as np
import pytest

from core.markov.likelihood import divergence
from core.undirected.estimators import estimate
from core.undirected.sample import Setting, draw, synthetic
from core.undirected.study import measure
from core.undirected.views import step_divergences
from sources.accounting import noise_multiplier

CASES = ((0.1, 10_000), (1.0, 1000), (1.0, 10_000), (1.0, 100_000))
EXPECTED = {
    "naive": (2.12, 2.04, 0.241, 0.0129),
    "gaussian": (0.885, 0.94, 0.112, 0.0074),
    "non-private": (0.022, 0.22, 0.022, 0.0022),
    "dp-sgd": (0.97, 0.99, 0.136, None),
}
FIFTY = (4.13, 2.91, 0.275, 0.0141)
BEST = (1.72, 1.62, 0.244, 0.0135)
STEPS = (200, 50, 50, 60)
"""EM from zero moves by 1/b in each step: at ε = 0.1 the best stop comes late."""

TRUTH = synthetic("chain", 10, 5, seed=0)


def sample(case, **knobs):
    epsilon, records = CASES[case]
    if records > 10_000:  # they vary less
        knobs = {"populations": 4, "repeats": 1, **knobs}
    return draw(TRUTH, Setting(epsilon=epsilon, records=records, **knobs))


@functools.cache
def away(name, case):
    return measure(name, sample(case), noise_multiplier).divergence.mean()


def close(found, expected):
    return expected / 1.3 <= found <= expected * 1.3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "case"), [(n, c) for n in EXPECTED for c in range(4) if EXPECTED[n][c] is not None]
)
def test_estimators_are_as_far_from_the_truth_as_expected(name, case):
    assert close(away(name, case), EXPECTED[name][case]), away(name, case)


@pytest.mark.slow
@pytest.mark.parametrize("case", range(4))
def test_em_from_zero_after_fifty_steps_and_at_its_best(case):
    path = [k.mean() for k in step_divergences(sample(case), STEPS[case], start=np.zeros(1))]
    assert close(path[50], FIFTY[case]), path[50]
    assert close(min(path), BEST[case]), min(path)


@pytest.mark.slow
def test_a_weak_penalty_makes_a_straw_man():
    weak = [
        measure("naive", sample(case, strength=1e-4, populations=3)).divergence.mean()
        for case in (1, 2)
    ]
    assert weak[0] > 50 * EXPECTED["naive"][1]
    assert close(weak[1], 0.73), weak[1]


@pytest.mark.slow
def test_dp_sgd_with_a_generous_delta_beats_pure_privacy_only_where_noise_dominates():
    two = sample(3, populations=2)
    many_records = measure("dp-sgd", two, noise_multiplier).divergence.mean()
    assert many_records < 0.0925 / 1.3
    assert away("dp-sgd", 1) < 0.7 * away("cgm", 1)
    assert away("cgm", 3) < many_records


@pytest.mark.slow
def test_a_chain_of_ten_states_takes_cgm_at_most_three_times_the_naive_time():
    truth = synthetic("chain", 10, 10, seed=0)
    one = draw(truth, Setting(epsilon=1.0, records=10_000, populations=2, repeats=1))
    estimate("naive", replace(one, setting=replace(one.setting, strength=1.0)))  # warm
    times = {}
    for name in ("naive", "cgm"):
        began = time.perf_counter()
        theta = estimate(name, one).theta
        times[name] = time.perf_counter() - began
        assert np.isfinite(divergence(truth.field, truth.theta, theta)).all()
    assert times["cgm"] <= 3 * times["naive"], times


@pytest.mark.slow
def test_cgm_gains_little_over_a_well_regularised_naive_estimator():
    """Against the paper's every setting: from naive, three steps, within a few percent."""
    for case in range(4):
        assert 0.75 * away("naive", case) < away("cgm", case) < 1.05 * away("naive", case)
    assert away("cgm", 3) < away("naive", 3)
