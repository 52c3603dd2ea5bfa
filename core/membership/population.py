"""Where pools come from: a model, or a table of people of whom some are drawn."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.inference.sampling import sample
from core.parameters import Model
from core.table import Variable

OUTSIDERS = 20_000
"""Non-members scored for each pool drawn from a model: 20 of them are 0.1 %."""

REFERENCE = 200_000
"""People the attacker has seen where the population can be drawn from without end."""


@dataclass(frozen=True, eq=False)
class Draw:
    """Members and outsiders of some pools, pool after pool, and the attacker's reference.

    ``reference`` has ``reference_pools`` parts: one for each pool, or one that all share.
    """

    members: Dataset
    outsiders: Dataset
    reference: Dataset
    pools: int
    reference_pools: int


class Population(Protocol):
    """Anything pools can be drawn from."""

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The public variables."""

    @property
    def model(self) -> Model | None:
        """The population's own parameters where they are known."""

    def draw(self, pools: int, records: int, *, rng: np.random.Generator) -> Draw:
        """Independent pools of ``records`` members each, with outsiders and a reference.

        Refused where there are not enough people.
        """


@dataclass(frozen=True, eq=False)
class ModelPopulation:
    """Everyone a model can produce; the attacker's reference is large and shared."""

    model: Model
    outsiders: int = OUTSIDERS
    reference: int = REFERENCE

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The model's variables."""
        return self.model.network.variables

    def draw(self, pools: int, records: int, *, rng: np.random.Generator) -> Draw:
        """Fresh people for every pool. Draws members, then outsiders, then the reference."""
        streams = rng.spawn(3)
        drawn = [
            sample(self.model, size, rng=stream)
            for size, stream in zip(
                (pools * records, pools * self.outsiders, self.reference), streams, strict=True
            )
        ]
        return Draw(drawn[0], drawn[1], drawn[2], pools, 1)


@dataclass(frozen=True, eq=False)
class TablePopulation:
    """The people of one table: a pool, a reference, the rest outsiders.

    The reference is half of those outside the pool unless its size is given.
    """

    people: Dataset
    reference: int | None = None

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The table's variables."""
        return self.people.variables

    @property
    def model(self) -> Model | None:
        """A table knows no parameters."""
        return None

    def check(self, records: int) -> None:
        """Refuse a pool that leaves too few for reference and outsiders."""
        if records > self.people.records:
            raise EquipoiseError(
                f"the pool of {records:,} is larger than the population of "
                f"{self.people.records:,}; draw fewer records"
            )
        least = max(4, 2 + (self.reference or 0))
        if self.people.records - records < least:
            raise EquipoiseError(
                f"the pool of {records:,} leaves {self.people.records - records} of "
                f"{self.people.records:,} people outside; leave at least {least:,}"
            )

    def draw(self, pools: int, records: int, *, rng: np.random.Generator) -> Draw:
        """For every pool a new random order: members first, then the reference, then outsiders."""
        self.check(records)
        everyone = self.people.records
        half = (everyone - records) // 2 if self.reference is None else self.reference
        orders = rng.permuted(np.tile(np.arange(everyone), (pools, 1)), axis=1)
        cuts = (slice(0, records), slice(records, records + half), slice(records + half, None))
        members, reference, outsiders = (self.people.part(orders[:, cut].ravel()) for cut in cuts)
        return Draw(members, outsiders, reference, pools, pools)
