"""Coverage of the intervals that go with a release: how often they hold the truth.

The truth is what the same network without noise says of the same 10,000 records: every cell of
every row that some record fills, and the twenty fixed questions. Beside them the plain bootstrap,
from the released model through its own method: the basic interval. The method of the intervals was
chosen while looking at asia, sachs, child and alarm; figure-one and the random graphs, whose rows
are drawn uniformly, had no part.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource, Rows
from core.inference.queries import query
from core.inference.sampling import sample
from core.methods.method import packed_counts
from core.methods.registry import method_named
from core.network import Network
from core.parameters import Model
from core.scenario import Scenario
from core.study.fixed_questions import fixed_questions
from core.study.metrics import Truth
from core.table import Array, Variable
from release.meter import Meter, Whole
from release.preview import delta_of
from release.published import GAUSSIAN
from release.rationals import decimal
from release.review.standin import random_model
from release.uncertainty import noisy_tables, pivot
from sources.study import sampled_study

NETWORKS = ("asia", "sachs", "child", "alarm", "figure-one", "random-1", "random-2")
METHODS = ("uniform", "equipoise", "equipoise-zcdp")
EPSILONS = (0.3, 1.0, 3.0)
RECORDS = 10_000
BOOTSTRAP = 100


class Seeded:
    """A drawer that repeats itself, for measurements."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def noise(self, kind: str, scales: Sequence[Fraction], cells: Sequence[int]) -> Whole:
        """Rounded normal numbers, or the difference of two geometric ones."""
        wide = np.repeat(np.array([float(s) for s in scales]), cells)
        if kind == GAUSSIAN:
            return np.rint(wide * self.rng.standard_normal(wide.size)).astype(np.int64)
        both = self.rng.geometric(-np.expm1(-1 / wide), (2, wide.size))
        return np.asarray(both[0] - both[1], dtype=np.int64)

    def thinned(self, counts: Whole, rate: Fraction) -> Whole:
        """Binomial numbers."""
        return self.rng.binomial(counts, float(rate))

    def chosen(self, law: str, gaps: Whole, rate: Fraction) -> int:
        """By Gumbel numbers: the exponential mechanism."""
        return int(np.argmax(self.rng.gumbel(size=gaps.size) - float(rate) * gaps))


@dataclass(frozen=True)
class Coverage:
    """Mean shares covered: cells of rows, answers, the worst question; the same of a bootstrap."""

    rows: float
    questions: float
    worst: float
    rows_bootstrap: float
    questions_bootstrap: float
    width: float
    little: float


def data(name: str) -> tuple[Network, CountSource]:
    """A sample network, or a random graph of twelve variables with up to three parents each."""
    if not name.startswith("random"):
        study = sampled_study(name, None, records=RECORDS, seed=5)
        return study.network, study.counts
    rng = np.random.default_rng([2026, int(name[-1])])
    states = [tuple(f"s{k}" for k in range(int(rng.integers(2, 5)))) for _ in range(12)]
    variables = tuple(Variable(f"v{i}", s) for i, s in enumerate(states))
    parents = tuple(
        tuple(f"v{j}" for j in sorted(rng.choice(i, min(i, int(rng.integers(4))), replace=False)))
        for i in range(12)
    )
    network = Network(variables, parents)
    return network, Rows(sample(random_model(network, rng=rng), RECORDS, rng=rng))


def released(
    network: Network, counts: CountSource, method: str, scenario: Scenario, seed: int
) -> tuple[Model, Meter]:
    """One release, drawn with a seed, with the meter that kept its tables."""
    drawer = Seeded(np.random.default_rng([7, seed]))
    epsilon, delta = decimal(scenario.epsilon), delta_of(method, scenario)
    meter = Meter(epsilon, delta, scenario.neighbours, drawer)
    run = method_named(method).run(network, counts, replace(scenario, replicates=1), rng=meter)
    return Model(run.model.network, run.model.values[0]), meter


def coverage(
    network: Network, counts: CountSource, method: str, scenario: Scenario, releases: int
) -> Coverage:
    """Over so many releases of the same records."""
    truth = Truth.of(network, counts, scenario.options).model
    layout, exact = network.layout, packed_counts(network, counts)
    filled = np.repeat(layout.row_totals(exact), _row_lengths(network)) > 0
    asked = fixed_questions(truth)
    true = [query(truth, q.targets, q.given).values.ravel() for q in asked]
    seen: list[tuple[float, ...]] = []
    answers = np.empty((releases, len(asked)))
    for number in range(releases):
        model, meter = released(network, counts, method, scenario, number)
        found = pivot(model, noisy_tables(meter.measurements, meter.kept.tables))
        rows = found.rows()
        whole, errors = _bootstrap(model, method, scenario, number)
        low, high = np.quantile(errors, (0.05, 0.95), axis=0)
        boot_rows = _covers(truth.values, model.values - high, model.values - low)[filled].mean()
        boots = []
        for place, q in enumerate(asked):
            told, least, most = found.answers(q)
            answers[number, place] = _covers(true[place], least, most).mean()
            off = query(whole[1], q.targets, q.given).values.reshape(-1, told.size)
            off = off - query(whole[0], q.targets, q.given).values.ravel()
            low, high = np.quantile(off, (0.05, 0.95), axis=0)
            boots.append(_covers(true[place], told - high, told - low).mean())
        width = (rows.high - rows.low)[filled]
        own = _covers(truth.values, rows.low, rows.high)[filled].mean()
        seen.append((own, boot_rows, float(np.mean(boots)), np.median(width), (width > 0.5).mean()))
    own, boot_rows, boot, width, little = np.mean(seen, axis=0).tolist()
    mean, worst = float(answers.mean()), float(answers.mean(axis=0).min())
    return Coverage(own, mean, worst, boot_rows, boot, width, little)


def _row_lengths(network: Network) -> NDArray[np.intp]:
    lengths = np.empty(network.layout.row_count, dtype=np.intp)
    for block in network.layout.blocks:
        lengths[block.rows] = block.cardinality
    return lengths


def _covers(true: Array, low: Array, high: Array) -> Array:
    return np.asarray((low <= true) & (true <= high), dtype=np.float64)


def _bootstrap(
    model: Model, method: str, scenario: Scenario, seed: int
) -> tuple[tuple[Model, Model], Array]:
    """The model without noise of records drawn from the release, private ones, and their errors."""
    rng = np.random.default_rng([8, seed])
    pool = Rows(sample(model, RECORDS, rng=rng))
    exact = Truth.of(model.network, pool, scenario.options).model
    again = replace(scenario, replicates=BOOTSTRAP)
    private = method_named(method).run(model.network, pool, again, rng=rng).model
    return (exact, private), private.values - exact.values


def lines(
    networks: Sequence[str], methods: Sequence[str], epsilons: Sequence[float], releases: int
) -> Iterator[tuple[str, str, float, Coverage]]:
    """Every combination."""
    for name in networks:
        network, counts = data(name)
        for method, epsilon in itertools.product(methods, epsilons):
            scenario = Scenario(epsilon=epsilon)
            yield name, method, epsilon, coverage(network, counts, method, scenario, releases)


def main() -> None:
    """One line for each network, method and ε."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=20)
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--methods", default=",".join(METHODS))
    chosen = parser.parse_args()
    print(
        "90 % intervals: share covered                     (basic bootstrap)      median  rows of"
    )
    print("network     method            ε  rows  answers  worst    rows  answers   width  > 0.5")
    asked = (chosen.networks.split(","), chosen.methods.split(","), EPSILONS, chosen.releases)
    for name, method, epsilon, c in lines(*asked):
        print(
            f"{name:11} {method:15} {epsilon:3g}  {c.rows:.3f}    {c.questions:.3f}  {c.worst:.2f}"
            f"    {c.rows_bootstrap:.3f}    {c.questions_bootstrap:.3f}   {c.width:.3f}"
            f"   {c.little:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
