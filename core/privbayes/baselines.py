"""What PrivBayes is compared with: simpler ways to the same marginals, each ε-private.

Each takes the marginals that are wanted and gives one distribution per marginal, flat. Source:
Zhang et al. 2017 (TODS), section 6.1, which leaves out ``independent``. Public: variables, states;
the number of records where one is replaced.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.counts import CountSource
from core.estimation.projection import project
from core.methods.noise import discrete_laplace
from core.privacy import Neighbours
from core.privbayes.distances import Marginal, normalised
from core.privbayes.multiplicative import MWEM_CELLS, Wanted, mwem, noise_scale
from core.table import CELL_LIMIT, Array, Variable, cells


class RunBaseline(Protocol):
    """The one signature of all baselines."""

    def __call__(self, wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
        """One distribution per marginal."""


def uniform(wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
    """Every cell alike; reads nothing."""
    return [np.full(cells(marginal), 1 / cells(marginal)) for marginal in wanted.marginals]


def independent(wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
    """Products of noisy distributions of single variables, ε/d each (k = 0)."""
    scale = wanted.scale(len(wanted.variables))
    single = {}
    for table in wanted.source.counts([(v,) for v in wanted.variables]):
        noisy = table.values + discrete_laplace(table.values.shape, scale, rng=rng)
        single[table.variables[0]] = normalised(project(noisy[None])[0][0])
    products = []
    for marginal in wanted.marginals:
        product: Array = np.ones(1)
        for variable in marginal:
            product = np.multiply.outer(product, single[variable]).ravel()
        products.append(product)
    return products


def laplace(wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
    """Every wanted marginal with noise of its own, an even share each."""
    scale = wanted.scale(len(wanted.marginals))
    return [
        _clipped(table.values.ravel(), scale, rng=rng)
        for table in wanted.source.counts(wanted.marginals)
    ]


def fourier(wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
    """Noisy Fourier coefficients, each shared by all marginals that hold it; binary variables.

    A coefficient Σ ±c changes by 1 when a record is added and by at most 2 when one is replaced;
    the total does not change in the second case and gets no noise. Source: Barak et al. 2007.
    """
    tables = wanted.source.counts(wanted.marginals)
    exact: dict[frozenset[str], float] = {}
    for marginal, table in zip(wanted.marginals, tables, strict=True):
        turned = _walsh(len(marginal)) @ table.values.ravel()
        exact.update(zip(_subsets(marginal), turned.tolist(), strict=True))
    public = wanted.neighbours is Neighbours.REPLACE
    scale = wanted.scale(len(exact) - public)
    noise = discrete_laplace((len(exact),), scale, rng=rng).tolist()
    noisy = {
        held: value + (0.0 if public and not held else extra)
        for (held, value), extra in zip(exact.items(), noise, strict=True)
    }
    turned_back = []
    for marginal in wanted.marginals:
        turned = np.array([noisy[held] for held in _subsets(marginal)])
        values = _walsh(len(marginal)) @ turned / 2 ** len(marginal)
        turned_back.append(normalised(np.maximum(values, 0)))
    return turned_back


def contingency(wanted: Wanted, *, rng: np.random.Generator) -> list[Array]:
    """The whole contingency table with noise, summed."""
    (table,) = wanted.source.counts([tuple(wanted.variables)])
    noisy = _clipped(table.values.ravel(), wanted.scale(1), rng=rng)
    whole = noisy.reshape(table.values.shape)
    position = {variable: axis for axis, variable in enumerate(wanted.variables)}
    sums = []
    for marginal in wanted.marginals:
        kept = [position[variable] for variable in marginal]
        gone = tuple(axis for axis in range(len(wanted.variables)) if axis not in kept)
        summed = np.asarray(whole.sum(axis=gone))
        sums.append(summed.transpose([sorted(kept).index(axis) for axis in kept]).ravel())
    return sums


def majority(
    source: CountSource,
    target: Variable,
    *,
    epsilon: float,
    neighbours: Neighbours,
    rng: np.random.Generator,
) -> int:
    """Code of the most frequent state by noisy counts: the classifier that looks at nothing.

    Deviation: the paper compares one noisy count with half of the records, for two states.
    """
    (table,) = source.counts([(target,)])
    noise = discrete_laplace(table.values.shape, noise_scale(epsilon, 1, neighbours), rng=rng)
    return int(np.argmax(table.values + noise))


def _clipped(values: Array, scale: float, *, rng: np.random.Generator) -> Array:
    """With noise, negative cells set to zero, as a distribution."""
    return normalised(np.maximum(values + discrete_laplace(values.shape, scale, rng=rng), 0))


def _walsh(size: int) -> Array:
    """The transform of binary tables: entry (s, x) is -1 to the number of ones they share."""
    matrix: Array = np.ones((1, 1))
    for _ in range(size):
        matrix = np.asarray(np.kron(matrix, [[1.0, 1.0], [1.0, -1.0]]))
    return matrix


def _subsets(marginal: Marginal) -> list[frozenset[str]]:
    """The variables of each coefficient, in the order of the transform."""
    return [
        frozenset(v.name for v, held in zip(marginal, chosen, strict=True) if held)
        for chosen in itertools.product((0, 1), repeat=len(marginal))
    ]


@dataclass(frozen=True)
class Baseline:
    """One way to compare with; ``binary`` variables only, at most ``joint`` cells in all."""

    name: str
    title: str
    run: RunBaseline
    binary: bool = False
    joint: float = math.inf

    def unfit(self, variables: Sequence[Variable]) -> str:
        """Why it cannot be used here; empty where it can."""
        if self.binary and any(v.cardinality != 2 for v in variables):
            return "needs variables of two states"
        if cells(variables) > self.joint:
            return f"needs a joint table of at most {self.joint:,.0f} cells"
        return ""


BASELINES = {
    b.name: b
    for b in (
        Baseline("uniform", "Uniform", uniform),
        Baseline("independent", "Independent (k = 0)", independent),
        Baseline("laplace", "Laplace", laplace),
        Baseline("fourier", "Fourier", fourier, binary=True),
        Baseline("contingency", "Contingency", contingency, joint=CELL_LIMIT),
        Baseline("mwem", "MWEM", mwem, joint=MWEM_CELLS),
    )
}
