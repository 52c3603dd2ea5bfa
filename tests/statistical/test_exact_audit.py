"""The audit through the meter and the exact sampler, in its process: what a release really draws.

Few runs, because each is metered and drawn by itself; the ε are such that they suffice, as the
copies with planted bugs show. Fresh entropy: a true claim is broken with probability 1e-6.
"""

import pytest

from core.privacy import Neighbours
from core.scenario import Scenario
from release.audit import SMALL, Ask, audit
from release.process import Worker

ONE, TWO = SMALL
SURE = 1 - 1e-6
CASES = [
    ("uniform", 7.0, TWO),
    ("equipoise", 2.0, TWO),
    ("equipoise-zcdp", 8.0, TWO),
    ("data-dependent-icml", 3.0, ONE),
]
RUNS = 600


@pytest.fixture(scope="module")
def worker():
    with Worker(seconds=600) as started:
        yield started


def audited(worker, method, epsilon, network, bug=""):
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
    return audit(ask, worker)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "epsilon", "network"), CASES)
def test_a_release_keeps_its_claim(worker, method, epsilon, network):
    found = audited(worker, method, epsilon, network)
    assert found.exact
    assert found.verdict == "none found"
    assert found.lower_bound > 0 or found.delta  # and the runs do differ


@pytest.mark.slow
@pytest.mark.parametrize(("method", "epsilon", "network"), CASES)
def test_half_the_noise_of_the_sampler_is_caught(worker, method, epsilon, network):
    assert audited(worker, method, epsilon, network, "half-noise").violated


@pytest.mark.slow
def test_reused_noise_of_the_sampler_is_caught(worker):
    assert audited(worker, "uniform", 2.0, TWO, "reused-noise").violated
