"""Undirected models on the same noisy tables: ours against private-pgm's mirror descent.

Accuracy is KL from the true third-order chain and mean L1 distance of the marginals. private-pgm
(``mbi``, in double precision) minimises the squared distance to the noisy tables over the marginal
polytope; its time is that of one replicate after one untimed run, ours of all replicates together,
divided by their number. Then what each estimator costs relative to the naive one, Algorithm 2 as
printed included.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Goal, print_goals, print_times
from core.markov.belief import marginals
from core.markov.likelihood import divergence
from core.markov.printed import printed_em
from core.table import Array
from core.undirected.estimators import estimate, prepared
from core.undirected.sample import Sample, Setting, draw, synthetic
from core.undirected.views import true_marginals
from sources.accounting import noise_multiplier

ITERATIONS = 1000
"""Of mirror descent: its own default."""


def rival(sample: Sample) -> tuple[Array, float]:
    """Log-potentials ``(populations, repeats, cells)`` by mirror descent, and seconds for each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about single precision, which is switched off below
        import jax
        import mbi
        from mbi import estimation

    jax.config.update("jax_enable_x64", True)
    field = sample.truth.field
    names = tuple(v.name for v in field.variables)
    domain = mbi.Domain(names, tuple(v.cardinality for v in field.variables))
    cliques = [tuple(names[v] for v in clique) for clique in field.tables]

    def one(noisy: Array) -> Array:
        measured = [
            mbi.LinearMeasurement(noisy[where], clique, stddev=1.0)
            for clique, where in zip(cliques, field.slices, strict=True)
        ]
        total = float(sample.setting.records)
        model = estimation.MirrorDescent().estimate(
            domain, measured, known_total=total, iters=ITERATIONS
        )
        parts = [np.asarray(model.potentials[c].datavector()) for c in cliques]
        return np.concatenate(parts)

    noisy = sample.noisy.reshape(-1, field.size)
    one(noisy[0])  # compiles
    began = time.perf_counter()
    found = np.stack([one(row) for row in noisy])
    seconds = (time.perf_counter() - began) / len(noisy)
    return found.reshape(sample.noise.shape), seconds


def timed(task: Callable[[], Array], replicates: int) -> tuple[Array, float]:
    """What a task gives, and seconds for each replicate."""
    began = time.perf_counter()
    found = task()
    return found, (time.perf_counter() - began) / replicates


def print_accuracy(title: str, sample: Sample, learned: dict[str, Array]) -> None:
    """KL and L1 of every estimator, and their ratio to the rival's."""
    field, exact = sample.truth.field, true_marginals(sample.truth)
    rows = {}
    for name, theta in learned.items():
        far = np.abs(marginals(field, theta)[1] - exact).mean()
        rows[name] = (float(divergence(field, sample.truth.theta, theta).mean()), float(far))
    kl, l1 = rows["mbi, L2 mirror descent"]
    print(f"\n{title}")
    print(f"  {'':<24}  {'KL':>9}  {'/ mbi':>7}  {'L1':>9}  {'/ mbi':>7}")
    for name, (a, b) in rows.items():
        print(f"  {name:<24}  {a:>9.4f}  {a / kl:>7.3f}  {b:>9.6f}  {b / l1:>7.3f}")


def compare(epsilon: float, records: int, replicates: int) -> dict[str, float]:
    """Prints accuracy on the same noisy tables; seconds of each estimator for one replicate."""
    truth = synthetic("chain", 10, 5, seed=0)
    setting = Setting(epsilon=epsilon, records=records, populations=replicates, repeats=1)
    sample = draw(truth, setting)
    learned, times = {}, {}
    name = "mbi, L2 mirror descent"
    learned[name], times[name] = rival(sample)
    for label in ("naive", "cgm", "dp-sgd", "gaussian"):
        ready = prepared(label, sample, noise_multiplier)  # tunes, loads the accountant
        learned[label], times[label] = timed(
            lambda label=label, ready=ready: estimate(label, ready, noise_multiplier).theta,
            replicates,
        )
    steps = setting.steps
    start = learned["naive"]
    found, seconds = timed(
        lambda: printed_em(
            truth.field, sample.noisy, records, sample.scale, start=start, steps=steps
        ),
        replicates,
    )
    learned["Algorithm 2 as printed"] = found
    times["Algorithm 2 as printed"] = times["naive"] + seconds
    title = f"Third-order chain, 10 variables of 5 states, ε = {epsilon:g}, {records:,} records"
    print_accuracy(title, sample, learned)
    print_times("Seconds for one replicate", times)
    return times


def large_chain() -> float:
    """How many times the naive time CGM takes on a chain of ten states."""
    truth = synthetic("chain", 10, 10, seed=0)
    sample = draw(truth, Setting(populations=2, repeats=1))
    (_, naive), (_, cgm) = (
        timed(lambda name=name: estimate(name, sample).theta, 2) for name in ("naive", "cgm")
    )
    return cgm / naive


def main(replicates: int) -> None:
    """Prints accuracy, times and ratios."""
    times = {case: compare(*case, replicates) for case in ((1.0, 1000), (1.0, 10_000))}
    last = times[1.0, 10_000]
    naive, mbi = last["naive"], last["mbi, L2 mirror descent"]
    print_goals(
        [
            Goal("cgm, 10 states", "naive", large_chain(), 3, at_most=True),
            Goal("mbi", "cgm", mbi / last["cgm"], 1),
            Goal("Algorithm 2 as printed", "naive", last["Algorithm 2 as printed"] / naive, 3),
            Goal("dp-sgd", "naive", last["dp-sgd"] / naive, 1),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=10)
    main(parser.parse_args().replicates)
