"""The audit through the meter and the exact sampler, in its process: what a release really draws.

Few runs, because each is metered and drawn by itself; the ε are such that they suffice, as copies
with planted bugs show. Those draw from a seed, in the worker's place; the worker draws from fresh
entropy, and a true claim is broken with probability 1e-6.
"""

import numpy as np
import pytest

from core.noise import discrete_gaussian, discrete_laplace
from core.privacy import Neighbours
from core.scenario import Scenario
from release.audit import SMALL, Ask, audit
from release.process import Worker
from release.published import LAPLACE

ONE, TWO = SMALL
SURE = 1 - 1e-6
CASES = [
    ("uniform", 6.0, TWO),
    ("equipoise", 1.5, TWO),
    ("equipoise-zcdp", 12.0, TWO),
    ("data-dependent-icml", 4.0, ONE),
]
RUNS = 600


@pytest.fixture(scope="module")
def worker():
    with Worker(seconds=600) as started:
        yield started


class Seeded:
    """A drawer that can be repeated: what its copies show does not depend on the day."""

    def __init__(self):
        self.rng = np.random.default_rng(11)

    def noise(self, kind, scales, cells):
        draw = discrete_laplace if kind == LAPLACE else discrete_gaussian
        parts = [
            draw((size,), float(scale), rng=self.rng)
            for scale, size in zip(scales, cells, strict=True)
        ]
        return np.concatenate(parts).astype(np.int64)

    def thinned(self, counts, rate):
        return self.rng.binomial(counts, float(rate))


def audited(drawer, method, epsilon, network, bug=""):
    scenario = Scenario(epsilon=epsilon, neighbours=Neighbours.REPLACE)
    ask = Ask(
        method=method,
        scenario=scenario,
        networks=(network,),
        trials=RUNS,
        confidence=0.99 if bug else SURE,
        bug=bug,
        power=False,
        cases=1,
    )
    return audit(ask, drawer)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "epsilon", "network"), CASES)
def test_a_release_keeps_its_claim(worker, method, epsilon, network):
    found = audited(worker, method, epsilon, network)
    assert found.exact
    assert found.verdict == "none found"
    assert found.lower_bound > 0 or found.delta  # and the runs do differ


@pytest.mark.slow
@pytest.mark.parametrize(("method", "epsilon", "network"), CASES)
def test_a_sampler_of_half_the_noise_is_caught(method, epsilon, network):
    assert not audited(Seeded(), method, epsilon, network).violated
    assert audited(Seeded(), method, epsilon, network, "half-noise").violated


def test_a_sampler_that_reuses_its_noise_is_caught():
    assert audited(Seeded(), "uniform", 2.0, TWO, "reused-noise").violated
