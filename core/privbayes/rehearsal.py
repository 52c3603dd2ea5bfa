"""A synthesis rehearsed: structure, spending, records, and how far they are off.

What Synthesise shows on screen and what the shell prints are both made here. Seeded and compared
with the truth: for study, not private whatever ε it names.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.counts import Rows
from core.errors import EquipoiseError
from core.privbayes.distances import Marginal, distance, distributions, marginals_of, normalised
from core.privbayes.encoding import Encoding
from core.privbayes.settings import Settings
from core.privbayes.structure import Progress
from core.privbayes.synthesis import Synthesis, synthesise
from core.scenario import REPLICATE_LIMIT, check_count
from core.study.experiments import Interval, interval
from core.table import Array, Variable

WAYS = (2, 3)
"""Marginals of so many columns are compared."""

HELD = 2**24
"""Most cells of all marginals of one number of columns (128 MB); the first so many are compared."""


@dataclass(frozen=True)
class NamedPair:
    """One choice of the search, by names; see :class:`core.privbayes.structure.Pair`."""

    name: str
    parents: tuple[str, ...]
    score: float
    sensitivity: float
    probability: float
    candidates: int
    cost: float
    """Of ε: for the choice, and for the table where both are paid together."""


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """The first of some seeded runs with the records drawn from it, and the errors of all runs.

    ``errors[ways]`` holds one mean distance of marginals for each run; a number of columns that
    has no marginals to compare is absent.
    """

    synthesis: Synthesis
    rows: Rows
    errors: Mapping[int, Array]

    @property
    def intervals(self) -> dict[int, Interval]:
        """Mean error over runs with its 95 % interval, by number of columns."""
        return {ways: interval(values) for ways, values in self.errors.items()}

    @property
    def pairs(self) -> tuple[NamedPair, ...]:
        """The structure by names, in the order chosen."""
        attributes = self.synthesis.structure.attributes
        costs = self.synthesis.costs
        return tuple(
            NamedPair(
                attributes[pair.child].variable.name,
                tuple(attributes[a].levels[level].name for a, level in pair.parents),
                pair.score,
                pair.sensitivity,
                pair.probability,
                pair.candidates,
                cost,
            )
            for pair, cost in zip(self.synthesis.structure.pairs, costs, strict=True)
        )

    def shares(self, records: Rows, pair: Sequence[str]) -> dict[str, Array]:
        """How often each pair of states of two columns occurs in the records and the synthetic."""
        column = {v.name: v for v in records.dataset.variables}
        wrong = [name for name in pair if name not in column]
        if wrong or len(set(pair)) != 2:
            raise EquipoiseError(
                f"a pair is two different columns of the records, not {', '.join(pair)}; there are "
                f"{', '.join(column)}"
            )
        asked = [(column[pair[0]], column[pair[1]])]
        both = {"records": records, "synthetic": self.rows}
        return {name: normalised(rows.counts(asked)[0].values) for name, rows in both.items()}


@dataclass(frozen=True, eq=False)
class Comparison:
    """The exact marginals of some records, counted once, that others are held against."""

    ways: tuple[int, ...]
    marginals: tuple[tuple[Marginal, ...], ...]
    exact: tuple[tuple[Array, ...], ...]

    @classmethod
    def of(cls, rows: Rows, ways: Sequence[int] = WAYS) -> Comparison:
        """Marginals of so many columns each; where there are none they are left out."""
        sets = marginal_sets(rows.dataset.variables, ways)
        exact = tuple(tuple(distributions(rows, marginals)) for marginals in sets.values())
        return cls(tuple(sets), tuple(sets.values()), exact)

    def errors(self, other: Rows) -> tuple[float, ...]:
        """Mean distance of the other records' marginals, for each number of columns."""
        return tuple(
            mean_distance(exact, list(distributions(other, marginals)))
            for marginals, exact in zip(self.marginals, self.exact, strict=True)
        )


def marginal_sets(
    variables: Sequence[Variable], ways: Sequence[int] = WAYS
) -> dict[int, tuple[Marginal, ...]]:
    """The marginals to compare, by number of columns; those of which there are none are absent."""
    sets = {w: _held(marginals_of(variables, w)) for w in ways}
    return {w: marginals for w, marginals in sets.items() if marginals}


def _held(marginals: Sequence[Marginal]) -> tuple[Marginal, ...]:
    cells = itertools.accumulate(math.prod(v.cardinality for v in m) for m in marginals)
    return tuple(m for m, sum_so_far in zip(marginals, cells, strict=True) if sum_so_far <= HELD)


def partly(variables: Sequence[Variable]) -> dict[int, str]:
    """What to say where not all marginals are compared, by number of columns."""
    return {
        ways: f"{ways}-way error is over the first {len(held):,} of {total:,} sets of columns: "
        f"all of them have more than {HELD:,} cells"
        for ways, held in marginal_sets(variables).items()
        if len(held) < (total := math.comb(len(variables), ways))
    }


def mean_distance(exact: Sequence[Array], other: Sequence[Array]) -> float:
    """Mean total variation distance of distributions, one by one."""
    return float(np.mean([distance(p, q) for p, q in zip(exact, other, strict=True)]))


def rehearse(
    rows: Rows,
    encoding: Encoding,
    settings: Settings,
    *,
    seed: int,
    replicates: int = 1,
    progress: Progress | None = None,
) -> Rehearsal:
    """Syntheses of the records with known seeds, one generator for each run."""
    check_count("the number of replicates", replicates, REPLICATE_LIMIT)
    if seed < 0:
        raise EquipoiseError(f"the seed is {seed}; it must not be negative")
    encoded = encoding.encode(rows)

    def run(number: int) -> tuple[Synthesis, Rows]:
        rng = np.random.default_rng([seed, number])
        synthesis = synthesise(encoded, encoding, settings, rng=rng, progress=progress)
        synthesis = synthesis.compared_with(rows)
        return synthesis, synthesis.draw(rng=rng)

    first, drawn = run(0)  # before the marginals: it refuses what is too large
    comparison = Comparison.of(rows)
    errors = [comparison.errors(drawn)]
    errors += [comparison.errors(run(number)[1]) for number in range(1, replicates)]
    by_ways = np.array(errors, dtype=np.float64).T
    return Rehearsal(first, drawn, dict(zip(comparison.ways, by_ways, strict=True)))
