"""Where the app keeps its ledger and released files, and what the ledger knows of the data on show.

Uploaded records are charged to the server's ledger, which outlives sessions. Records sampled from
a public network are nobody's: releasing them is a demonstration, charged to a ledger that belongs
to the session and goes with it. Only the account of the data on show is ever looked up.
"""

import os
import shutil
import tempfile
import weakref
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import compute, visitors
from release.ledger.account import NOBODY, SAMPLED, Account, PaidItem
from release.ledger.book import Ledger
from release.ledger.store import key_digest, make_directory
from release.order import fingerprints
from sources.study import Study

VARIABLE = "EQUIPOISE_LEDGER"
"""Environment variable that names the ledger file."""


@dataclass(frozen=True)
class Place:
    """A ledger file with the directory of its releases; ``lasting`` unless it is the session's."""

    path: Path
    lasting: bool

    @property
    def releases(self) -> Path:
        """Where released files go, one directory for each release."""
        return self.path.with_name("releases")

    def opened(self) -> Ledger:
        """The ledger, made with its directory where there is none yet."""
        try:
            make_directory(self.path.parent, mode=0o700)
            make_directory(self.releases, mode=0o700)
        except OSError as problem:
            raise EquipoiseError(
                f"{self.path.parent} cannot hold a ledger ({(problem.strerror or '').lower()}); "
                f"set {VARIABLE} to a file that can be written"
            ) from None
        return Ledger(self.path)

    def existing(self) -> Ledger | None:
        """The ledger if there is one; looking at a page makes no file."""
        try:
            there = self.path.exists()
        except OSError as problem:
            raise EquipoiseError(
                f"the ledger {self.path} cannot be looked at ({(problem.strerror or '').lower()}); "
                f"check the file, or set {VARIABLE} to another"
            ) from None
        return Ledger(self.path, create=False) if there else None


def default_path() -> Path:
    """The ledger of this server: named by the environment, or in the user's data directory.

    Where people log in, that of those who share one: nobody else's is ever opened for them.
    """
    data = os.environ.get("XDG_DATA_HOME", "").strip()
    usual = Path(data or Path.home() / ".local" / "share") / "equipoise" / "ledger.sqlite"
    path = Path(os.environ.get(VARIABLE, "").strip() or usual).expanduser()
    return path.parent / visitors.ledger_folder() / path.name


class _Folder:
    """A private directory that is removed with the session that holds it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="equipoise-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def place_of(study: Study) -> Place:
    """The ledger that a release of this data is charged to."""
    if not study.sampled:
        return Place(default_path(), lasting=True)
    if "demonstrations" not in st.session_state:
        st.session_state.demonstrations = _Folder()
    folder: _Folder = st.session_state.demonstrations
    return Place(folder.path / "ledger.sqlite", lasting=False)


@dataclass(frozen=True)
class Looked:
    """What the ledger says of some data; ``problem`` where it cannot be read.

    ``others`` are the accounts in which people of new data may be; made-up people are in none.
    """

    study: Study
    place: Place
    ledger: Ledger | None = None
    account: Account | None = None
    others: int = 0
    problem: str = ""

    def joined(self, people: str) -> "Looked":
        """With the account that the steward says the people in new data are in."""
        if not self.others or self.ledger is None or people in ("", NOBODY):
            return self
        if not self.taken(people):
            problem = f"the ledger has no account {people!r}; give the name it was opened with"
            return replace(self, problem=problem)
        account = self.ledger.account(_fingerprints(self.study, self.ledger), people=people)
        return replace(self, account=account)

    def taken(self, name: str) -> bool:
        """Whether other data have an account of this name; nothing more is said about it."""
        if self.ledger is None or (self.account is not None and self.account.name == name):
            return False
        return any(other.name == name for other in self.ledger.accounts())

    def past(self) -> list[PaidItem]:
        """Complete releases of exactly these rows, newest first: who has them may have them again.

        Releases of other rows in the same account are not shown.
        """
        if self.ledger is None or self.account is None:
            return []
        rows = _fingerprints(self.study, self.ledger)[0]
        return [x for x in reversed(self.account.lines) if x.state == "complete" and rows == x.rows]


def look_up(study: Study) -> Looked:
    """The account of exactly these data, by fingerprint."""
    place = place_of(study)
    try:
        ledger = place.existing()
        if ledger is None:
            return Looked(study, place)
        account = ledger.account(_fingerprints(study, ledger))
        known = study.sampled or account is not None
        others = 0 if known else sum(x.people != SAMPLED for x in ledger.accounts())
        return Looked(study, place, ledger, account, others)
    except EquipoiseError as problem:
        return Looked(study, place, problem=str(problem))


def _fingerprints(study: Study, ledger: Ledger) -> tuple[str, ...]:
    key = ("fingerprints", key_digest(ledger.key()), study.fingerprint, study.source)
    return compute.remembered(key, lambda: fingerprints(study, ledger))
