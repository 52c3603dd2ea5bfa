"""Synthetic records against AIM and MST: mean two- and three-way error, and CPU time.

Adult (where EQUIPOISE_DATA names it), the two generated surveys of 16 and 23 binary columns, and
child of 38,000 records. Same neighbours (add/remove), δ = 1e-6 where there is one, as many records
as the table has. Constants of core.synthesis were chosen on Adult, survey16 and survey23; child was
looked at while they were chosen, sachs decided where views end: alarm (--tables) had no part.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from benchmarks.aim import Rival, aim, mst
from benchmarks.synthesis import BIT_RECORDS, BITS, survey_rows, table
from core.counts import Rows
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
TARGET = "c14"
"""Adult's salary."""

Draw = Callable[[Rows, float, np.random.Generator], Rows]


def records_of(name: str) -> Rows:
    """A table by its name."""
    if name == "adult":
        return table()[1]
    if name.startswith("survey"):
        return survey_rows(23, 47_461) if name == "survey23" else survey_rows(BITS, BIT_RECORDS)
    records = 38_000 if name == "child" else 20_000
    return Rows(sampled_study(name, None, records=records, seed=0).dataset)


def drawn(rival: Rival, records: int, rng: np.random.Generator) -> Rows:
    """Whole records of a rival's model: the same way as ours."""
    assert rival.model is not None
    model = Fitted(rival.model, np.zeros(0), rival.beliefs, 0).model()
    return Rows(draw_whole(model, records, len(rival.variables), rng=rng))


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
        **{recipe: own(recipe) for recipe in COMPARED},
    }


def main(tables: list[str], epsilons: list[float], runs: int, methods: list[str]) -> None:
    """Prints one line for each table, ε and method: errors, and CPU time over AIM's."""
    for name in tables:
        rows = records_of(name)
        comparison = Comparison.of(rows)
        print(f"\n{name}: {rows.records:,} records, {len(rows.dataset.variables)} columns")
        for epsilon in epsilons:
            first: tuple[np.ndarray, float] | None = None
            for method, draw in ways(name).items():
                if methods and method not in methods:
                    continue
                errors, spent = [], 0.0
                for number in range(runs):
                    begun = time.process_time()
                    made = draw(rows, epsilon, np.random.default_rng([number, 14]))
                    spent += time.process_time() - begun
                    errors.append(comparison.errors(made))
                mean = np.mean(errors, axis=0)
                first = first or (mean, spent)
                print(
                    f"  ε {epsilon:<4g} {method:26} "
                    + " ".join(f"{value:.4f}" for value in mean)
                    + f"  over the first: {'/'.join(f'{r:.2f}' for r in mean / first[0])}, CPU "
                    f"{spent / first[1]:.3f}",
                    flush=True,
                )


def classifier(runs: int) -> None:
    """How often a linear classifier trained on synthetic Adult is wrong about the salary, ε = 1."""
    rows = records_of("adult")
    training, testing = halves(rows, TRAINING, rng=np.random.default_rng(0))
    print(f"  no privacy {misclassified(training, testing, TARGET):.4f}")
    for method, draw in ways("adult").items():
        wrong = [
            misclassified(draw(training, 1.0, np.random.default_rng([n, 14])), testing, TARGET)
            for n in range(runs)
        ]
        print(f"  {method:26} {np.mean(wrong):.4f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--epsilons", default=",".join(map(str, EPSILONS)))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--methods", default="", help="only these, the first is compared with")
    parser.add_argument("--classifier", action="store_true")
    given = parser.parse_args()
    if given.classifier:
        classifier(given.runs)
    else:
        main(given.tables.split(","), [float(e) for e in given.epsilons.split(",")], given.runs,
             [m for m in given.methods.split(",") if m])  # fmt: skip
