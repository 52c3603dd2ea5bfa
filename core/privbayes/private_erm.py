"""PrivateERM: a linear classifier trained with a perturbed objective.

Source: Chaudhuri, Monteleoni, Sarwate 2011 (JMLR), Algorithm 2 with the Huber loss of section 3.4:
what Zhang et al. 2017 compare synthetic records with. Study only here: seeded, not audited.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.privacy import check_epsilon
from core.table import Array

HUBER = 0.5
"""Half-width h of the smooth part of the loss; its curvature is at most 1 / 2h."""

ROUNDS = 60


@dataclass(frozen=True, eq=False)
class Examples:
    """Features of norm at most one, ``(records, features)``, and labels -1 or 1. Private."""

    features: Array
    labels: Array

    @classmethod
    def of(cls, rows: Rows, target: str) -> Examples:
        """Indicators of the states of all other columns, scaled to norm one. Reads rows."""
        variables = rows.dataset.variables
        place = [v.name for v in variables].index(target)
        if variables[place].cardinality != 2:
            raise EquipoiseError(
                f"{target!r} has {variables[place].cardinality} states; it needs 2"
            )
        codes = rows.dataset.codes
        others = [j for j in range(len(variables)) if j != place]
        columns = [codes[:, [j]] == np.arange(variables[j].cardinality) for j in others]
        features = np.concatenate(columns, axis=1) / math.sqrt(len(others))
        return cls(features, 2.0 * (codes[:, place] == 1) - 1)


def private_erm(
    examples: Examples, *, epsilon: float, penalty: float, rng: np.random.Generator
) -> Array:
    """Weights that minimise the perturbed objective: ε-private for one record replaced.

    The mean loss has curvature at most c = 1/2h; ε' = ε - ln(1 + 2c/nΛ + c²/n²Λ²), and where that
    is not positive Λ is raised until ε' = ε/2. The objective gets b·w/n, b as exp(-ε'|b|/2).
    """
    records, features = examples.features.shape
    curvature = 1 / (2 * HUBER)
    ratio = curvature / (records * penalty)
    left = check_epsilon(epsilon) - 2 * math.log1p(ratio)
    raised = penalty
    if left <= 0:
        raised = max(penalty, curvature / (records * math.expm1(epsilon / 4)))
        left = epsilon / 2
    noise: Array = np.zeros(features)
    if math.isfinite(epsilon):
        direction: Array = np.asarray(rng.standard_normal((features,)))
        length = float(rng.gamma(features, 2 / left)) / float(np.linalg.norm(direction))
        noise = np.asarray(length * direction)
    return _minimum(examples, raised, noise / records)


def _minimum(examples: Examples, penalty: float, tilt: Array) -> Array:
    """Newton's method with halved steps on the strictly convex objective."""
    signed = examples.features * examples.labels[:, None]
    weights = np.zeros(signed.shape[1])
    for _ in range(ROUNDS):
        margins = signed @ weights
        slopes, bends = _huber(margins)
        gradient = signed.T @ slopes / len(signed) + penalty * weights + tilt
        if float(np.abs(gradient).max()) < 1e-9:
            break
        curved = signed[bends > 0]
        hessian = curved.T @ curved * (1 / (2 * HUBER) / len(signed))
        hessian += penalty * np.eye(len(weights))
        step = np.asarray(np.linalg.solve(hessian, gradient), dtype=np.float64)
        weights = _descend(signed, weights, step, penalty, tilt)
    return weights


def _objective(signed: Array, weights: Array, penalty: float, tilt: Array) -> float:
    margins = signed @ weights
    inside = np.abs(1 - margins) <= HUBER
    losses = np.where(inside, (1 + HUBER - margins) ** 2 / (4 * HUBER), np.maximum(1 - margins, 0))
    return float(losses.mean() + penalty / 2 * weights @ weights + tilt @ weights)


def _descend(signed: Array, weights: Array, step: Array, penalty: float, tilt: Array) -> Array:
    before = _objective(signed, weights, penalty, tilt)
    size = 1.0
    while size > 1e-6:
        moved = weights - size * step
        if _objective(signed, moved, penalty, tilt) < before:
            return np.asarray(moved)
        size /= 2
    return weights


def _huber(margins: Array) -> tuple[Array, Array]:
    """Slope of the loss at each margin, and whether it bends there."""
    inside = np.abs(1 - margins) <= HUBER
    slopes = np.where(inside, (margins - 1 - HUBER) / (2 * HUBER), np.where(margins < 1, -1.0, 0.0))
    return slopes, inside.astype(np.float64)


def misclassified_by(weights: Array, examples: Examples) -> float:
    """Share of examples on the wrong side."""
    return float((np.sign(examples.features @ weights) != examples.labels).mean())
