"""BudgetPlan: which table is measured with which part of the budget."""

import math
from dataclasses import dataclass

import numpy as np

from core.errors import EquipoiseError
from core.gaussian_noise import gaussian_budget
from core.network import Network
from core.options import PLAIN, Options, lifted
from core.privacy import Neighbours, check_epsilon
from core.table import Array, cells


@dataclass(frozen=True, eq=False)
class BudgetPlan:
    """All measurements of a release; ``node_epsilon[..., i]`` is what serves variable i.

    A plan that looks at the records differs between replicates: then ``parts`` is
    ``(replicates, tables)`` and ``node_epsilon`` is ``(replicates, nodes)``. Checked when made,
    before the counts it will be spent on are read: every part positive, the sum at most ε.

    With Gaussian noise the guarantee is (ε, δ): tables cost ``rho``, which adds up to what ε and
    ``delta`` allow, and ``parts`` divide ε in proportion to it.
    """

    epsilon: float
    neighbours: Neighbours
    tables: tuple[tuple[str, ...], ...]
    cells: tuple[int, ...]
    parts: Array
    node_epsilon: Array
    stage_one: float = 0.0
    serving: tuple[int, ...] = ()
    """Number of the table each variable's conditional is read from; -1 where it is known."""
    errors: Array | None = None
    """δ_i, the error that Stage I expects of each variable: ``(replicates, nodes)``."""
    delta: float = 0.0
    rho: Array | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        for name in ("parts", "node_epsilon", "errors", "rho"):
            if getattr(self, name) is not None:
                values = np.array(getattr(self, name), dtype=np.float64)
                values.flags.writeable = False
                object.__setattr__(self, name, values)
        rest = math.inf if math.isinf(self.epsilon) else self.epsilon - self.stage_one
        check_parts(self.parts, rest)
        if self.rho is not None:
            check_parts(self.rho, gaussian_budget(self.epsilon, self.delta).rho)

    @property
    def stage_two(self) -> float:
        """Budget of the measurements of the released tables (the largest replicate's)."""
        return float(self.parts.sum(axis=-1).max())

    @property
    def spent(self) -> float:
        """Everything the release costs, by sequential composition."""
        return self.stage_one + self.stage_two

    @property
    def scales(self) -> Array:
        """Noise of each measurement, in records.

        Laplace scale: L1 sensitivity / ε_t. Gaussian standard deviation: see
        :mod:`core.gaussian_noise`.
        """
        if self.rho is not None:
            rounding = gaussian_budget(self.epsilon, self.delta).rounding
            return np.asarray(np.sqrt(self.neighbours.l1_sensitivity / (2 * self.rho) + rounding))
        return np.asarray(self.neighbours.l1_sensitivity / self.parts)


def check_parts(parts: Array, total: float) -> None:
    """Refuse budgets that are not positive or add up to more than the total.

    The sum may exceed the total by rounding only (1e-12 relative).
    """
    if not (parts > 0).all():
        raise EquipoiseError(
            f"a part of the budget is {parts[~(parts > 0)].flat[0]:g}; every part must be positive"
        )
    spent = float(parts.sum(axis=-1).max())
    if spent > total * (1 + 1e-12):
        raise EquipoiseError(f"the parts add up to {spent:.15g}, more than the budget {total:.15g}")


def paired_plan(
    network: Network,
    epsilon: float,
    neighbours: Neighbours,
    node_epsilon: Array,
    stage_one: float = 0.0,
    errors: Array | None = None,
) -> BudgetPlan:
    """Each family's ε in two halves: one for its table, one for its parents' table.

    A root's parent table is the number of records. Source: Chowdhury et al. 2020 (ICML),
    Procedure 1, line 3.
    """
    tables, sizes = [], []
    for family in network.families:
        names = tuple(v.name for v in family)
        tables += [names, names[:-1]]
        sizes += [cells(family), cells(family[:-1])]
    parts = np.repeat(node_epsilon / 2, 2, axis=-1)
    return BudgetPlan(
        epsilon,
        neighbours,
        tuple(tables),
        tuple(sizes),
        parts,
        node_epsilon,
        stage_one,
        tuple(range(0, len(tables), 2)),
        errors,
    )


def even_shares(network: Network, epsilon: float, options: Options = PLAIN) -> Array:
    """ε/n for every node, or what weights and floors make of it.

    Source: Chowdhury et al. 2020 (ICML), section 5, baseline D-Ind.
    """
    weights = lifted(options.weights_of(network), options.floors_of(network))
    return np.asarray(check_epsilon(epsilon) * weights / weights.sum())


def sensitivities(network: Network) -> Array:
    """Mean sensitivity Δ_i of the distributions of a node's children to its parameters.

    Chowdhury et al. 2020 (ICML), Eq. 7, in closed form: because Σ_y P(y | x, pa) = 1, it is the
    mean over children Y of 1/|Y|, divided by the number of settings of the node's parents. No
    data enters; a leaf has 0.
    """
    moves = np.zeros(len(network.families))
    for i, children in enumerate(network.children[: len(moves)]):
        if children:
            mean = math.fsum(1 / network.variables[c].cardinality for c in children)
            moves[i] = mean / len(children) / cells(network.families[i][:-1])
    return moves


def importance(network: Network) -> Array:
    """W_i = (height + 1) (out-degree + 1) (Δ_i + 1). Source: the same, Eq. 11."""
    tabled = len(network.families)
    heights = np.array(network.heights[:tabled], dtype=np.float64)
    degrees = np.array([len(c) for c in network.children[:tabled]], dtype=np.float64)
    return (heights + 1) * (degrees + 1) * (sensitivities(network) + 1)
