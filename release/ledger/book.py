"""The ledger: what has been spent on which data. It refuses to overspend and cannot be undone.

One budget for each dataset, found by fingerprint or by the steward's name. A spend is on disk
before noise is drawn; afterwards the release is complete, or lost, and stays paid. There is no
undo: noise that somebody may have seen cannot be taken back.
"""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import EquipoiseError
from release.ledger import store
from release.ledger.account import ENDED, FORMAT, Account, PaidItem, fold
from release.ledger.chain import Verification, broken, opened
from release.ledger.liveness import MAKING, this_process
from release.ledger.people import apart, find
from release.ledger.spending import Spend, charged, check, due, find_token
from release.published import Receipt, ReleasedFile
from sources.text import as_written


@dataclass(frozen=True)
class Reservation:
    """The release that a spend paid for; ``fresh`` unless its token was used before."""

    line: PaidItem
    account: Account
    fresh: bool


class Ledger:
    """One file; every method is one transaction."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        if create:
            store.create(path, {"kind": "ledger", "format": FORMAT, "time": now()})

    def key(self) -> bytes:
        """The secret that fingerprints are made with."""
        return store.contents(self.path).key

    def accounts(self) -> tuple[Account, ...]:
        """Every account, oldest first."""
        return tuple(self._read().values())

    def account(
        self, fingerprints: Sequence[str], name: str = "", people: str = ""
    ) -> Account | None:
        """The account of data with these fingerprints, of this name, or of people stated."""
        return find(self._read(), fingerprints, name=name, people=people)

    def charged(self, spend: Spend) -> Account:
        """The account that a spend goes to: that of the data, or the one it would open."""
        return charged(self._read(), spend)

    def line(self, release: str) -> PaidItem:
        """One release."""
        return _line(self._read(), release)[1]

    def verify(self, receipts: Sequence[Receipt] = ()) -> Verification:
        """Whether any entry was changed, removed, moved or cut off, as far as the file shows."""
        held = store.contents(self.path)
        problems = _problems(held, receipts)
        if not problems:
            try:
                _folded(held)
            except EquipoiseError as problem:
                problems.append(str(problem))
        return Verification(len(held.entries), held.head.digest, tuple(problems))

    def strange(self, receipts: Sequence[Receipt]) -> tuple[Receipt, ...]:
        """Receipts that are not of this ledger as it is now."""
        digests = {entry.number: entry.digest for entry in store.contents(self.path).entries}
        return tuple(r for r in receipts if digests.get(r.number) != r.digest)

    def foresee(self, spend: Spend) -> Reservation | None:
        """The release its token has paid for before; otherwise refused if it cannot be paid."""
        accounts = self._read()
        again = find_token(accounts, spend)
        if again:
            return Reservation(again[1], again[0], fresh=False)
        check(charged(accounts, spend), spend)
        return None

    def spend(self, spend: Spend) -> Reservation:
        """Pay for one release, on disk when this returns; noise may be drawn only afterwards."""
        try:
            with store.writing(self.path) as writing:
                return self._paid(spend, writing)
        except store.UnusableError as problem:
            spent = "nothing was spent" if problem.unchanged else "the ledger says whether it paid"
            raise EquipoiseError(f"{problem}; no noise was drawn, {spent}") from None

    def _paid(self, spend: Spend, writing: store.Writing) -> Reservation:
        accounts = _sound(self.path, writing.contents)
        again = find_token(accounts, spend)
        if again:
            return Reservation(again[1], again[0], fresh=False)
        account = charged(accounts, spend)
        check(account, spend)
        for line in (line for a in accounts.values() for line in a.lines):
            if line.reason == ENDED and not line.settled:
                writing.add(_entry("lost", release=line.id, reason=ENDED))
        if account.name not in accounts:
            others = apart(accounts, people=spend.people, sampled=spend.sampled)
            writing.add(
                _entry(
                    "dataset",
                    name=account.name,
                    fingerprints=list(account.fingerprints),
                    budget=str(account.budget),
                    delta_budget=str(account.delta_budget),
                    neighbours=account.neighbours.value,
                    people=account.people,
                    apart=list(others),
                )
            )
        release = secrets.token_hex(8)
        for facts in _bill(account, spend, release):
            writing.add(facts)
        MAKING.add(release)
        account, line = _line(fold(map(opened, writing.entries)), release)
        return Reservation(line, account, fresh=True)

    def complete(
        self, release: str, files: Sequence[ReleasedFile], *, directory: str = "", graph: str = ""
    ) -> Receipt:
        """Record the files of a release with their checksums, and the graph it has learned."""
        listed = [asdict(file) for file in files]
        learned = {"graph": graph} if graph else {}
        facts = _entry("complete", release=release, files=listed, directory=directory, **learned)
        return self._settle(facts)

    def lose(self, release: str, reason: str) -> Receipt:
        """Record that a release came to nothing. What it cost stays spent."""
        return self._settle(_entry("lost", release=release, reason=reason))

    def _read(self) -> dict[str, Account]:
        """The accounts now.

        A process may complete its release and end right after the file was read: one that seems
        to have ended without is looked up once more, when it can write no longer.
        """
        ended: set[str] = set()
        while True:
            accounts = _sound(self.path, store.contents(self.path))
            lines = (line for account in accounts.values() for line in account.lines)
            unsettled = {line.id for line in lines if line.state == "lost" and not line.settled}
            if unsettled <= ended:
                return accounts
            ended |= unsettled

    def _settle(self, facts: dict[str, Any]) -> Receipt:
        with store.writing(self.path) as writing:
            line = _line(_sound(self.path, writing.contents), facts["release"])[1]
            if line.settled:
                raise EquipoiseError(f"release {line.id} is {line.state} already")
            return writing.add(facts)


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _problems(held: store.Contents, receipts: Sequence[Receipt] = ()) -> list[str]:
    problems = broken(held.entries, held.head, receipts)
    first = opened(held.entries[0]) if held.entries and not problems else {}
    if not problems and first.get("key") != store.key_digest(held.key):
        problems.append("the key was replaced: no data would be known again")
    return problems


def _sound(path: Path, held: store.Contents) -> dict[str, Account]:
    """The accounts of a ledger that nobody has changed; nothing is spent from another."""
    problems = _problems(held)
    if problems:
        raise EquipoiseError(
            f"the ledger {path} was changed outside Equipoise ({problems[0]}); restore it from a "
            "copy, nothing is released from it"
        )
    try:
        return _folded(held)
    except EquipoiseError as problem:
        raise EquipoiseError(
            f"the ledger {path} holds what none may ({problem}); restore it from a copy made "
            "before, nothing is released from it"
        ) from None


def _folded(held: store.Contents) -> dict[str, Account]:
    with as_written("an entry", "nobody but Equipoise may write one"):
        return fold(map(opened, held.entries))


def _line(accounts: dict[str, Account], release: str) -> tuple[Account, PaidItem]:
    for account in accounts.values():
        for line in account.lines:
            if line.id == release:
                return account, line
    raise EquipoiseError(f"the ledger has no release {release!r}; check the number")


def _entry(kind: str, **facts: object) -> dict[str, Any]:
    return {"kind": kind, "time": now(), **facts}


def _bill(account: Account, spend: Spend, release: str) -> list[dict[str, Any]]:
    """The entries of one spend: the structure if it is due, the release with new fingerprints.

    Their number is public, since receipts tell it, and does not depend on the records.
    """
    several = {"per_unit": spend.per_unit} if spend.per_unit > 1 else {}
    unknown = [f for f in dict.fromkeys(spend.fingerprints) if f not in account.fingerprints]
    entries = []
    graph = due(account, spend.graph)
    if graph is not None:
        entries.append(
            _entry(
                "structure",
                dataset=account.name,
                graph=graph.digest,
                method=graph.method,
                epsilon=str(graph.epsilon),
                delta="0",
                **several,
            )
        )
    entries.append(
        _entry(
            "spend",
            dataset=account.name,
            release=release,
            token=spend.token,
            order=spend.order,
            rows=spend.fingerprints[0],
            people=spend.people,
            method=spend.method,
            epsilon=str(spend.epsilon),
            delta=str(spend.delta),
            override=spend.override,
            failed=list(spend.failed),
            **({"signed": spend.signed} if spend.signed else {}),
            **({"fingerprints": unknown} if unknown else {}),
            **several,
            process=asdict(this_process()),
            **({"parts": [[n, str(part)] for n, part in spend.parts]} if spend.parts else {}),
        )
    )
    return entries
