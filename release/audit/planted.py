"""Mechanisms with a planted bug: what an audit is for, to be shown in class and held by tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.counts import CountSource
from core.methods.method import Method, Release, Run, packed_counts
from core.methods.randomness import Randomness
from core.network import Network
from core.parameters import fit
from core.scenario import Scenario


@dataclass(frozen=True)
class Bug:
    """What is wrong, and how a method is made to do it."""

    name: str
    title: str
    plant: Callable[[Run], Run]


def _half(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        twice = replace(scenario, epsilon=2 * scenario.epsilon)
        return run(network, counts, twice, rng=rng)

    return broken


def _probability(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        raised = replace(scenario, epsilon=scenario.epsilon * max(counts.records, 1))
        return run(network, counts, raised, rng=rng)

    return broken


def _observed(run: Run) -> Run:
    def broken(
        network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        release = run(network, counts, scenario, rng=rng)
        noisy = np.where(packed_counts(network, counts) > 0, release.noisy, 0.0)
        return replace(release, noisy=noisy, model=fit(network, noisy.copy()))

    return broken


PLANTED: dict[str, Bug] = {
    bug.name: bug
    for bug in (
        Bug("half-noise", "half the noise that ε asks for", _half),
        Bug("observed-cells", "noise on cells with records only", _observed),
        Bug("probability-scale", "noise of probabilities on counts", _probability),
    )
}


def planted(method: Method, bug: str) -> Method:
    """The same method with a bug; it goes on claiming what it claimed."""
    return replace(method, run=PLANTED[bug].plant(method.run))
