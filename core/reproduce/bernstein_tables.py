"""Noisy tables of Bernstein et al.: sensitivity, squared error, projection, penalty. B1 to B5."""

from __future__ import annotations

import itertools
import math

import numpy as np

from core.markov.dpsgd import record_cells
from core.markov.synthetic import TrueField, chain_field, random_field
from core.reproduce.item import Finding, Inquiry, OwnNumber, Steps, at_once, mean, value
from core.reproduce.verdicts import best, counted, holds, order
from core.study.experiments import interval
from core.table import Array
from core.undirected.sample import Setting, synthetic
from core.undirected.study import EstimatorOutcome
from core.undirected.views import (
    MeanSquares,
    penalty_steps,
    projection_steps,
    slopes,
    square_steps,
    true_marginals,
)

PENALTIES = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)


@at_once
def sensitivity(inquiry: Inquiry) -> Finding:
    """B1: one record more changes all tables together by their number, whatever the rest."""
    rng = np.random.default_rng([inquiry.seed, 37])
    fields = {
        "chain of 3": chain_field(3, 2, 1),
        "third-order chain of 4": chain_field(4, 2, 3),
        "random graph of 4": random_field(4, 2, 0.5, rng=rng),
    }
    ours, worst = [], -math.inf
    for name, field in fields.items():
        sizes = [v.cardinality for v in field.variables]
        every = np.array(list(itertools.product(*map(range, sizes))), dtype=np.uint8)
        cells = record_cells(field, every)
        tables = np.zeros((len(every), field.size))
        np.put_along_axis(tables, cells.astype(np.intp), 1.0, axis=1)
        base = np.vstack([np.zeros(field.size), tables, *(tables[:, None] + tables[None])])
        changes = np.abs((base[:, None] + tables[None]) - base[:, None]).sum(axis=-1)
        told = len(field.tables)
        worst = max(worst, float(np.abs(changes - told).max()))
        ours += [value(name, "least change of all tables", float(changes.min()), changes.size),
                 value(name, "largest change of all tables", float(changes.max()), changes.size),
                 value(name, "number of tables", told)]  # fmt: skip
    return Finding(tuple(ours), holds(worst, "|change less number of tables|"), (
        "Every population of up to two records, and every record added to it.",
    ))  # fmt: skip


def _squares(
    inquiry: Inquiry, truth: TrueField, epsilon: float, sizes: list[int]
) -> dict[int, MeanSquares]:
    setting = Setting(epsilon=epsilon, populations=inquiry.size(20, 40), seed=inquiry.seed)
    outcomes: dict[int, MeanSquares] = {}
    for _ in square_steps(outcomes, truth, setting, sizes, ()):
        pass
    return outcomes


def squared_error(inquiry: Inquiry) -> Steps:
    """B2: mean squared error of a noisy marginal against Eq. 4."""
    truth = synthetic("chain", 10, 10, seed=inquiry.seed)
    ours: list[OwnNumber] = []
    near = {}
    for epsilon in (0.1, 1.0):
        outcomes = _squares(inquiry, truth, epsilon, [10**k for k in range(2, 9)])
        for size, squares in outcomes.items():
            ratio = interval(squares.each["noisy"] / squares.predicted)
            where = f"ε = {epsilon:g}, N = 10^{_power(size)}"
            ours.append(mean("measured over Eq. 4", where, ratio, len(squares.each["noisy"])))
            near[f"{where}: {ratio.mean:.3f}"] = 0.9 <= ratio.mean <= 1.1
        yield 2
    return Finding(tuple(ours), counted(near, enough=0.75))


def _power(size: int) -> int:
    return round(math.log10(size))


@at_once
def two_slopes(inquiry: Inquiry) -> Finding:
    """B3: the squared error falls with N², then with N."""
    truth = synthetic("chain", 10, 10, seed=inquiry.seed)
    outcomes = _squares(inquiry, truth, 0.1, [10**k for k in range(2, 13)])
    sizes = sorted(outcomes)
    steep = slopes({size: outcomes[size].noisy for size in sizes})
    ours = [value("measured", f"slope from 10^{_power(a)} to 10^{_power(b)}", slope)
            for (a, b), slope in zip(itertools.pairwise(sizes), steep, strict=True)]  # fmt: skip
    noisy, sampled = [], []
    for (a, b), slope in zip(itertools.pairwise(sizes), steep, strict=True):
        if all(outcomes[s].privacy >= 10 * outcomes[s].sampling for s in (a, b)):
            noisy.append(slope)
        if all(outcomes[s].privacy <= 0.1 * outcomes[s].sampling for s in (a, b)):
            sampled.append(slope)
    first, last = float(np.mean(noisy)), float(np.mean(sampled))
    spread = true_marginals(truth)
    crossing = 2 * len(truth.field.tables) ** 2 / (0.01 * float(np.mean(spread * (1 - spread))))
    ours += [
        value("measured", "mean slope where noise dominates", first),
        value("measured", "mean slope where sampling dominates", last),
        value("Eq. 4", "N at which both parts are equal", crossing),
    ]
    return Finding(tuple(ours), counted({
        f"−2 ± 0.1 while noise dominates ({first:.2f})": abs(first + 2) <= 0.1,
        f"−1 ± 0.15 at the end ({last:.2f})": abs(last + 1) <= 0.15,
    }))  # fmt: skip


def projection(inquiry: Inquiry) -> Steps:
    """B4: projecting the noisy tables helps."""
    truth = synthetic("random", 10, 20, seed=inquiry.seed)
    sizes = [10**3, 10**4, 10**5, 10**6] if inquiry.full else [10**4, 10**5]
    ours: list[OwnNumber] = []
    judged = {}
    readings = {"λ in units of the noise": None, "λ = 1e-4": 1e-4}
    if not inquiry.full:
        readings.pop("λ = 1e-4")
    total = 2 * len(readings) * len(sizes)
    for reading, strength in readings.items():
        setting = Setting(
            epsilon=0.5, strength=strength, populations=inquiry.size(2, 5),
            repeats=inquiry.size(1, 2), seed=inquiry.seed,
        )  # fmt: skip
        outcomes: dict[tuple[bool, int], EstimatorOutcome] = {}
        for _ in projection_steps(outcomes, truth, setting, sizes):
            yield total
        gains = []
        for size in sizes:
            own, raw = (outcomes[projected, size].divergence for projected in (True, False))
            where = f"N = 10^{_power(size)}"
            ours += [mean(reading, f"{where}, projected", interval(own), len(own)),
                     mean(reading, f"{where}, raw", interval(raw), len(raw))]  # fmt: skip
            gains.append(raw - own)
        judged[reading] = order(gains)
    return Finding(tuple(ours), best(judged))


def _flat(smallest: list[float], least: float) -> bool:
    return max(smallest) <= 1.5 * least


def tuned_penalty(inquiry: Inquiry) -> Steps:
    """B5: λ must be just right with noise, and does not matter while small without."""
    truth = synthetic("chain", 10, 10 if inquiry.full else 5, seed=inquiry.seed)
    setting = Setting(
        epsilon=0.1, records=100_000, populations=inquiry.size(1, 3), repeats=1, seed=inquiry.seed
    )
    outcomes: dict[tuple[str, float], Array] = {}
    for _ in penalty_steps(outcomes, truth, setting, PENALTIES):
        yield 2 * len(PENALTIES)
    means = {key: float(values.mean()) for key, values in outcomes.items()}
    ours = [mean(f"{tables} tables", f"λ = {strength:g}", interval(values), len(values))
            for (tables, strength), values in outcomes.items()]  # fmt: skip
    noisy = [means["noisy", strength] for strength in PENALTIES]
    exact = [means["exact", strength] for strength in PENALTIES]
    return Finding(tuple(ours), counted({
        "noisy: the best λ halves the KL of the smallest": min(noisy) <= 0.5 * noisy[0],
        "noisy: the best λ halves the KL of the largest": min(noisy) <= 0.5 * noisy[-1],
        "exact: flat for the three smallest": _flat(exact[:3], min(exact)),
    }), ("N is not printed; 100,000 is used.",))  # fmt: skip
