"""Published: everything there is to say about one release, and nothing private.

What the files, the ledger, the dossier and the page show is read off this record. Numbers that
the guarantee rests on are fractions; ``document`` gives them as text and ``published_from`` reads
them back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from core.knowledge import PublicTable
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import Model
from core.privacy import Neighbours
from core.study.pivot import RowIntervals
from core.table import Variable
from release.acceptance import AcceptanceTest, acceptance_document, read_tests
from release.rationals import amount, fraction, portion

Document = dict[str, Any]

LAPLACE, GAUSSIAN = "discrete laplace", "discrete gaussian"


@dataclass(frozen=True)
class Measurement:
    """One measured table; ``budget`` is its ε, or its rho with Gaussian noise, of ``noise``.

    ``scale`` is exact, and never below what the budget asks for. ``rate`` below one: the table
    held a Poisson sample, whose measurements together cost less than their budgets add up to. A
    private choice is one as well: of these variables among ``cells`` candidates, ``noise`` being
    its law and ``scale`` the records that one must be behind to be e times less likely.
    """

    variables: tuple[str, ...]
    cells: int
    noise: str
    budget: Fraction
    scale: Fraction
    rate: Fraction = Fraction(1)

    @property
    def is_choice(self) -> bool:
        """Whether a table was chosen here, among so many ``cells``, and not measured."""
        return self.noise not in (LAPLACE, GAUSSIAN)

    def __post_init__(self) -> None:
        amount("the budget of a table", self.budget)
        amount("the scale of a table", self.scale)
        amount("the rate of a table", self.rate)


@dataclass(frozen=True)
class ReleasedFile:
    """A file of the release with its SHA-256."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Receipt:
    """The ledger's entry of the spend: kept outside the ledger, it shows if that was rewritten."""

    number: int
    digest: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Published:
    """One release: ``cost`` is what its measurements are proved to cost, at most ``epsilon``.

    ``cost`` is in ε, or in rho where the noise is Gaussian, and ``rho`` is then the concentrated
    budget that (``epsilon``, ``delta``) allows. ``synthetic`` is the number of synthetic records
    (zero: none). ``override`` is the steward's reason where the checklist failed. Where the graph
    alone was released, the rows of ``model`` are uniform; where nothing was to be chosen, that
    cost nothing. ``hidden`` names a variable of ``model`` that is no column of the records.
    ``intervals`` follow from the noisy tables.
    ``acceptance`` are the criteria it has passed; their ε is part of ``epsilon``, and that of
    learning the graph before, ``graph_epsilon``, is not.
    """

    id: str
    time: str
    dataset: str
    method: str
    guarantee: str
    neighbours: Neighbours
    epsilon: Fraction
    delta: Fraction
    rho: Fraction | None
    cost: Fraction
    split: float
    rate: float
    options: Options
    measurements: tuple[Measurement, ...]
    model: Model
    synthetic: int
    versions: tuple[tuple[str, str], ...]
    receipt: Receipt
    override: str = ""
    files: tuple[ReleasedFile, ...] = ()
    hidden: str = ""
    intervals: RowIntervals | None = None
    acceptance: tuple[AcceptanceTest, ...] = ()
    graph_epsilon: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        amount("ε of a release", self.epsilon)
        portion("δ of a release", self.delta)
        amount("the proved cost of a release", self.cost, zero=True)
        amount("ε of learning the graph", self.graph_epsilon, zero=True)

    @property
    def columns(self) -> tuple[Variable, ...]:
        """The variables that the records have."""
        return tuple(v for v in self.model.network.variables if v.name != self.hidden)

    @property
    def model_epsilon(self) -> Fraction:
        """ε of the model itself, without its acceptance."""
        return self.epsilon - sum((one.epsilon for one in self.acceptance), Fraction(0))

    def with_files(self, files: tuple[ReleasedFile, ...]) -> Published:
        """The same release with these files."""
        return replace(self, files=files)


def document(published: Published) -> Document:
    """What the public files say besides the model, ready for JSON.

    The steward's name for the data and reason to override stay in ledger and dossier.
    """
    p = published
    accepted = {"acceptance": acceptance_document(p.acceptance)} if p.acceptance else {}
    return {
        **accepted,
        "id": p.id,
        "time": p.time,
        "method": p.method,
        "guarantee": p.guarantee,
        "neighbours": p.neighbours.value,
        "epsilon": str(p.epsilon),
        **({"graph_epsilon": str(p.graph_epsilon)} if p.graph_epsilon else {}),
        "delta": str(p.delta),
        "rho": None if p.rho is None else str(p.rho),
        "cost": str(p.cost),
        "split": p.split,
        "rate": p.rate,
        "prior": p.options.prior,
        "floors": dict(p.options.floors),
        "weights": dict(p.options.weights),
        "known": [stated_document(one) for one in p.options.known],
        "possible": [stated_document(one) for one in p.options.possible],
        "measurements": [_measurement(m) for m in p.measurements],
        "synthetic": p.synthetic,
        **({"hidden": p.hidden} if p.hidden else {}),
        "versions": dict(p.versions),
        "receipt": {"number": p.receipt.number, "digest": p.receipt.digest},
    }


def _measurement(m: Measurement) -> Document:
    return {
        "variables": list(m.variables),
        "cells": m.cells,
        "noise": m.noise,
        "budget": str(m.budget),
        "scale": str(m.scale),
        "rate": str(m.rate),
    }


def published_from(
    facts: Mapping[str, Any], model: Model, *, dataset: str = "", override: str = ""
) -> Published:
    """The release that ``document`` described, without its files."""
    delta, network = fraction(facts["delta"]), model.network
    return Published(
        **{key: facts[key] for key in ("id", "time", "method", "guarantee")},
        dataset=dataset,
        override=override,
        neighbours=Neighbours(facts["neighbours"]),
        epsilon=fraction(facts["epsilon"]),
        delta=delta,
        rho=None if facts["rho"] is None else fraction(facts["rho"]),
        cost=fraction(facts["cost"]),
        split=float(facts["split"]),
        rate=float(facts["rate"]),
        options=Options(
            float(facts["prior"]),
            tuple(facts["floors"].items()),
            tuple(facts["weights"].items()),
            float(delta) or PLAIN.delta,
            tuple(_read_stated(one, network) for one in facts.get("known", ())),
            tuple(_read_stated(one, network) for one in facts.get("possible", ())),
        ),
        measurements=tuple(read_measurement(m) for m in facts["measurements"]),
        model=model,
        synthetic=int(facts["synthetic"]),
        versions=tuple(facts["versions"].items()),
        acceptance=read_tests(facts.get("acceptance", ()), Neighbours(facts["neighbours"])),
        receipt=Receipt(int(facts["receipt"]["number"]), facts["receipt"]["digest"]),
        hidden=facts.get("hidden", ""),
        graph_epsilon=fraction(facts.get("graph_epsilon", "0")),
    )


def stated_document(stated: PublicTable) -> Document:
    """A table that was stated, ready for JSON: its variables, and its cells, the last fastest."""
    family = [v.name for v in stated.family]
    return {"family": family, "cells": list(stated.cells), "source": stated.source}


def _read_stated(one: Mapping[str, Any], network: Network) -> PublicTable:
    family = [network.variables[network.index(name)] for name in one["family"]]
    return PublicTable(tuple(family), tuple(one["cells"]), one["source"])


def read_measurement(m: Mapping[str, Any]) -> Measurement:
    """One line of a document."""
    return Measurement(
        tuple(m["variables"]),
        int(m["cells"]),
        m["noise"],
        fraction(m["budget"]),
        fraction(m["scale"]),
        fraction(m["rate"]),
    )
