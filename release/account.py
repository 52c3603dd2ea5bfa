"""Account: what the ledger says of one dataset, folded from its entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from core.privacy import Neighbours
from release.liveness import Process, alive
from release.published import Receipt, ReleasedFile

State = Literal["pending", "complete", "lost"]

Entry = Mapping[str, Any]
"""One entry of the ledger, as its JSON says it."""


@dataclass
class Line:
    """One thing that was paid for: a release, or the structure it is about.

    ``state``: a release is pending until its files are complete, or lost; a lost one stays paid.
    ``settled`` says that an entry says so: a process that was killed leaves none.
    """

    id: str
    what: Literal["release", "structure"]
    time: str
    method: str
    epsilon: Fraction
    delta: Fraction
    state: State
    settled: bool
    receipt: Receipt
    token: str = ""
    override: str = ""
    reason: str = ""
    directory: str = ""
    files: tuple[ReleasedFile, ...] = ()


@dataclass
class Account:
    """One budget: every release of these data is charged here, whatever name they come under.

    Pure ε and δ add up (sequential composition), for each method the ε and δ it claims. Only
    releases for one relation of neighbours add up, so an account has one.
    """

    name: str
    fingerprints: list[str]
    budget: Fraction
    delta_budget: Fraction
    neighbours: Neighbours
    lines: list[Line] = field(default_factory=list)

    @property
    def spent(self) -> Fraction:
        """ε of everything paid for, lost or not."""
        return sum((line.epsilon for line in self.lines), Fraction(0))

    @property
    def delta_spent(self) -> Fraction:
        """δ of everything paid for, lost or not."""
        return sum((line.delta for line in self.lines), Fraction(0))

    @property
    def remaining(self) -> Fraction:
        """ε that may still be spent."""
        return self.budget - self.spent

    @property
    def delta_remaining(self) -> Fraction:
        """δ that may still be spent."""
        return self.delta_budget - self.delta_spent


ENDED = "the process ended before the release was complete"


def fold(entries: Iterable[Entry]) -> dict[str, Account]:
    """Accounts by name. A pending release whose process has ended shows as lost."""
    accounts: dict[str, Account] = {}
    lines: dict[str, Line] = {}
    processes: dict[str, Process] = {}
    for entry in entries:
        match entry["kind"]:
            case "dataset":
                accounts[entry["name"]] = _opened(entry)
            case "fingerprint":
                accounts[entry["dataset"]].fingerprints.append(entry["fingerprint"])
            case "structure":
                accounts[entry["dataset"]].lines.append(_line(entry))
            case "spend":
                line = _line(entry)
                accounts[entry["dataset"]].lines.append(line)
                lines[line.id], processes[line.id] = line, Process(**entry["process"])
            case "complete" | "lost":
                _settle(lines[entry["release"]], entry)
    _lose(lines, processes)
    return accounts


def _lose(lines: Mapping[str, Line], processes: Mapping[str, Process]) -> None:
    for line in lines.values():
        if line.state == "pending" and not alive(processes[line.id]):
            line.state, line.reason = "lost", ENDED


def _settle(line: Line, entry: Entry) -> None:
    line.state, line.settled = entry["kind"], True
    line.reason = entry.get("reason", "")
    line.directory = entry.get("directory", "")
    line.files = tuple(ReleasedFile(**file) for file in entry.get("files", ()))


def _opened(entry: Entry) -> Account:
    return Account(
        entry["name"],
        list(entry["fingerprints"]),
        Fraction(entry["budget"]),
        Fraction(entry["delta_budget"]),
        Neighbours(entry["neighbours"]),
    )


def _line(entry: Entry) -> Line:
    structure = entry["kind"] == "structure"
    return Line(
        id=entry["graph"] if structure else entry["release"],
        what="structure" if structure else "release",
        time=entry["time"],
        method=entry["method"],
        epsilon=Fraction(entry["epsilon"]),
        delta=Fraction(entry["delta"]),
        state="complete" if structure else "pending",
        settled=structure,
        receipt=Receipt(entry["number"], entry["digest"]),
        token=entry.get("token", ""),
        override=entry.get("override", ""),
    )
