"""Which sets of parents a variable may get: degree by usefulness, maximal parent sets.

Sets are refused while they are made where there are too many, before memory and time are gone.
"""

import functools
import itertools
import math
from collections.abc import Sequence

from core.errors import EquipoiseError
from core.privacy import Neighbours

CANDIDATE_LIMIT = 200_000
"""Most pairs that one round may compare."""

Parents = tuple[tuple[int, int], ...]
"""(attribute, level) of each parent, attributes ascending; level 0 is the variable itself."""


def usefulness(
    records: float, attributes: int, degree: int, epsilon: float, neighbours: Neighbours
) -> float:
    """Information per cell over noise per cell of binary tables with ``degree`` parents.

    n ε₂ / ((d - k) 2^(k + 1) s), with s the sensitivity of a table. Source: Zhang et al. 2017
    (TODS), Lemma 4.8.
    """
    noise = (attributes - degree) * neighbours.l1_sensitivity
    return records * epsilon / (noise * 2.0 ** (degree + 1))


def useful_degree(
    records: float, attributes: int, epsilon: float, theta: float, neighbours: Neighbours
) -> int:
    """Largest degree whose binary tables are θ-useful, or 0.

    >>> useful_degree(21574, 16, 0.7 * 0.4, 4, Neighbours.REPLACE)
    5
    """
    useful = (
        k
        for k in range(attributes - 1, 0, -1)
        if usefulness(records, attributes, k, epsilon, neighbours) >= theta
    )
    return next(useful, 0)


def useful_cells(
    records: float, attributes: int, epsilon: float, theta: float, neighbours: Neighbours
) -> float:
    """Most cells of a θ-useful table: n ε₂ / (s d θ). Source: the paper, section 5.2."""
    noise = neighbours.l1_sensitivity * attributes
    return math.inf if math.isinf(epsilon) else records * epsilon / (noise * theta)


class SearchError(EquipoiseError):
    """A round of the search would compare too many pairs."""


def check_candidates(count: int) -> None:
    """Refuse a round that would compare too many pairs."""
    if count > CANDIDATE_LIMIT:
        raise SearchError(
            f"a round of the search would compare more than {CANDIDATE_LIMIT:,} pairs; "
            "allow fewer parents, raise theta or choose fewer columns"
        )


def maximal_parent_sets(
    sizes: Sequence[Sequence[int]], most: float, degree: int
) -> tuple[Parents, ...]:
    """All maximal sets of at most ``degree`` parents with at most ``most`` joint states.

    ``sizes[j]`` are the states of attribute j at each level, finest first. A set is maximal when
    no parent can be added and none taken at a finer level; there is none when ``most`` is below
    one. Source: the paper, Algorithms 5 and 6 (5 where each attribute has one level).
    """

    @functools.cache
    def found(first: int, room: int, degree: int) -> tuple[Parents, ...]:
        if room < 1:
            return ()
        if first == len(sizes) or degree == 0:
            return ((),)
        used: dict[Parents, None] = {}
        sets: list[Parents] = []
        for level, size in enumerate(sizes[first]):
            for rest in found(first + 1, room // size, degree - 1):
                if rest not in used:
                    used[rest] = None
                    sets.append(((first, level), *rest))
        sets.extend(rest for rest in found(first + 1, room, degree) if rest not in used)
        check_candidates(len(sets))  # the whole has no fewer than any part of it
        return tuple(sets)

    ceiling = math.prod(max(levels) for levels in sizes)
    return found(0, int(min(most, ceiling)), degree)


def all_parent_sets(
    sizes: Sequence[Sequence[int]], most: float, degree: int
) -> tuple[Parents, ...]:
    """Every set of at most ``degree`` parents with at most ``most`` joint states, empty first."""
    sets: list[Parents] = []
    for count in range(degree + 1):
        for attributes in itertools.combinations(range(len(sizes)), count):
            for levels in itertools.product(*(range(len(sizes[a])) for a in attributes)):
                cells = math.prod(sizes[a][v] for a, v in zip(attributes, levels, strict=True))
                if cells <= most:
                    sets.append(tuple(zip(attributes, levels, strict=True)))
                    check_candidates(len(sets))
    return tuple(sets)
