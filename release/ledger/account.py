"""Account: what the ledger says of one dataset, folded from its entries.

An entry is believed only if Equipoise could have written it: a negative ε in a sound chain would
give back what was spent, so that reading refuses it with its number.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from core.errors import EquipoiseError
from core.privacy import Neighbours
from release.ledger.liveness import Process, at_work
from release.published import Receipt, ReleasedFile
from release.rationals import amount, fraction, portion

State = Literal["pending", "complete", "lost"]

Entry = Mapping[str, Any]
"""One entry of the ledger, as its JSON says it."""


@dataclass
class PaidItem:
    """One thing that was paid for: a release, or the structure it is about.

    ``state``: a release is pending until its files are complete, or lost; a lost one stays paid.
    ``settled`` says that an entry says so: a process that was killed leaves none. ``order`` is
    the digest of what was ordered and ``rows`` the fingerprint of its records, both empty in
    entries older than them; ``people`` is what the steward said of whose records they are. One that
    learned its graph has the digest of that ``graph``, and the ``parts`` that its ε was for.
    ``per_unit`` are the records that one unit had at most, one in entries that do not say.
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
    order: str = ""
    rows: str = ""
    people: str = ""
    graph: str = ""
    parts: tuple[tuple[str, Fraction], ...] = ()
    signed: str = ""
    per_unit: int = 1

    def __post_init__(self) -> None:
        texts = (self.id, self.time, self.method, self.token, self.override, self.reason,
                 self.directory, self.order, self.rows, self.people, self.graph, self.signed,
                 *(part for file in self.files for part in (file.name, file.sha256)))  # fmt: skip
        names = [file.name for file in self.files]
        if not all(isinstance(text, str) for text in texts) or len(set(names)) < len(names):
            raise EquipoiseError("a text is none, or a file stands twice")
        if type(self.per_unit) is not int or self.per_unit < 1:
            raise EquipoiseError(f"one unit has {self.per_unit!r} records")
        amount(f"ε of a {self.what}", self.epsilon)
        portion(f"δ of a {self.what}", self.delta)


NOBODY = "none"
"""The steward's word for data whose people are in no other account."""

SAMPLED = "sampled"
"""What an account of made-up records has in its place: they are nobody's."""


@dataclass
class Account:
    """One budget: every release of these data is charged here, whatever name they come under.

    Pure ε and δ add up (sequential composition), for each method the ε and δ it claims. Only
    releases for one relation of neighbours add up, so an account has one. ``people`` is what was
    said when it was opened (``none`` of them is in another account; ``sampled``: nobody's; or
    nothing, in the first account) and ``apart`` how many other accounts there were.
    """

    name: str
    fingerprints: list[str]
    budget: Fraction
    delta_budget: Fraction
    neighbours: Neighbours
    lines: list[PaidItem] = field(default_factory=list)
    people: str = ""
    apart: int = 0

    def __post_init__(self) -> None:
        if not all(isinstance(text, str) for text in (self.name, self.people, *self.fingerprints)):
            raise EquipoiseError("the name or a fingerprint of an account is no text")
        amount("the ε budget of an account", self.budget)
        portion("the δ budget of an account", self.delta_budget)

    @property
    def spent(self) -> Fraction:
        """ε of everything paid for, lost or not."""
        return sum((line.epsilon for line in self.lines), Fraction(0))

    def unit_spent(self, per_unit: int) -> Fraction:
        """The same for one unit with all its records, of which it has so many at most now."""
        return sum(
            (max(line.per_unit, per_unit) * line.epsilon for line in self.lines), Fraction(0)
        )

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


FORMAT = 1
ENDED = "it ended before the release was complete"


def fold(entries: Iterable[Entry]) -> dict[str, Account]:
    """Accounts by name. A pending release that nobody works at any more shows as lost.

    Refused: an entry that no Equipoise writes, whatever the chain says.
    """
    accounts: dict[str, Account] = {}
    lines: dict[str, PaidItem] = {}
    processes: dict[str, Process] = {}
    for place, entry in enumerate(entries, start=1):
        try:
            _add(entry, accounts, lines, processes)
        except EquipoiseError as problem:
            raise EquipoiseError(f"entry {place}: {problem}") from None
        except (LookupError, TypeError, ValueError, ArithmeticError) as problem:
            raise EquipoiseError(
                f"entry {place} is no {entry.get('kind')!r} entry ({problem})"
            ) from None
    for account in accounts.values():
        if account.remaining < 0 or account.delta_remaining < 0:
            raise EquipoiseError(f"{account.name!r} has spent more than its budget")
    for line in lines.values():
        if line.state == "pending" and not at_work(processes[line.id], line.id):
            line.state, line.reason = "lost", ENDED
    return accounts


def _add(
    entry: Entry,
    accounts: dict[str, Account],
    lines: dict[str, PaidItem],
    processes: dict[str, Process],
) -> None:
    """What one entry says, on top of those before it."""
    match entry["kind"]:
        case "ledger":
            if entry["format"] != FORMAT:
                raise EquipoiseError(f"its format is {entry['format']}, which this one cannot read")
        case "dataset":
            _new(accounts, entry["name"])
            accounts[entry["name"]] = Account(
                entry["name"],
                list(entry["fingerprints"]),
                fraction(entry["budget"]),
                fraction(entry["delta_budget"]),
                Neighbours(entry["neighbours"]),
                people=entry.get("people", ""),
                apart=len(entry.get("apart", ())),
            )
        case "fingerprint":  # as new ones were told once
            accounts[entry["dataset"]].fingerprints.append(str(entry["fingerprint"]))
        case "structure":
            accounts[entry["dataset"]].lines.append(_line(entry))
        case "spend":
            _new(lines, entry["release"])
            line = _line(entry)
            accounts[entry["dataset"]].lines.append(line)
            accounts[entry["dataset"]].fingerprints.extend(map(str, entry.get("fingerprints", ())))
            lines[line.id], processes[line.id] = line, Process(**entry["process"])
        case "complete" | "lost":
            _settle(lines[entry["release"]], entry)
        case kind:
            raise EquipoiseError(f"no entry is of the kind {kind!r}")


def _new(known: Mapping[str, object], name: str) -> None:
    if name in known:
        raise EquipoiseError(f"{name!r} is there already, and would be forgotten")


def _settle(line: PaidItem, entry: Entry) -> None:
    if line.settled:
        raise EquipoiseError(f"release {line.id} is {line.state} already")
    line.state, line.settled = entry["kind"], True
    line.reason = entry.get("reason", "")
    line.directory = entry.get("directory", "")
    line.graph = entry.get("graph", "")
    line.files = tuple(ReleasedFile(**file) for file in entry.get("files", ()))
    line.__post_init__()  # what it says is checked again


def _line(entry: Entry) -> PaidItem:
    structure = entry["kind"] == "structure"
    return PaidItem(
        id=entry["graph"] if structure else entry["release"],
        what="structure" if structure else "release",
        time=entry["time"],
        method=entry["method"],
        epsilon=fraction(entry["epsilon"]),
        delta=fraction(entry["delta"]),
        state="complete" if structure else "pending",
        settled=structure,
        receipt=Receipt(entry["number"], entry["digest"]),
        token=entry.get("token", ""),
        override=entry.get("override", ""),
        signed=entry.get("signed", ""),
        order=entry.get("order", ""),
        rows=entry.get("rows", ""),
        people=entry.get("people", ""),
        parts=tuple((name, fraction(part)) for name, part in entry.get("parts", ())),
        per_unit=entry.get("per_unit", 1),
    )
