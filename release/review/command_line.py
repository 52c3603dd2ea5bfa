"""The line for a shell that repeats a review: every argument that decides something is in it.

Numbers are written with all their digits. Files go by name, without where they lie; those of the
records, the ledger and the releases by a name that says nothing about anyone.
"""

import shlex
from collections.abc import Iterator
from fractions import Fraction

from core.options import PLAIN
from core.scenario import Scenario
from release.ledger.spending import DELTA_BUDGET
from release.order import AS_MEASURED, synthetic_wish
from release.review.checklist import Checklist
from release.review.facts import Statements
from release.review.proposal import Proposal
from release.review.request import Request
from release.review.thresholds import Thresholds
from sources.named_numbers import named_text, number_text

LEDGER, OUT = "ledger.sqlite", "releases"
"""Where the app keeps them, beside each other."""

CHOICES = ("schema", "missing", "unit-column", "per-unit")
"""What the records were read with, whatever the graph."""

EDITED = (("dag", "graph-on-screen.json"), ("data", "records.csv"))
"""A graph that was edited or learned on screen has to be saved before a shell can have it."""

Part = tuple[str, str | None]
"""An argument with its value; None where it has none, empty where it is left out."""


def command_line(request: Request, proposal: Proposal, checklist: Checklist) -> str:
    """The command that gives the same checklist, plan, numbers and dossier; it spends nothing."""
    parts = [
        *_loading(request),
        ("method", request.method),
        *_scenario(request.scenario),
        *_stated(request.statements, bounded=bool(request.study.unit)),
        *_limits(request.thresholds),
        *_account(request, proposal),
        *_rehearsed(request, proposal),
        *_reasons(request, checklist),
        *_synthetic(request),
        *(("accept", criterion.text) for criterion in request.acceptance.criteria),
        ("accept-epsilon", _exact(request.acceptance.epsilon)),
        ("groups", request.group_by),
        ("ledger", LEDGER),
        ("out", OUT),
        ("preview", None),
    ]
    words = [word for name, value in parts if value != "" for word in _words(name, value)]
    return shlex.join(["python", "cli.py", "release", *words])


def _words(name: str, value: str | None) -> list[str]:
    if value is None:
        return [f"--{name}"]
    return [f"--{name}={value}"] if value.startswith("-") else [f"--{name}", value]


def _changed(value: float, default: float) -> str:
    """A number with all its digits, nothing where it is the default."""
    if value == default:
        return ""
    return str(value) if isinstance(value, int) else number_text(value)


def exact_text(value: Fraction) -> str:
    """An exact number as a shell takes it: a decimal where it has an end, else a fraction.

    >>> exact_text(Fraction(1, 10)), exact_text(Fraction(1, 3))
    ('0.1', '1/3')
    """
    text = number_text(float(value))
    return text if Fraction(text) == value else str(value)


def _exact(value: Fraction) -> str:
    return exact_text(value) if value else ""


def _loading(request: Request) -> tuple[Part, ...]:
    loading = request.study.loading
    if loading and request.graph == request.study.network:
        return loading
    kept = dict(loading)
    return (*EDITED, *((name, kept[name]) for name in CHOICES if name in kept))


def _scenario(scenario: Scenario) -> Iterator[Part]:
    default, options = Scenario(), scenario.options
    yield "epsilon", number_text(scenario.epsilon)
    yield "neighbours", scenario.neighbours.value
    yield "split", _changed(scenario.split, default.split)
    yield "rate", _changed(scenario.rate, default.rate)
    yield "delta", _changed(options.delta, PLAIN.delta)
    yield "pseudo-count", _changed(options.prior, PLAIN.prior)
    yield "floors", named_text(options.floors) if options.floors else ""
    yield "weights", named_text(options.weights) if options.weights else ""
    yield from (("known", one.name) for one in options.known if not one.source)
    files = dict.fromkeys(one.source for one in (*options.known, *options.possible) if one.source)
    yield from (("known-file", file) for file in files)
    yield "replicates", _changed(scenario.replicates, default.replicates)
    yield "seed", _changed(scenario.seed, default.seed)


def _stated(said: Statements, *, bounded: bool) -> Iterator[Part]:
    yield "unit", said.unit
    yield "per-unit", "" if bounded else _changed(said.per_unit, 1)
    yield "public-records", _changed(said.records, 0)
    yield "domain", said.domain
    yield "graph", said.graph
    yield "graph-epsilon", _changed(said.graph_epsilon, 0)
    yield from (("state", f"{key}={text}") for key, text in said.declared)


def _limits(limits: Thresholds) -> Iterator[Part]:
    default = Thresholds()
    if (limits.powers, limits.auc) != (default.powers, default.auc):
        yield "limits", ",".join(map(number_text, (*limits.powers, limits.auc)))
    yield "noise-limit", _changed(limits.noise, default.noise)
    yield "row-limit", _changed(limits.row_error, default.row_error)
    yield "group-size", _changed(limits.group, default.group)
    yield "group-limit", _changed(limits.group_error, default.group_error)


def _account(request: Request, proposal: Proposal) -> Iterator[Part]:
    """Name and budgets: as stated, or as the ledger knows them since."""
    account = proposal.account
    known = account.name if account is not None and account.fingerprints else ""
    yield "name", request.name or known
    yield "people", request.people
    if account is not None:
        yield "budget", exact_text(account.budget)
        changed = account.delta_budget != DELTA_BUDGET
        yield "delta-budget", exact_text(account.delta_budget) if changed else ""


def _rehearsed(request: Request, proposal: Proposal) -> Iterator[Part]:
    seen = proposal.rehearsal
    if seen is not None:
        kinds = {"network": "network", "random tables": "random"}
        yield "rehearse", seen.file or kinds[seen.kind]
    yield "study-runs", _changed(request.study_runs, 0)


def _reasons(request: Request, checklist: Checklist) -> Iterator[Part]:
    passed = {line.key for line in checklist.overridden}
    for reason in request.reasons:
        if reason.key in passed:
            yield "reason", f"{reason.key}={reason.text}"
    yield "override", request.override
    yield "signed", request.signed


def _synthetic(request: Request) -> Iterator[Part]:
    number = request.synthetic
    if number != synthetic_wish(request.method):
        yield "synthetic", None if number == AS_MEASURED else str(number)
