"""A linear classifier trained on some records, real or synthetic, and tested on others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.privbayes.baselines import majority
from core.privbayes.encoding import Encoding
from core.privbayes.settings import COMPARED, RECIPES, Settings
from core.privbayes.synthesis import synthesise
from core.recoding import halves

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TRAINING = 0.8
"""Share of the records that a synthesis and a classifier may see; the rest is for testing."""


def classified(
    rows: Rows, encoding: Encoding, settings: Settings, target: str, *, rng: np.random.Generator
) -> list[tuple[str, float]]:
    """Share misclassified on held-out records, by what the classifier was trained on."""
    training, testing = halves(rows, TRAINING, rng=rng)
    shares = [("the records themselves, no privacy", misclassified(training, testing, target))]
    source = encoding.encode(training)
    for name in dict.fromkeys((*COMPARED, settings.recipe.name)):
        own = replace(settings, recipe=RECIPES[name])
        synthesis = synthesise(source, encoding, own, rng=rng)
        synthetic = synthesis.draw(rng=rng)
        shares.append((f"synthetic records of {name}", misclassified(synthetic, testing, target)))
    place = [v.name for v in testing.dataset.variables].index(target)
    guess = majority(
        training,
        testing.dataset.variables[place],
        epsilon=settings.epsilon,
        neighbours=settings.neighbours,
        rng=rng,
    )
    wrong = float((testing.dataset.codes[:, place] != guess).mean())
    return [*shares, ("nothing: the most frequent state (Majority)", wrong)]


def misclassified(training: Rows, testing: Rows, target: str) -> float:
    """Share of test records whose target a linear support vector machine gets wrong.

    Trained with C = 1 on all other columns, one indicator for each state. Deviation: squared
    hinge loss, which is solved much faster, where Zhang et al. 2017 (section 6.1) use the hinge.
    """
    from sklearn.svm import LinearSVC  # slow to import, and only this needs it

    names = [v.name for v in training.dataset.variables]
    if target not in names:
        raise EquipoiseError(f"no column {target!r} to classify; there are {', '.join(names[:6])}")
    place = names.index(target)
    learned = training.dataset.codes[:, place]
    wanted = testing.dataset.codes[:, place]
    if len(wanted) == 0:
        raise EquipoiseError("there are no records to test on; use more records")
    if len(np.unique(learned)) < 2:  # nothing to separate: the one state seen is the answer
        only = learned[0] if len(learned) else 0
        return float((wanted != only).mean())
    # so near the optimum that rounding, another on another processor, decides about no record
    machine = LinearSVC(C=1.0, dual=False, tol=1e-8, max_iter=10_000)
    machine.fit(_indicators(training, place), learned)
    return float((machine.predict(_indicators(testing, place)) != wanted).mean())


def _indicators(rows: Rows, left_out: int) -> csr_matrix:
    """One column for each state of each variable but the target."""
    from scipy.sparse import csr_matrix

    dataset = rows.dataset
    others = [j for j in range(len(dataset.variables)) if j != left_out]
    sizes = [dataset.variables[j].cardinality for j in others]
    starts = np.cumsum([0, *sizes[:-1]])
    columns = dataset.codes[:, others].astype(np.int64) + starts
    ends = np.arange(dataset.records + 1) * len(others)
    ones = np.ones(columns.size)
    return csr_matrix((ones, columns.ravel(), ends), shape=(dataset.records, sum(sizes)))
