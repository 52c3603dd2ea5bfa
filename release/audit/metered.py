"""Runs for an audit that are metered and drawn one by one, exactly as a release is."""

from dataclasses import replace
from typing import Self

import numpy as np

from core.counts import CountSource
from core.methods.method import Method, Release
from core.methods.randomness import Candidates, Drawn, Histograms
from core.network import Network
from core.parameters import Model
from core.scenario import Scenario
from core.table import Array
from release.audit.claims import delta_of
from release.meter import Drawer, Meter
from release.rationals import decimal


class Overheard:
    """A meter (a ``core.methods.randomness.Fresh``) that keeps the noise it gives."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.drawn: list[Drawn] = []

    def spawn(self, streams: int, /) -> list[Self]:
        """Itself, as a meter does."""
        return [self] * streams

    def choice(self, candidates: Candidates, epsilon: float) -> int:
        """The meter's choice."""
        return self.meter.choice(candidates, epsilon)

    def thinned(self, counts: Array, rate: float) -> Array:
        """The meter's sample."""
        return self.meter.thinned(counts, rate)

    def laplace(self, histograms: Histograms, scales: Array, rate: float) -> Array:
        """The meter's discrete Laplace noise."""
        return self._kept(histograms, False, self.meter.laplace(histograms, scales, rate), rate)

    def gaussian(self, histograms: Histograms, deviations: Array) -> Array:
        """The meter's discrete Gaussian noise."""
        return self._kept(histograms, True, self.meter.gaussian(histograms, deviations), 1.0)

    def keep(self, histograms: Histograms, noisy: Array) -> None:
        """Nothing: an audit looks at the noise."""

    def _kept(self, histograms: Histograms, gaussian: bool, noise: Array, rate: float) -> Array:
        last = self.meter.measurements[-len(histograms.tables) :]
        scales = np.array([[float(m.scale) for m in last]])
        self.drawn.append(Drawn(histograms, gaussian, scales, noise[None].copy(), rate))
        return noise


def metered_runs(
    method: Method,
    drawer: Drawer,
    network: Network,
    counts: CountSource,
    scenario: Scenario,
    runs: int,
) -> tuple[Release, list[Drawn]]:
    """So many releases, side by side as replicates of one, and the noise of each.

    What a release never sees, such as the number of records, is there: these records are made up.
    """
    epsilon = decimal(scenario.epsilon)
    delta = decimal(delta_of(method.name, scenario))
    both = []
    for _ in range(runs):
        heard = Overheard(Meter(epsilon, delta, scenario.neighbours, drawer))
        release = method.run(network, counts, replace(scenario, replicates=1), rng=heard)
        both.append((release, heard.drawn))
    releases = [release for release, _ in both]
    first = releases[0]
    plan = first.plan
    if plan is not None and plan.parts.ndim > 1:
        plans = [r.plan for r in releases if r.plan is not None]
        parts = np.concatenate([p.parts for p in plans])
        nodes = np.concatenate([p.node_epsilon for p in plans])
        plan = replace(plan, parts=parts, node_epsilon=nodes, errors=None)
    model = Model(network, np.concatenate([release.model.values for release in releases]))
    noisy = np.concatenate([release.noisy for release in releases])
    drawn = [
        replace(
            same[0],
            scales=np.concatenate([one.scales for one in same]),
            noise=np.concatenate([one.noise for one in same]),
        )
        for same in zip(*(drawn for _, drawn in both), strict=True)
    ]
    return Release(first.method, plan, first.noise, noisy, model), drawn
