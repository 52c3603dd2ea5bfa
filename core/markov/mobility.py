"""Human mobility: generated days of people, and a time-homogeneous chain over them.

A person's day is cut into segments of a few slots; in each slot the person is at one of some places
or away. The chain has one table of starts and one of moves, shared by all steps. A person counts
one in each table, however many moves were seen: every move with weight 1/K. So one person more or
less changes the two tables by at most 2, one replaced by at most 4. Source: Bernstein et al. 2017,
section 4.2, on wifi records that are not public; here people are generated, by parameters that are
shown.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError
from core.markov.graph import Field
from core.table import Array, Variable

HOLDOUT = 0.25
"""Share of the people kept for testing."""

TABLES = 2
"""Starts and moves: a person counts at most one in each."""

Days = NDArray[np.intp]


@dataclass(frozen=True)
class Town:
    """How people move: everything the generator knows.

    From a place a person stays with chance ``stay``, goes away with chance ``leave``, and else
    moves to a place by popularity; whoever is away comes to one with chance ``arrive``. The k-th
    place has popularity 1/k to the power ``unevenness``. ``presence`` is the mean share of
    segments in which a person is seen at all; it differs from person to person.
    """

    people: int = 4000
    places: int = 8
    slots: int = 6
    segments: int = 8
    stay: float = 0.7
    leave: float = 0.15
    arrive: float = 0.3
    unevenness: float = 1.0
    presence: float = 0.4

    def __post_init__(self) -> None:
        for name, least in (("people", 8), ("places", 1), ("slots", 2), ("segments", 1)):
            if getattr(self, name) < least:
                raise EquipoiseError(
                    f"the town has {name} = {getattr(self, name)}; it needs at least {least}"
                )
        for name in ("stay", "leave", "arrive", "presence"):
            if not 0 < getattr(self, name) < 1:
                raise EquipoiseError(
                    f"{name} is {getattr(self, name):g}; it must lie strictly between 0 and 1"
                )
        if self.stay + self.leave >= 1:
            raise EquipoiseError(
                f"stay and leave add up to {self.stay + self.leave:g}; keep their sum below 1"
            )


def town_field(town: Town) -> Field:
    """The chain over the slots of a segment: a table of starts, one shared table of moves."""
    states = ("away", *(f"place {k + 1}" for k in range(town.places)))
    variables = tuple(Variable(f"slot {t + 1}", states) for t in range(town.slots))
    moves = tuple((t, t + 1) for t in range(town.slots - 1))
    return Field(variables, ((0,), *moves), (0, *(1 for _ in moves)))


def generate(town: Town, *, rng: np.random.Generator) -> Days:
    """States ``(people, segments, slots)``; a segment nobody is seen in is away throughout."""
    popularity = (1.0 + np.arange(town.places)) ** -town.unevenness
    popularity /= popularity.sum()
    chances = np.zeros((town.places + 1, town.places + 1))
    chances[0] = [1 - town.arrive, *(town.arrive * popularity)]
    chances[1:, 0] = town.leave
    chances[1:, 1:] = (1 - town.stay - town.leave) * popularity
    chances[1:, 1:] += town.stay * np.eye(town.places)
    days: Days = np.zeros((town.people, town.segments, town.slots), dtype=np.intp)
    draws = rng.random(days.shape)
    place = _picked(np.broadcast_to(chances[0], (*days.shape[:2], town.places + 1)), draws[..., 0])
    for slot in range(town.slots):
        if slot:
            place = _picked(chances[place], draws[..., slot])
        days[..., slot] = place
    usual = rng.beta(2 * town.presence, 2 * (1 - town.presence), town.people)
    seen = rng.random(days.shape[:2]) < usual[:, None]
    return days * seen[..., None]


def _picked(chances: Array, draws: Array) -> NDArray[np.intp]:
    """The state at which the cumulative chance first exceeds the draw."""
    below = np.cumsum(chances, axis=-1)[..., :-1] <= draws[..., None]
    return np.asarray(below.sum(axis=-1))


def split(days: Days) -> tuple[Days, Days]:
    """People to learn from, and people to test on."""
    first = round(HOLDOUT * len(days))
    return days[first:], days[:first]


def people_tables(field: Field, days: Days) -> Array:
    """The two tables in units of people, ``(cells,)``: each counts one in each, or not at all.

    Segments in which a person was never seen do not count. Private.
    """
    seen = days.any(axis=2)
    weights = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    return _weighted(field, days, weights) / field.multiplicity[field.owner]


def mean_segment(field: Field, days: Days) -> Array:
    """Mean starts and moves of the segments in which somebody was seen: ``(cells,)``."""
    seen = days.any(axis=2)
    return _weighted(field, days, np.asarray(seen / max(float(seen.sum()), 1.0)))


def person_segments(field: Field, days: Days) -> Array:
    """Mean segment of each person among those in which they were seen: ``(people, cells)``."""
    return np.stack([mean_segment(field, own[None]) for own in days])


def _weighted(field: Field, days: Days, weights: Array) -> Array:
    """Sum over segments of weight times starts and moves."""
    states = field.variables[0].cardinality
    weighted = np.zeros(field.size)
    weighted += np.bincount(days[..., 0].ravel(), weights.ravel(), minlength=field.size)
    for slot in range(1, days.shape[2]):
        move = states + days[..., slot - 1] * states + days[..., slot]
        weighted += np.bincount(move.ravel(), weights.ravel(), minlength=field.size)
    return weighted
