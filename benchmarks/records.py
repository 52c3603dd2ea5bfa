"""Synthetic records against AIM and MST: mean two- and three-way error, CPU time and memory.

Adult (where EQUIPOISE_DATA names it), the two generated surveys of 16 and 23 binary columns, and
child of 38,000 records; `salary` is how often a linear classifier trained on synthetic Adult is
wrong about it. Same neighbours (add/remove), δ = 1e-6 where there is one, as many records as the
table has. Constants of core.synthesis were chosen on Adult, its stand-in, sachs and the two
surveys; child and alarm (--tables) were looked at while they were chosen.

Each run is a process of its own: its CPU time, and how far its memory rose. With --results every
run is added to a file as it ends, and what the file holds is not run again: stop and go on as you
like, or give --minutes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from benchmarks.aim import LAST_STEPS, Rival, aim, mst
from benchmarks.synthesis import BIT_RECORDS, BITS, survey_rows, table
from core.counts import Rows
from core.privbayes.candidates import SearchError
from core.privbayes.encoding import encoding
from core.privbayes.rehearsal import Comparison
from core.privbayes.settings import COMPARED, RECIPES, Settings
from core.privbayes.synthesis import synthesise
from core.recoding import halves
from core.synthesis.fitting import Fitted
from core.synthesis.whole_records import draw_whole
from sources.classifier import TRAINING, misclassified
from sources.study import sampled_study

DELTA = 1e-6
EPSILONS = (0.1, 0.5, 1.0, 2.0)
TABLES = ("adult", "survey16", "survey23", "child")
SALARY, TARGET = "salary", "c14"
"""The classifier's table, and Adult's column that it is about."""

Draw = Callable[[Rows, float, np.random.Generator], Rows]
Errors = Callable[[Rows], tuple[float, ...]]


@dataclass(frozen=True)
class Outcome:
    """One run: two- and three-way error or the classifier's; CPU seconds; megabytes it rose by.

    No errors where the method refused.
    """

    table: str
    epsilon: float
    method: str
    run: int
    errors: tuple[float, ...]
    seconds: float
    megabytes: float

    @property
    def cell(self) -> tuple[str, float, str, int]:
        """What is not run twice."""
        return self.table, self.epsilon, self.method, self.run


@lru_cache(maxsize=1)
def records_of(name: str) -> tuple[Rows, Errors]:
    """A table by its name, and what holds other records against it."""
    if name in (SALARY, "adult") and table()[0] != "adult":
        raise SystemExit(f"{name} needs the folder with adult/adult.csv that EQUIPOISE_DATA names")
    if name == SALARY:
        training, testing = halves(table()[1], TRAINING, rng=np.random.default_rng(0))
        return training, lambda made: (misclassified(made, testing, TARGET),)
    if name == "adult":
        rows = table()[1]
    elif name.startswith("survey"):
        rows = survey_rows(23, 47_461) if name == "survey23" else survey_rows(BITS, BIT_RECORDS)
    else:
        records = 38_000 if name == "child" else 20_000
        rows = Rows(sampled_study(name, None, records=records, seed=0).dataset)
    return rows, Comparison.of(rows).errors


def drawn(rival: Rival, records: int, rng: np.random.Generator) -> Rows:
    """Whole records of a rival's model, as its reference draws them; ours are balanced as well."""
    assert rival.model is not None
    model = Fitted(rival.model, np.zeros(0), rival.beliefs, 0).model()
    return Rows(draw_whole(model, records, len(rival.variables), rng=rng, balanced=False))


def ways(name: str) -> dict[str, Draw]:
    """Every method as one function; AIM has a workload of triples where its triples are cheap."""
    workload = 3 if name == "survey16" else 2

    def own(recipe: str) -> Draw:
        def run(rows: Rows, epsilon: float, rng: np.random.Generator) -> Rows:
            settings = Settings(recipe=RECIPES[recipe], epsilon=epsilon, delta=DELTA)
            how = encoding("vanilla", rows.dataset.variables)
            return synthesise(rows, how, settings, rng=rng).draw(rng=rng, records=rows.records)

        return run

    return {
        "AIM": lambda rows, e, rng: drawn(
            aim(rows, e, DELTA, rng=rng, ways=workload), rows.records, rng
        ),
        "MST": lambda rows, e, rng: drawn(mst(rows, e, DELTA, rng=rng), rows.records, rng),
        **{recipe: own(recipe) for recipe in reversed(COMPARED)},
    }


def once(name: str, epsilon: float, method: str, number: int) -> Outcome:
    """One run, in the process it is called in."""
    rows, errors = records_of(name)
    cell, before = (name, epsilon, method, number), _peak()
    begun = time.process_time()
    try:
        made = ways(name)[method](rows, epsilon, np.random.default_rng([number, 14]))
        spent, rose = time.process_time() - begun, _peak() - before
        found = errors(made)
    except SearchError:
        return Outcome(*cell, (), 0.0, 0.0)
    return Outcome(*cell, found, spent, rose)


def _peak() -> float:
    """Most megabytes this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def outcomes(
    cells: list[tuple[str, float, str, int]], known: list[Outcome], minutes: float
) -> Iterator[Outcome]:
    """Runs of all cells that are not known yet, each in a process forked for it."""
    end, done = time.monotonic() + 60 * minutes, {outcome.cell for outcome in known}
    for cell in cells:
        if time.monotonic() > end:
            return
        if cell not in done:
            records_of(cell[0])  # once, before the fork
            with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as alone:
                yield alone.submit(once, *cell).result()


def show(found: list[Outcome]) -> None:
    """One line for each table, ε and method: errors, then errors, CPU and memory over AIM's.

    Ratios are of means over the runs that both have.
    """
    print("table     ε     method                      runs  errors         over AIM's     CPU   "
          "memory")  # fmt: skip
    key = lambda o: (o.table, o.epsilon, o.method)  # noqa: E731
    groups = {k: list(v) for k, v in itertools.groupby(sorted(found, key=key), key)}
    for (name, epsilon, method), own in groups.items():
        line = f"{name:9} {epsilon:<5g} {method:27} "
        if not all(o.errors for o in own):
            print(line + "refused")
            continue
        mean = np.mean([o.errors for o in own], axis=0)
        line += f"{len(own):4}  {'/'.join(f'{v:.4f}' for v in mean):13}  "
        first = {o.run: o for o in groups.get((name, epsilon, "AIM"), [])}
        both = [(o, first[o.run]) for o in own if o.run in first]
        if both:
            over = np.mean([o.errors for o, _ in both], axis=0)
            over /= np.mean([a.errors for _, a in both], axis=0)
            cpu = sum(o.seconds for o, _ in both) / sum(a.seconds for _, a in both)
            memory = max(o.megabytes for o, _ in both) / max(1.0, *(a.megabytes for _, a in both))
            line += f"{'/'.join(f'{v:.2f}' for v in over):9} ({len(both)})  {cpu:.3f} {memory:.2f}"
        print(line)


def fits(rows: Rows, sets: list[tuple[int, ...]], deviation: float) -> tuple[float, float]:
    """What the rivals' fit and mbi's estimator each leave: both losses on the same noisy tables."""
    import jax
    import mbi
    from mbi import estimation

    jax.config.update("jax_enable_x64", True)
    own = Rival(rows, np.random.default_rng(0))
    for columns in sets:
        own.measure(columns, deviation)
    own.fit(LAST_STEPS)
    names = [v.name for v in own.variables]
    measured = [
        mbi.LinearMeasurement(values.ravel(), tuple(names[c] for c in columns), stddev=deviation)
        for columns, values, deviation in own.tables
    ]
    model = estimation.MirrorDescent().estimate(
        mbi.Domain(names, own.sizes), measured, known_total=own.records, iters=LAST_STEPS
    )
    answers = own.answers([columns for columns, _, _ in own.tables])
    losses = np.zeros(2)
    for columns, values, deviation in own.tables:
        theirs = model.project(tuple(names[c] for c in columns)).datavector(flatten=False)
        for place, fitted in enumerate((answers[columns], np.asarray(theirs))):
            losses[place] += 0.5 * ((fitted - values) ** 2).sum() / deviation**2
    return float(losses[0]), float(losses[1])


def check() -> None:
    """Prints both losses on child."""
    rows = records_of("child")[0]
    singles = [(c,) for c in range(len(rows.dataset.variables))]
    pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (4, 6), (0, 7), (2, 5)]
    ours, theirs = fits(rows, [*singles, *pairs], 50.0)
    print(f"loss of the same tables: ours {ours:.4f}, mbi {theirs:.4f}")


def main(given: argparse.Namespace) -> None:
    """Runs what is asked for and prints everything known about it."""
    names, epsilons = given.tables.split(","), [float(e) for e in given.epsilons.split(",")]
    methods = [m for m in ways(names[0]) if not given.methods or m in given.methods.split(",")]
    cells = [
        (name, epsilon, method, number)
        for number in range(given.runs)
        for name in names
        for epsilon in epsilons
        for method in methods
    ]
    known: list[Outcome] = []
    if given.results and given.results.exists():
        lines = [json.loads(line) for line in given.results.read_text().splitlines()]
        known = [Outcome(**{**line, "errors": tuple(line["errors"])}) for line in lines]
    for outcome in outcomes(cells, known, given.minutes):
        known.append(outcome)
        if given.results:
            with given.results.open("a") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")
    show([outcome for outcome in known if outcome.cell in cells])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--epsilons", default=",".join(map(str, EPSILONS)))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--methods", default="", help="only these")
    parser.add_argument("--results", type=Path, help="a file to go on with")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="no new run after so many"
    )
    parser.add_argument("--check", action="store_true", help="the rivals' fit against mbi's")
    given = parser.parse_args()
    if given.check:
        check()
    else:
        main(given)
