"""Collective graphical models: the true tables as hidden variables, learned by EM.

b is the Laplace scale of a cell, N the number of records, y the noisy tables. The E-step (the most
probable tables given y and θ, with Stirling's approximation) has a smooth dual with one bounded
number for each cell: minimise A(θ + g) - g·y/N over |g| <= 1/b. Its solution gives the tables
N·μ(θ + g), and the M-step that follows is exactly θ + g. So EM is a sequence of bounded moves; its
limit is the point of the marginal polytope nearest to y in L1.
"""

import itertools
from collections.abc import Iterator

import numpy as np

from core.markov.belief import column_marginals
from core.markov.descent import Index, Minimum, minimise
from core.markov.graph import Field
from core.markov.likelihood import SLACK, Learned, slack
from core.table import Array, replicates_last

STEPS = 3
"""EM steps after the naive start: few, because EM fits the noise when it runs long."""

ROUNDS = 300
"""Most rounds of one E-step."""


def collective(
    field: Field,
    noisy: Array,
    records: float | Array,
    scale: float | Array,
    *,
    start: Array,
    steps: int = STEPS,
) -> Learned:
    """θ after ``steps`` EM steps from ``start``; shapes as in :func:`em_steps`.

    Solved are replicates of which every E-step was: an E-step that stopped short still lowers its
    value, so EM goes on from there (generalised EM, Dempster et al. 1977).
    """
    theta = np.broadcast_to(start, noisy.shape)
    solved = np.ones(noisy.shape[:-1], dtype=np.bool_)
    for step in itertools.islice(em_steps(field, noisy, records, scale, start), steps):
        theta, solved = step.theta, solved & step.converged
    return Learned(theta, solved)


def em_steps(
    field: Field,
    noisy: Array,
    records: float | Array,
    scale: float | Array,
    start: Array,
    share: float = SLACK,
) -> Iterator[Learned]:
    """θ after one EM step, after two, and so on, without end; each with its own E-step's end.

    ``records`` may have the replicates' shape; ``scale`` broadcasts to ``(*replicates, cells)``,
    and a cell of infinite scale counts as not measured. ``share`` of the noise is the largest
    gradient an E-step leaves. Source: Bernstein et al. 2017, Algorithm 2, with the E-step solved
    by its dual instead of Algorithm 1.
    """
    lead = noisy.shape[:-1]
    y = replicates_last(noisy / np.asarray(records)[..., None])
    with np.errstate(divide="ignore"):  # without noise a step may go as far as it likes
        bound = replicates_last(
            1 / np.broadcast_to(np.asarray(scale, dtype=np.float64), noisy.shape)
        )
    theta = replicates_last(np.broadcast_to(start, noisy.shape))
    moves = np.zeros(theta.shape)
    least = np.broadcast_to(slack(scale, records, share), lead).ravel()
    while True:  # the last moves are a good guess of the next
        best = e_step(field, theta, y, bound, start=moves, tolerance=least)
        moves = best.point
        theta = theta + moves
        yield Learned(theta.T.reshape(noisy.shape), best.converged.reshape(lead))


def e_step(
    field: Field, theta: Array, y: Array, bound: Array, *, start: Array, tolerance: Array
) -> Minimum:
    """The minimum over |g| <= bound of A(θ + g) - g·y; everything ``(cells, replicates)``.

    ``y`` are noisy tables divided by N. The value never rises, whatever the start.
    """

    def objective(moves: Array, active: Index) -> tuple[Array, Array]:
        partition, expected = column_marginals(field, theta[:, active] + moves)
        wanted = y[:, active]
        return partition - (wanted * moves).sum(axis=0), expected - wanted

    return minimise(objective, start, bound=bound, tolerance=tolerance, rounds=ROUNDS)
