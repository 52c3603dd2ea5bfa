"""Views: a public covering of all pairs by small blocks of columns, and hidden classes for all.

Nothing is spent on choosing: every block gets the same, and every pair is in a block.
"""

from __future__ import annotations

from core.errors import EquipoiseError
from core.network import Network
from core.parameters import Model
from core.synthesis.classes import fitted_classes
from core.synthesis.forecast import FEW_COLUMNS, FEW_STATES, view_covering
from core.synthesis.measuring import Bench, TableStep
from core.table import Variable

HIDDEN = "hidden class"


def viewed(bench: Bench, *, records: float | None) -> tuple[Model, float]:
    """The mixture that fits all views, as a network with its class, and the number of records."""
    covering = view_covering(bench.variables, bench.purse)
    if covering is None:
        raise EquipoiseError(
            f"views are for 3 to {FEW_COLUMNS} columns of at most {FEW_STATES} states; choose "
            "adaptive or equipoise-synthesis"
        )
    blocks = list(covering.blocks)
    each = bench.left * (1 - 1e-12) / len(blocks)
    bench.measure(blocks, [each] * len(blocks))
    bench.steps += [TableStep(block, each) for block in blocks]
    own = [table for table in bench.tables if len(table.columns) > 1]
    mean = sum(float(table.values.sum()) for table in own) / len(own)
    total = max(1.0, mean if records is None else records)
    sizes = [v.cardinality for v in bench.variables]
    classes = fitted_classes(sizes, own, total)
    return classes.model(
        bench.variables, hidden_variable(bench.variables, len(classes.weights))
    ), total


def hidden_variable(variables: tuple[Variable, ...], classes: int) -> Variable:
    """A variable for the class, by a name that no column has."""
    name, names = HIDDEN, {v.name for v in variables}
    while name in names:
        name += " "
    return Variable(name, tuple(f"class {k + 1}" for k in range(classes)))


def without_hidden(network: Network) -> tuple[Variable, ...]:
    """The columns of a model of views: all but its class."""
    return tuple(v for v in network.variables if not v.name.startswith(HIDDEN))
