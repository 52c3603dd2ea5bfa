"""Release: what a method gives; Method: how a method presents itself."""

from dataclasses import dataclass
from typing import Protocol

from core.counts import CountSource
from core.methods.informed import informed, informed_forecast
from core.methods.plans import BudgetPlan
from core.methods.randomness import Randomness
from core.network import MEASURED_LIMIT, Network
from core.options import PLAIN, Options
from core.parameters import Model
from core.privacy import Guarantee
from core.scenario import Scenario
from core.table import Array


@dataclass(frozen=True, eq=False)
class Release:
    """What a method gives: the model, and how it came about.

    ``noisy`` are the packed family tables after noise and consistency, before normalising; zero
    where a table is known or a cell impossible.
    Every method returns a rehearsal: seeded, for study, not private. ``records`` is their noisy or
    public number where no family's table is measured; ``noisy`` is then the model.
    """

    method: str
    plan: BudgetPlan | None
    noise: str
    noisy: Array
    model: Model
    rehearsal: bool = True
    records: int | None = None


class Run(Protocol):
    """The one signature of all methods."""

    def __call__(
        self, network: Network, counts: CountSource, scenario: Scenario, *, rng: Randomness
    ) -> Release:
        """As many independent rehearsals of one release as the scenario has replicates."""


class Forecast(Protocol):
    """Noise of every family's table before anything is spent."""

    def __call__(self, network: Network, plan: BudgetPlan, options: Options = PLAIN) -> Array:
        """Standard deviation of a cell, in records, for each variable's family."""


@dataclass(frozen=True)
class Method:
    """One entry of the registry; ``forecast`` where the noise of the tables is known beforehand.

    ``refused`` says why the method cannot be released and is empty where it can: where all noise
    comes through :mod:`core.methods.randomness`, nothing else depends on the records, and the audit
    agrees. One that ``learns`` is given a graph without edges and gives a model over one that it
    learned, privately and within its ε.
    """

    name: str
    title: str
    guarantee: Guarantee
    source: str
    needs_stage_one: bool
    run: Run
    forecast: Forecast | None = None
    refused: str = "it has not been checked for release"
    learns: bool = False

    def __post_init__(self) -> None:
        """Known tables are left out of what is measured, whatever the method."""
        object.__setattr__(self, "run", informed(self.run))
        if self.forecast is not None:
            object.__setattr__(self, "forecast", informed_forecast(self.forecast))


def packed_counts(network: Network, counts: CountSource) -> Array:
    """Exact family tables of a network in one flat array. Private.

    More cells than a method can work on are refused before anything is counted.
    """
    network.check_together(MEASURED_LIMIT)
    return network.layout.pack([t.values for t in counts.counts(network.families)])
