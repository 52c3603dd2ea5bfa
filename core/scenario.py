"""Scenario: the knobs of one study, checked once."""

from dataclasses import dataclass

from core.errors import EquipoiseError
from core.options import PLAIN, Options
from core.privacy import Neighbours, check_epsilon, check_fraction

REPLICATE_LIMIT = 10_000
"""Most repetitions a person may ask for: what they can wait for."""
RUN_LIMIT = 100_000
"""Most repetitions in one scenario: an audit runs them by the block."""
RECORD_LIMIT = 10_000_000


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """ε total budget, β ``split`` and γ ``rate`` of Stage I, repetitions, and options."""

    epsilon: float = 1.0
    split: float = 0.1
    rate: float = 0.1
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    replicates: int = 100
    seed: int = 0
    options: Options = PLAIN

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_fraction("beta (the split)", self.split)
        if self.rate != 1:  # Stage I may look at every record
            check_fraction("gamma (the sampling rate)", self.rate)
        check_count("the number of replicates", self.replicates, RUN_LIMIT)
        check_seed("the seed", self.seed)


def check_seed(what: str, value: int) -> int:
    """A whole number that a generator begins with."""
    if value < 0:
        raise EquipoiseError(f"{what} is {value}; it must not be negative")
    return value


def check_count(what: str, value: int, limit: int, *, least: int = 1) -> int:
    """A whole number up to a limit."""
    if not least <= value <= limit:
        raise EquipoiseError(f"{what} is {value:,}; it must lie between {least} and {limit:,}")
    return value
