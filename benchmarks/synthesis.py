"""Synthetic records: structure and tables of PrivBayes, against DataSynthesizer on the same rows.

Also how far releases are off, over rehearsals: exact noise from its own process costs nothing.

Uses the Adult table of the folder that EQUIPOISE_DATA names, else records sampled from child.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.timing import Goal, medians, print_goals, print_times
from core.counts import Rows
from core.dataset import Dataset
from core.inference.sampling import sample
from core.network import Network
from core.privacy import Neighbours
from core.privbayes.encoding import encoding
from core.privbayes.rehearsal import Comparison
from core.privbayes.scores import Score
from core.privbayes.settings import PLUS, PRIVBAYES, Recipe, Settings
from core.privbayes.synthesis import synthesise
from core.recoding import halves
from core.reproduce.sampled import survey
from core.scenario import Scenario
from core.table import Variable
from release.ledger.book import Ledger
from release.order import Order
from release.publish import publish
from sources.records import records_csv
from sources.study import Study, sampled_study

BITS, BIT_RECORDS = 16, 21_574
"""A survey of two answers each, as large as the paper's."""

RUNS = 24
"""Releases and rehearsals whose errors are compared, unless asked for more."""

RIVAL_RECORDS = 5_000
"""Records for DataSynthesizer, with one parent: on all of them with two it takes many minutes."""


def main(rounds: int, rival: bool, runs: int) -> None:
    """Prints times and ratios."""
    name, rows = table()
    tasks = {
        f"{recipe.name}, two parents": lambda recipe=recipe: made(rows, recipe)
        for recipe in (PRIVBAYES, PLUS)
    }
    times = medians(tasks, rounds=rounds)
    own = max(times.values())
    survey = medians({"survey, F": lambda: survey_made(survey_rows())}, rounds=1)["survey, F"]
    times["16 binary columns, F, six parents"] = survey
    goals = [
        Goal(f"{name}, structure and records", "limit", own, 0.5, at_most=True, unit="s"),
        Goal("16 binary columns, F", "limit", survey, 10, at_most=True, unit="s"),
    ]
    if rival and importlib.util.find_spec("DataSynthesizer"):
        few, _ = halves(rows, RIVAL_RECORDS / rows.records, rng=np.random.default_rng(0))
        ours = medians({"one": lambda: made(few, PRIVBAYES, degree=1)}, rounds=rounds)["one"]
        theirs = rival_seconds(few)
        times[f"privbayes, one parent, {RIVAL_RECORDS:,} records"] = ours
        times[f"DataSynthesizer, one parent, {RIVAL_RECORDS:,} records"] = theirs
        goals.append(Goal("DataSynthesizer", "ours", theirs / ours, 100))
    else:
        print("\n  DataSynthesizer is not measured: not installed, or left out with --no-rival")
    goals += released(name, rows, runs)
    print_times(f"{rows.records:,} records of {name}, {len(rows.dataset.variables)} columns", times)
    print_goals(goals)


def released(name: str, rows: Rows, runs: int) -> list[Goal]:
    """Two-way error of releases over that of rehearsals, at ε = 1; prints both."""
    study = Study(name, Network(rows.dataset.variables, ((),) * len(rows.dataset.variables)),
                  rows.dataset, sampled=False, graph="none")  # fmt: skip
    how, comparison = encoding("vanilla", rows.dataset.variables), Comparison.of(rows, (2,))
    goals = []
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder, "ledger.sqlite"))
        for recipe in (PRIVBAYES, PLUS):
            errors: dict[str, list[float]] = {"rehearsed": [], "released": []}
            for number in range(runs):
                rng = np.random.default_rng(number)
                own = synthesise(rows, how, Settings(recipe=recipe), rng=rng).draw(rng=rng)
                errors["rehearsed"] += comparison.errors(own)
                order = Order(study=study, network=study.network, method=recipe.name,
                              scenario=Scenario(epsilon=1.0), token=f"{recipe.name} {number}",
                              budget=Fraction(10_000))  # fmt: skip
                model = publish(order, ledger, Path(folder, "out")).published.model
                drawn = Rows(sample(model, rows.records, rng=rng))
                errors["released"] += comparison.errors(drawn)
            for kind, found in errors.items():
                print(f"  {recipe.name}, {kind}: two-way error {np.mean(found):.4f} "
                      f"± {np.std(found, ddof=1) / runs**0.5:.4f}, {runs} runs")  # fmt: skip
            ratio = float(np.mean(errors["released"]) / np.mean(errors["rehearsed"]))
            spread = [np.std(e, ddof=1) / np.mean(e) / runs**0.5 for e in errors.values()]
            far = 1.96 * ratio * float(np.hypot(*spread))
            print(f"  {recipe.name}, released over rehearsed: {ratio:.3f}, 95 % interval "
                  f"{ratio - far:.3f} to {ratio + far:.3f}")  # fmt: skip
            goals.append(Goal(recipe.name, "released over rehearsed", ratio, 1.05, at_most=True))
    return goals


def table() -> tuple[str, Rows]:
    """The records to work on, and their name."""
    folder = Path(os.environ.get("EQUIPOISE_DATA", ""), "adult")
    if not (folder / "adult.csv").exists():
        return "child", Rows(sampled_study("child", None, records=45_222, seed=0).dataset)
    codes = np.loadtxt(folder / "adult.csv", delimiter=",", skiprows=1, dtype=int)
    labels = json.loads((folder / "adult_int_to_str.json").read_text())
    variables = tuple(
        Variable(f"c{j}", tuple(names[str(code)] for code in range(len(names))))
        for j, names in enumerate(labels)
    )
    return "adult", Rows(Dataset(variables, codes))


def made(rows: Rows, recipe: Recipe, degree: int = 2) -> Rows:
    """Everything from records to synthetic records."""
    how = encoding("vanilla", rows.dataset.variables)
    settings = Settings(recipe=recipe, degree=degree, neighbours=Neighbours.REPLACE)
    rng = np.random.default_rng(0)
    return synthesise(how.encode(rows), how, settings, rng=rng).draw(rng=rng)


def survey_rows(bits: int = BITS, records: int = BIT_RECORDS) -> Rows:
    """Answers that depend on one hidden quantity."""
    return survey(bits, records)


def survey_made(rows: Rows) -> Rows:
    """The same with score F; θ-usefulness gives six parents at this ε."""
    how = encoding("vanilla", rows.dataset.variables)
    settings = Settings(
        recipe=PRIVBAYES, score=Score.PEAK, epsilon=0.8, neighbours=Neighbours.REPLACE
    )
    rng = np.random.default_rng(0)
    found = synthesise(how.encode(rows), how, settings, rng=rng)
    assert found.structure.degree == 6
    return found.draw(rng=rng)


def rival_seconds(rows: Rows) -> float:
    """One run of DataSynthesizer: describe with one parent, generate as many records."""
    from DataSynthesizer.DataDescriber import DataDescriber
    from DataSynthesizer.DataGenerator import DataGenerator

    names = [v.name for v in rows.dataset.variables]

    def run() -> None:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data, description = Path(folder, "data.csv"), Path(folder, "description.json")
            data.write_bytes(records_csv(rows))
            with contextlib.redirect_stdout(io.StringIO()):
                describer = DataDescriber(category_threshold=100)
                describer.describe_dataset_in_correlated_attribute_mode(
                    dataset_file=str(data),
                    epsilon=1.0,
                    k=1,
                    attribute_to_is_categorical=dict.fromkeys(names, True),
                    attribute_to_is_candidate_key=dict.fromkeys(names, False),
                )
                describer.save_dataset_description_to_file(str(description))
                generator = DataGenerator()
                generator.generate_dataset_in_correlated_attribute_mode(
                    rows.records, str(description)
                )

    return _once(run)


def _once(task: Callable[[], None]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-rival", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS)
    given = parser.parse_args()
    main(given.rounds, not given.no_rival, given.runs)
