"""Pairs of neighbouring data sets on which a broken mechanism shows, built from the domain alone.

Made up: nobody's records. Few records make each one matter most, and the empty cell, the crowded
cell and the empty table are where noise is forgotten.
"""

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

DEPENDENT, SCARCE = 200, 50
"""Records by which two variables of three states depend; one record in so many is of that kind."""


def learning_cases(settings: Settings) -> tuple[NeighbourPair, ...]:
    """Pairs over three variables: almost nobody, and two on which one record moves the choice.

    a and b never are rare together, by which they depend on each other. One record that is rare in
    all takes nearly all that it can off the score of a and b, and gives as much to those with c. In
    one pair that score is as large as the noise of a choice, so that half of it shows best; in the
    other the two data sets have another best graph. Where a record is replaced, two states let it
    move a score by two thirds of the printed bound only: there the first of the two has three.
    """
    spending, relation = settings.spending, settings.neighbours
    part = spending.structure / 2  # two choices
    charge = PENALTY * 2 * 3 * relation.l1_sensitivity / spending.tables
    close = (charge if settings.recipe.penalised else 0) + 1
    if relation is Neighbours.REPLACE:
        first = ("one record against another", [[0] * 3], [[1] * 3], 2)
        moved = _moved_by_three(1.5 / part)
    else:
        first = ("nobody against one record", [], [[1] * 3], 2)
        moved = _avoiding(4 / part, replaced=False)  # records that make a candidate e times rarer
    decided = _avoiding(close, replaced=relation is Neighbours.REPLACE)
    return tuple(
        NeighbourPair(name, network, _rows(network, left), _rows(network, right))
        for name, left, right, states in (
            first,
            ("one record moves the choice", *moved),
            ("one record decides the best graph", *decided),
        )
        for network in [_unconnected(states)]
    )


TOGETHER, CLOSE = 2_000, 120
"""Records in which a, or b, is rare, of ten times as many; how many more are both than expected."""


@dataclass(frozen=True)
class GrownCases:
    """Pairs for methods that choose between tables of two variables, by what a choice is between.

    a and b are rare together a little more often than by chance, a and c never are. A record that
    is rare in all three moves the score of one up and that of the other down, both by all that it
    can. Three states, so that pairs are chosen; views, which choose nothing, take two.
    """

    states: int
    neighbours: Neighbours

    @property
    def least(self) -> NeighbourPair:
        """Almost nobody."""
        replaced = self.neighbours is Neighbours.REPLACE
        name = "one record against another" if replaced else "nobody against one record"
        return self._pair(name, [[0] * 3] * replaced, [[1] * 3])

    def many(self, name: str, ahead: float, more: int = 0) -> NeighbourPair:
        """The score of a and c is ahead of that of a and b by about so many records.

        ``more`` records in which a and b are rare together move both a little.
        """
        chance = TOGETHER // 10  # of both a and b, among ten times as many records
        apart = min(max(round((4 * CLOSE + ahead) / 0.4), 10), 4 * TOGETHER)
        kinds = (
            ([1, 1, 0], chance + CLOSE + more),
            ([1, 0, 0], TOGETHER - chance - CLOSE),
            ([0, 1, 1], apart // 10),
            ([0, 1, 0], TOGETHER - chance - CLOSE - apart // 10),
            ([0, 0, 1], apart - apart // 10),
        )
        rare = [record for record, times in kinds for _ in range(times)]
        crowd = rare + [[0, 0, 0]] * (10 * TOGETHER - len(rare))
        replaced = self.neighbours is Neighbours.REPLACE
        return self._pair(name, [*crowd, *[[1, 0, 0]] * replaced], [*crowd, [1, 1, 1]])

    def _pair(self, name: str, left: list[list[int]], right: list[list[int]]) -> NeighbourPair:
        network = _unconnected(self.states)
        return NeighbourPair(name, network, _rows(network, left), _rows(network, right))


_Case = tuple[list[list[int]], list[list[int]], int]
"""Records of both sides, and the states of each variable."""


def _unconnected(states: int) -> Network:
    variables = tuple(Variable(name, tuple(map(str, range(states)))) for name in "abc")
    return Network(variables, ((),) * 3)


def _avoiding(score: float, *, replaced: bool) -> _Case:
    """Records in which a and b avoid each other by so much; one more is rare in all three."""
    few = max(1, round(RARE * score / 2))
    crowd = [[1, 0, 0]] * few + [[0, 1, 0]] * few + [[0, 0, 0]] * ((RARE - 2) * few)
    return crowd, [*crowd[: len(crowd) - replaced], [1, 1, 1]], 2


def _moved_by_three(ahead: float) -> _Case:
    """States 1 and 2 are rare. b goes with a and c in 2 and avoids them in 1; a and c the reverse.

    A record that moves from 1 to 2 in all three adds three, less a few hundredths, to the scores
    of b with a and b with c, and takes as much off that of a with c, the best one by twice
    ``ahead``: all six terms of the proof in :mod:`core.privbayes.sensitivity` have one sign.
    """
    kinds = (([2, 2, 0], 0), ([0, 2, 2], 0), ([0, 1, 0], 0), ([1, 0, 1], round(ahead)))
    rare = [record for record, more in kinds for _ in range(DEPENDENT + more)]
    crowd = rare + [[0, 0, 0]] * (SCARCE * len(rare) // len(kinds) - len(rare))
    return [*crowd, [1, 1, 1]], [*crowd, [2, 2, 2]], 3


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
        known=tuple(
            PublicTable(family, (1 / family[-1].cardinality,) * cells(family))
            for family in spare[::-1][: len(options.known)]
        ),
        possible=(),
    )


def _rows(network: Network, records: list[list[int]]) -> Rows:
    codes = np.array(records, dtype=np.uint32).reshape(-1, len(network.variables))
    return Rows(Dataset(network.variables, codes))
