"""The stand-in that a review asks for, and its rehearsal."""

from collections.abc import Iterator

from core.errors import EquipoiseError
from release.files import MODEL
from release.ledger.book import Ledger
from release.ledger.folders import check_unchanged
from release.published import Published
from release.review.request import Request
from release.review.standin import (
    StandIn,
    StandInRehearsal,
    earlier_release,
    own_parameters,
    random_tables,
    rehearsing,
)
from sources.loaded import Loaded
from sources.networks import read_network
from sources.study import File

OWN, RANDOM = "network", "random"
"""Stand-ins that need no file: the network's own parameters, random tables."""


def has_own(request: Request) -> bool:
    """Whether the network's own published parameters are known for the variables on show."""
    model = request.study.model
    return model is not None and model.network.variables == request.graph.variables


def stand_in(
    request: Request, kind: str, file: File | None = None, ledger: Ledger | None = None
) -> StandIn:
    """Public records to rehearse on: ``network``, ``random``, or the file of an earlier release.

    A file that the ledger knows must be as it was released.
    """
    if file is not None:
        if ledger is not None:
            check_unchanged(ledger, *file)
        return _from_file(request, *file)
    if kind == RANDOM:
        return random_tables(request.graph)
    if request.study.model is None:
        raise EquipoiseError(
            f"{request.study.name} has no probabilities that are known to be public; rehearse on "
            "random tables, or on the file of an earlier release"
        )
    return own_parameters(request.study.name, request.graph, request.study.model)


def last_release(request: Request, published: Published) -> StandIn:
    """A release as its model file would be read."""
    name = f"release {published.id}"
    return earlier_release(name, request.graph, published.model, file=MODEL)


def _from_file(request: Request, name: str, data: bytes) -> StandIn:
    loaded = read_network(name, data)
    if not isinstance(loaded, Loaded) or loaded.model is None:
        raise EquipoiseError(
            f"{name} has no probabilities to draw from; choose another file or random tables"
        )
    return earlier_release(loaded.name, request.graph, loaded.model, file=name)


def rehearsal(request: Request, chosen: StandIn) -> Iterator[StandInRehearsal]:
    """The rehearsal so far, pool after pool; it needs a public number of records."""
    records = request.facts.records
    if not records:
        raise EquipoiseError("a rehearsal needs a public number of records; state one")
    return rehearsing(
        chosen, request.method, request.scenario, records=records, by=request.group_by
    )


def rehearsed(request: Request, chosen: StandIn) -> StandInRehearsal:
    """What to expect of this ε, without a look at the private rows."""
    *_, last = rehearsal(request, chosen)
    return last
