"""Algorithms 1 and 2 as printed, to compare with: non-linear belief propagation inside EM.

Algorithm 1 looks for the most probable tables by repeated belief propagation with the slope of the
noise's log-density added to the potentials. That slope jumps where a table meets its noisy value,
so a constant damping keeps jumping; one that falls with the rounds converges slowly. Learning uses
the dual in ``collective`` instead. Source: Bernstein et al. 2017, section 3.2.
"""

from dataclasses import dataclass

import numpy as np

from core.markov.belief import marginals
from core.markov.graph import Field
from core.markov.likelihood import fit, slack
from core.table import Array

LEAST_PENALTY = 1e-6
"""λ of the M-step: tables on the edge of the polytope have no finite maximum."""


@dataclass(frozen=True)
class Damping:
    """Round k takes the share ``share`` / (1 + ``decay``·k) of the new tables.

    Constant as printed, and convergent with both at 0.1.
    """

    share: float
    decay: float = 0.0
    rounds: int = 200


def nonlinear_belief(
    field: Field,
    theta: Array,
    noisy: Array,
    records: float,
    scale: float,
    damping: Damping,
) -> Array:
    """Tables ``(*replicates, cells)`` after rounds of Algorithm 1."""
    tables = records * marginals(field, np.broadcast_to(theta, noisy.shape))[1]
    for k in range(damping.rounds):
        slope = np.sign(noisy - tables) / scale
        share = damping.share / (1 + damping.decay * k)
        tables = (1 - share) * tables + share * records * marginals(field, theta + slope)[1]
    return tables


def printed_em(
    field: Field,
    noisy: Array,
    records: float,
    scale: float,
    *,
    start: Array,
    steps: int,
    rounds: int = 200,
) -> Array:
    """θ after EM steps of Algorithm 2, each with a full Algorithm 1 and a full maximisation."""
    theta = np.broadcast_to(start, noisy.shape)
    for _ in range(steps):
        tables = nonlinear_belief(field, theta, noisy, records, scale, Damping(0.1, 0.1, rounds))
        theta = fit(
            field,
            tables / records,
            penalty=LEAST_PENALTY,
            tolerance=slack(scale, records),
            start=np.array(theta),
        ).theta
    return theta
