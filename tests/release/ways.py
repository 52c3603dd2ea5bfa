"""Every way to release, to be killed or to lose power in. A new way is one line of WAYS."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from core.errors import EquipoiseError
from core.privacy import Neighbours
from core.scenario import Scenario
from release.acceptance import NONE, Acceptance, read_criterion
from release.domain import DomainOrder, publish_domain
from release.ledger.people import BudgetError
from release.publish import Order, publish
from release.worker import ExactSampler
from sources.connected import connected_study
from sources.places import place_of
from sources.study import sampled_study, without_graph

EPSILON = Fraction(1, 10)
SURE = Acceptance((read_criterion("2:A,B<=0.9"),), EPSILON / 2)
DONE, POOR, LOST = 0, 3, 4
"""What a release says that lives to tell."""

Act = Callable[..., object]


class Failing(ExactSampler):
    """Fails when it draws for the second time: the first one is the trial."""

    asked = 0

    def noise(self, kind, scales, cells):
        self.asked += 1
        if self.asked > 1:
            raise EquipoiseError("the process that draws noise ended before its answer")
        return super().noise(kind, scales, cells)


@dataclass(frozen=True)
class Way:
    """One way: ``act(token, budget, ledger, out, workers)`` releases once, for ``EPSILON``."""

    act: Act
    chooses: bool = False
    tried: bool = True
    drawer: Callable[[], ExactSampler] = ExactSampler

    def once(self, token, budget, ledger, out):
        """Release with the exact sampler in this process, so that it takes milliseconds."""
        try:
            self.act(token, budget, ledger, out, workers=lambda: nullcontext(self.drawer()))
        except BudgetError:
            return POOR
        except EquipoiseError:
            return LOST
        return DONE


@cache
def studied(learns, records):
    """Records to release; enough for a structure to be chosen, or a criterion surely met."""
    known = sampled_study("figure-one", None, records=records, seed=0)
    return without_graph(known) if learns else known


@cache
def folder():
    """The same records as Parquet files, for as long as this process lives."""
    place, drawn = TemporaryDirectory(prefix="killed-"), studied(False, 200).dataset
    columns = {v.name: np.array(v.states)[drawn.codes[:, j]] for j, v in enumerate(drawn.variables)}
    pa.parquet.write_table(pa.table(columns), Path(place.name, "rows.parquet"), row_group_size=50)
    return place


def connected(*_):
    """Records that stay where they are: asked again by every release."""
    place = place_of(f"{folder().name}/*.parquet")
    return connected_study("figure-one", None, place=place, schema=None, missing="refuse")


def model(method, acceptance=NONE, *, learns=False, chooses=True, source=studied, **more):
    """A network's parameters, or a network that is learned, by choices unless all is measured."""
    records = 20_000 if learns or acceptance.criteria else 200

    def act(token, budget, ledger, out, workers):
        study = source(learns, records)
        order = Order(
            study=study,
            network=study.network,
            method=method,
            scenario=Scenario(epsilon=float(EPSILON - acceptance.epsilon)),
            acceptance=acceptance,
            token=token,
            name="killed",
            budget=budget,
            delta_budget=Fraction(1, 10),
            synthetic=5,
        )
        return publish(order, ledger, out, workers=workers)

    return Way(act, learns and chooses, **more)


def domain(token, budget, ledger, out, workers):
    """The states of a column."""
    order = DomainOrder(
        data=("cities.csv", b"city\n" + b"Bern\n" * 500 + b"Basel\n" * 400),
        column="city",
        epsilon=EPSILON,
        delta=Fraction(1, 10**6),
        neighbours=Neighbours.ADD_REMOVE,
        token=token,
        name="killed",
        budget=budget,
        delta_budget=Fraction(1, 10),
    )
    return publish_domain(order, ledger, out, workers=workers)


WAYS = {
    "equipoise": model("equipoise"),
    "gaussian": model("equipoise-zcdp"),
    "privbayes": model("privbayes", learns=True),
    "privbayes-plus": model("privbayes-plus", learns=True),
    "structure": model("privbayes-structure", learns=True),
    "adaptive": model("adaptive", learns=True),
    "views": model("views-zcdp", learns=True, chooses=False),
    "domain": Way(domain, tried=False),
    "accepted": model("equipoise", SURE),
    "connected": model("equipoise", source=connected),
    "lost": model("equipoise", drawer=Failing),
}
