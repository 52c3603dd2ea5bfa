"""Pairs of neighbouring data sets on which a broken mechanism shows, built from the domain alone.

Made up: nobody's records. Few records make each one matter most, and the empty cell, the crowded
cell and the empty table are where noise is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.counts import Rows
from core.dataset import Dataset
from core.knowledge import PublicTable
from core.network import Network
from core.options import Options
from core.privacy import Neighbours
from core.privbayes.rules import PENALTY
from core.privbayes.settings import Settings
from core.table import Variable, cells
from release.words import counted

CASES = 3
"""Pairs of each domain."""

CROWD = 20
"""Records of a crowded cell."""


@dataclass(frozen=True)
class NeighbourPair:
    """Two neighbouring data sets over the variables of one network."""

    name: str
    network: Network
    left: Rows
    right: Rows


def worst_cases(network: Network, neighbours: Neighbours) -> tuple[NeighbourPair, ...]:
    """The pairs of a domain: records all in the first states, and one all in the last."""
    common = [0] * len(network.variables)
    rare = [v.cardinality - 1 for v in network.variables]
    crowd = [common] * CROWD
    pairs: tuple[tuple[str, list[list[int]], list[list[int]]], ...]
    if neighbours is Neighbours.ADD_REMOVE:
        pairs = (
            ("nobody against one record", [], [rare]),
            ("one more in a crowded cell", crowd, [*crowd, common]),
            ("one in an empty cell", crowd, [*crowd, rare]),
        )
    else:
        half = [common, rare] * (CROWD // 2)
        pairs = (
            ("one record against another", [common], [rare]),
            ("one moves between crowded cells", half, [*half[:-1], common]),
            ("one moves into an empty cell", crowd, [*crowd[:-1], rare]),
        )
    count = len(network.variables)
    return tuple(
        NeighbourPair(
            f"{name}, {counted(count, 'variable')}", network, _rows(network, a), _rows(network, b)
        )
        for name, a, b in pairs
    )


RARE = 20
"""One record in so many has a rare state, where one record is to decide what is learned."""


def learning_cases(settings: Settings) -> tuple[NeighbourPair, ...]:
    """Pairs over three variables: almost nobody, and two on which one record moves the choice.

    a and b never are rare together, by which they depend on each other. One record that is rare in
    all takes nearly all that it can off the score of a and b, and gives as much to those with c. In
    one pair that score is as large as the noise of a choice, so that half of it shows best; in the
    other the two data sets have another best graph.
    """
    variables = tuple(Variable(name, ("0", "1")) for name in "abc")
    network = Network(variables, ((),) * 3)
    spending, relation = settings.spending, settings.neighbours
    likely = 2 * 2 / (spending.structure / 2)  # records that make a candidate e times less likely
    charge = PENALTY * 2 * 3 * relation.l1_sensitivity / spending.tables
    close = (charge if settings.recipe.penalised else 0) + 1
    replaced = relation is Neighbours.REPLACE
    first = "one record against another" if replaced else "nobody against one record"
    pairs = [(first, [[0, 0, 0]] * replaced, [[1, 1, 1]])]
    for name, score in (
        ("one record moves the choice", likely),
        ("one record decides the best graph", close),
    ):
        few = max(1, round(RARE * score / 2))
        crowd = [[1, 0, 0]] * few + [[0, 1, 0]] * few + [[0, 0, 0]] * ((RARE - 2) * few)
        pairs.append((name, crowd, [*crowd[: len(crowd) - replaced], [1, 1, 1]]))
    return tuple(
        NeighbourPair(n, network, _rows(network, a), _rows(network, b)) for n, a, b in pairs
    )


def carried(options: Options, network: Network) -> Options:
    """Options for a small domain: its first variable stands for the first one locked or weighed.

    Its last ones stand for what is known, with uniform tables; one at least is measured. What is
    impossible changes nothing that is drawn. Options about the domain itself stay as they are.
    """
    if options.within(network) == options:
        return options
    named = dict.fromkeys(name for name, _ in (*options.floors, *options.weights))
    stands = dict(zip(named, network.names, strict=False))
    spare = network.families[max(1, len(stands)) :]
    return replace(
        options,
        floors=tuple((stands[n], share) for n, share in options.floors if n in stands),
        weights=tuple((stands[n], weight) for n, weight in options.weights if n in stands),
        known=tuple(map(_uniform, spare[::-1][: len(options.known)])),
        possible=(),
    )


def _uniform(family: tuple[Variable, ...]) -> PublicTable:
    return PublicTable(family, (1 / family[-1].cardinality,) * cells(family))


def _rows(network: Network, records: list[list[int]]) -> Rows:
    codes = np.array(records, dtype=np.uint32).reshape(-1, len(network.variables))
    return Rows(Dataset(network.variables, codes))
