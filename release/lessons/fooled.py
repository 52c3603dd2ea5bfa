"""Lesson 7: synthetic records that look right and are not."""

from dataclasses import replace

import numpy as np

from core.lessons.lesson import Answer, Bar, Classroom
from core.privbayes.encoding import Encoding, encoding
from core.privbayes.rehearsal import Rehearsal, rehearse
from core.privbayes.settings import PRIVBAYES, Settings
from core.study.experiments import Interval
from sources.classifier import classified

PARENTS = 3
"""Most parents of a structure that is too rich for a small table."""

RUNS = 5
"""Syntheses behind each error."""

SPLITS = 5
"""Divisions into training and test records behind the classifier's errors."""


def settings(room: Classroom, degree: int) -> Settings:
    """PrivBayes as printed, with so many parents at most."""
    return Settings(
        epsilon=room.scenario.epsilon, neighbours=room.scenario.neighbours, degree=degree,
        recipe=PRIVBAYES, theta=1e-6,
    )  # fmt: skip


def coded(room: Classroom) -> Encoding:
    """Every state as it is."""
    return encoding("vanilla", room.network.variables)


def rehearsed(room: Classroom, degree: int, runs: int = RUNS) -> Rehearsal:
    """Synthetic records of some seeded runs."""
    asked = settings(room, degree)
    return rehearse(room.rows, coded(room), asked, seed=room.scenario.seed, replicates=runs)


def look_alike(room: Classroom) -> Answer:
    """Shares of one column in the records and in the synthetic ones, without saying which."""
    rehearsal = rehearsed(room, 0, 1)
    variables = room.network.variables
    column = max(variables, key=lambda v: v.cardinality)
    other = next(v for v in variables if v is not column)
    tables = rehearsal.shares(room.rows, (column.name, other.name))
    real, fake = (tables[key].sum(axis=1) for key in ("records", "synthetic"))
    first = room.scenario.seed % 2 == 1
    pairs = (real, fake) if first else (fake, real)
    hint = tuple(
        Bar(f"{letter}: {column.name} = {state}", 100 * float(shares[i]))
        for letter, shares in zip("AB", pairs, strict=True)
        for i, state in enumerate(column.states)
    )
    ways = rehearsal.intervals
    most = max(ways)
    facts = {
        **room.facts, "column": column.name, "real": "A" if first else "B",
        "apart": 50 * float(np.abs(real - fake).sum()), "ways": most,
        "together": 100 * ways[most].mean,
    }  # fmt: skip
    bars = (
        Bar("one column: this one", float(facts["apart"])),
        *(Bar(f"{w} columns together", 100 * i.mean) for w, i in ways.items()),
    )
    options = ("A is real", "B is real")
    truth = (0.0 if first else 1.0,)
    axis = "records that would have to move, %"
    return Answer(truth, facts, bars, axis, options=options, hint=hint, hint_axis="records, %")


def _interval_bar(name: str, value: Interval) -> Bar:
    return Bar(name, 100 * value.mean, 100 * value.low, 100 * value.high)


def simpler(room: Classroom) -> Answer:
    """Whether independent columns or a learned structure are nearer to the records."""
    ways = max(rehearsed(room, 0, 1).errors)
    flat, rich = (rehearsed(room, degree).intervals[ways] for degree in (0, PARENTS))
    facts = {
        **room.facts, "flat": 100 * flat.mean, "rich": 100 * rich.mean, "ways": ways,
        "parents": PARENTS,
        "better": "Independent columns are" if flat.mean < rich.mean else "The structure is",
    }  # fmt: skip
    bars = (
        _interval_bar("independent columns", flat),
        _interval_bar(f"structure, up to {PARENTS} parents", rich),
    )
    options = ("Independent columns", f"A structure with up to {PARENTS} parents")
    truth = (0.0 if flat.mean < rich.mean else 1.0,)
    axis = f"error over {ways} columns together, %"
    return Answer(truth, facts, bars, axis, options=options)


def classifying(room: Classroom) -> Answer:
    """Whether a classifier that learned from synthetic records beats the most frequent state."""
    target = room.network.variables[-1].name
    asked = replace(settings(room, PARENTS))
    drawn = [
        classified(room.rows, coded(room), asked, target,
                   rng=np.random.default_rng([room.scenario.seed, number]))
        for number in range(SPLITS)
    ]  # fmt: skip
    shares = 100 * np.array([[share for _, share in one] for one in drawn])
    names = [name for name, _ in drawn[0]]
    bars = tuple(
        Bar(name, float(column.mean()), float(column.min()), float(column.max()))
        for name, column in zip(names, shares.T, strict=True)
    )
    real, synthetic, guess = bars[0].value, bars[1].value, bars[-1].value
    facts = {
        **room.facts, "target": target, "real": real, "synthetic": synthetic, "majority": guess,
        "verdict": "beats" if synthetic < guess else "does not beat",
    }  # fmt: skip
    options = ("It beats the most frequent state", "It does not")
    truth = (0.0 if synthetic < guess else 1.0,)
    return Answer(truth, facts, bars, "misclassified of 100", options=options)
