"""The cliques of an elimination order, joined to a tree, and whether they fit in memory."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.errors import EquipoiseError
from core.inference.triangulation import Elimination, members
from core.table import CELL_LIMIT, Variable

TOTAL_LIMIT = 2**24
"""Most cells all cliques may have together (128 MiB of float64 for one replicate)."""


class Forest(NamedTuple):
    """Maximal cliques as masks, each with a parent (itself for the first); homes of variables.

    Shared variables stay together: a variable's cliques are connected. A component of its own
    hangs on the first clique and shares nothing with it. There is at least one clique.
    """

    masks: tuple[int, ...]
    parents: tuple[int, ...]
    home: dict[int, int]


def maximal_cliques(elimination: Elimination) -> Forest:
    """The maximal cliques of an elimination; a variable's home held it when it was eliminated."""
    rank = {v: place for place, v in enumerate(elimination.order)}
    masks: list[int] = []
    parents: list[int] = []
    home: dict[int, int] = {}
    steps = list(zip(elimination.order, elimination.neighbours, strict=True))
    for v, mask in reversed(steps):
        above = home[min(members(mask), key=rank.__getitem__)] if mask else 0
        if mask and masks[above] == mask:
            masks[above] |= 1 << v
            home[v] = above
        else:
            home[v] = len(masks)
            masks.append(mask | 1 << v)
            parents.append(above)
    return Forest(tuple(masks) or (0,), tuple(parents) or (0,), home)


def check_sizes(variables: Sequence[Variable], cliques: Sequence[frozenset[int]]) -> None:
    """Refuse cliques that are too large, one by one or together."""
    sizes = [math.prod(variables[v].cardinality for v in c) for c in cliques]
    largest = max(range(len(cliques)), key=sizes.__getitem__)
    if sizes[largest] > CELL_LIMIT:
        excess = f"{spelled(sizes[largest])} cells; at most {CELL_LIMIT:,} are allowed"
    elif sum(sizes) > TOTAL_LIMIT:
        excess = (
            f"{sizes[largest]:,} cells, and {sum(sizes):,} cells in all; at most "
            f"{TOTAL_LIMIT:,} are allowed in all"
        )
    else:
        return
    names = [variables[v].name for v in sorted(cliques[largest])]
    listed = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    raise EquipoiseError(
        f"exact inference needs a table over {listed} with {excess}, so remove edges between "
        "these variables, merge their states, or ask about fewer variables"
    )


def spelled(cells: int) -> str:
    """A number of cells that a person can read."""
    return f"{cells:,}" if cells < 10**12 else f"about 10^{int(math.log10(cells))}"
