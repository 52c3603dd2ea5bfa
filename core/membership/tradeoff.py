"""What the noise of the actual plan guarantees: composed privacy-loss distributions.

The attack swaps one record, so in every measured table one cell loses a record and another gains
one: two coordinates, each shifted by one under noise of the table's scale. The loss of all
measurements is the sum of independent losses, so its distribution is a convolution. Each loss is
put on a grid by splitting every bit of mass between its two neighbours so that the mass under
*both* hypotheses is kept: the grid then says a little more than the truth (never less), with an
error of second order in its step.
"""

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import EquipoiseError
from core.membership.bound import swap_epsilon
from core.methods.noise import GAUSSIAN_TABLE, discrete_gaussian_chances
from core.methods.plans import BudgetPlan
from core.table import Array

SMALLEST, LARGEST = 2**13, 2**17
"""Grid points; more where many tables share the budget."""

TAIL = 10.0
"""Standard deviations of a Gaussian loss that the grid reaches: beyond lies less than 1e-22."""

RAREST = 1e-7
"""False alarms below which masses are as small as the rounding of the transform that adds them up:
of 20,000 answers of ε = 0.01 it told 1e-12 members found at 1e-12 false alarms; 1e-8 are."""

Coordinate = tuple[str, float]
"""A kind of noise on one cell and its strength: ε = 1 / scale, or 1 / deviation if Gaussian."""

Atoms = tuple[Array, Array, Array]
"""Losses, and their masses under both hypotheses."""


@dataclass(frozen=True, eq=False)
class LossDistribution:
    """Mass of the privacy loss ln(P / Q) under P, at multiples of ``step``, loss 0 in the middle.

    All noise here is symmetric, so the mass under Q is the same array read backwards.
    """

    step: float
    masses: Array

    @property
    def losses(self) -> Array:
        """Loss at each grid point."""
        half = self.masses.size // 2
        return np.asarray(self.step * np.arange(-half, half + 1), dtype=np.float64)

    def delta(self, epsilon: float) -> float:
        """δ(ε): largest P(S) - e^ε Q(S) over all events."""
        gain = -np.expm1(np.minimum(epsilon - self.losses, 0.0))
        return float((self.masses * gain).sum())

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """False alarms and power of the most powerful tests, rising from (0, 0) to (1, 1)."""
        false = np.concatenate([[0.0], np.cumsum(self.masses)])
        power = np.concatenate([[0.0], np.cumsum(self.masses[::-1])])
        return false, power

    def powers(self, alphas: Array) -> Array:
        """Largest share of members found at each false-alarm rate; below ``RAREST``, at that."""
        return np.interp(np.maximum(alphas, RAREST), *self.curve)

    @property
    def auc(self) -> float:
        """Area under the curve."""
        false, power = self.curve
        return float(((power[1:] + power[:-1]) * np.diff(false)).sum() / 2)

    @property
    def advantage(self) -> float:
        """Largest difference of power and false alarms."""
        false, power = self.curve
        return float((power - false).max())


def _response(epsilon: float, step: float) -> Atoms:
    """Randomised response: what every ε-private mechanism stays below.

    Discrete Laplace noise of scale 1/ε on one shifted cell is exactly this.
    """
    rare = math.exp(-epsilon) / (1 + math.exp(-epsilon))
    p = np.array([1 - rare, rare])
    return np.array([epsilon, -epsilon]), p, p[::-1]


def _laplace(epsilon: float, step: float) -> Atoms:
    """Laplace noise of scale 1/ε on a cell shifted by one.

    Below 0 the loss is ε, above 1 it is -ε, at x between it is ε (1 - 2x): cut where the grid
    cuts it, each piece summarised by its two masses (its loss is then ln(P / Q)).
    """
    inner = np.arange(math.ceil(-epsilon / step), math.floor(epsilon / step) + 1) * step
    cuts = np.unique(np.concatenate([[-epsilon], inner, [epsilon]]))
    where = (1 - cuts / epsilon) / 2  # falling from 1 to 0
    under_p = np.diff(np.exp(-epsilon * where)) / 2
    under_q = -np.diff(np.exp(-epsilon * (1 - where))) / 2
    side = math.exp(-epsilon) / 2
    p = np.concatenate([[side], under_p, [0.5]])
    q = np.concatenate([[0.5], under_q, [side]])
    kept = (p > 0) & (q > 0)
    p, q = p[kept], q[kept]
    return np.log(p / q), p, q


def _gaussian(strength: float, step: float) -> Atoms:
    """Discrete Gaussian noise of deviation 1 / strength on a cell shifted by one.

    The loss at k is (1 - 2k) / (2 deviation²).
    """
    reach = math.ceil(TAIL / strength) + 1
    chances = discrete_gaussian_chances(1 / strength, reach)
    p, q = chances[1:], chances[:-1]  # at k, with and without the shift
    losses = (1 - 2 * np.arange(-reach + 1, reach + 1)) * strength**2 / 2
    kept = (p > 0) & (q > 0)
    return losses[kept], p[kept], q[kept]


KINDS = {"laplace": _laplace, "discrete laplace": _response, "discrete gaussian": _gaussian}
RESPONSE = "discrete laplace"


def _on_grid(atoms: Atoms, step: float, points: int) -> Array:
    """Masses under P on ``points`` grid points, index 0 being loss 0 and negative ones last."""
    kept = atoms[1] > 0  # beyond ε = 700 the rare answer has no mass a float can hold
    losses, p, q = (part[kept] for part in atoms)
    below = np.floor(losses / step).astype(np.int64)
    # a at the point below and b at the one above: p = a + b, q = a e^-low + b e^-(low + step)
    with np.errstate(divide="ignore"):  # no mass under Q at all: everything to the point above
        surplus = -np.expm1(np.log(q / p) + below * step)
    upper = p * np.clip(surplus / -math.expm1(-step), 0.0, 1.0)
    first = np.bincount(below % points, p - upper, points)
    second = np.bincount((below + 1) % points, upper, points)
    return np.asarray(first + second, dtype=np.float64)


def _reach(coordinates: Counter[Coordinate]) -> float:
    """Largest loss of all coordinates together that the grid has to hold."""
    bounded = math.fsum(e * n for (kind, e), n in coordinates.items() if "gaussian" not in kind)
    spread = math.fsum(e * e * n for (kind, e), n in coordinates.items() if "gaussian" in kind)
    return bounded + spread / 2 + TAIL * math.sqrt(spread)


def compose(coordinates: Counter[Coordinate]) -> LossDistribution:
    """The loss of many measurements together; coordinates that are alike are counted."""
    times = coordinates.total()
    if not times:
        return LossDistribution(1.0, np.ones(1))
    reach = _reach(coordinates)
    wanted = min(LARGEST, max(SMALLEST, 16 * reach / min(e for _, e in coordinates)))
    points = 2 ** math.ceil(math.log2(max(wanted, 4 * times + 4)))
    step = 2 * reach / (points - 2 * times - 2)  # each coordinate may be rounded out by one step
    product = np.ones(points // 2 + 1, dtype=np.complex128)
    for (kind, strength), count in sorted(coordinates.items()):
        product *= np.fft.rfft(_on_grid(KINDS[kind](strength, step), step, points)) ** count
    masses = np.maximum(np.fft.irfft(product, points), 0.0)
    centred = np.roll(masses, points // 2)[1:]
    return LossDistribution(step, centred / centred.sum())


def composed(
    plan: BudgetPlan, noise: str, tests: tuple[float, ...] = ()
) -> LossDistribution | None:
    """The guarantee that follows from a plan's own noise; none where there is no noise.

    A plan that does not look at the records: two coordinates for every table of more than one
    cell (the total does not change in a swap). A record that nothing is swapped for moves one
    coordinate of every table; that is less, unless totals outnumber the tables or have less noise,
    and then those totals count as well. A plan that does look is bounded by its two stages, each as
    the worst mechanism of its ε, because Stage II may put all of its budget anywhere.
    ``tests`` are the pure ε of further looks at the records, fixed before: each counts as the worst
    mechanism of its ε as well, whatever it is asked of.
    """
    if not math.isfinite(plan.epsilon):
        return None
    if plan.stage_one > 0 or plan.parts.ndim > 1:
        stages = [e for e in (plan.stage_one, plan.epsilon - plan.stage_one) if e > 0]
        swapped = (swap_epsilon(e, plan.neighbours) for e in (*stages, *tests))
        return compose(Counter((RESPONSE, e) for e in swapped))
    if noise not in KINDS:
        raise EquipoiseError(f"no privacy loss is known for {noise!r} noise")
    coordinates = Counter((RESPONSE, swap_epsilon(e, plan.neighbours)) for e in tests)
    # more noise than is tabulated loses less than the most that is
    most = GAUSSIAN_TABLE if "gaussian" in noise else math.inf
    pairs = [(size > 1, 1 / min(s, most)) for s, size in zip(plan.scales, plan.cells, strict=True)]
    tables = sorted((strength for many, strength in pairs if many), reverse=True)
    totals = sorted((strength for many, strength in pairs if not many), reverse=True)
    for strength in tables:
        coordinates[noise, strength] += 2
    for total, table in itertools.zip_longest(totals, tables[: len(totals)], fillvalue=0.0):
        if total > table:
            coordinates[noise, total] += 1
    return compose(coordinates)
