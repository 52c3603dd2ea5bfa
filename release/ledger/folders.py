"""Released folders against the ledger: files that changed, receipts that it does not hold.

A folder is put in place after its entry is on disk, so a receipt in a folder that the ledger does
not hold shows that the ledger is older than its releases, or another one.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from core.errors import EquipoiseError
from release.files import differing
from release.ledger.account import PaidItem
from release.ledger.book import Ledger
from release.published import Receipt
from sources.text import DOCUMENT_LIMIT, contents, read_json

WITNESSES = {
    "model.json": "release",
    "graph.json": "release",
    "dossier.json": "ledger",
    "domain.json": "release",
}
"""Files that hold a receipt, and under which key."""


def check_receipts(ledger: Ledger, *places: Path) -> None:
    """Refuse a ledger that lacks a release whose files lie there, or where it put files before.

    The folders are read first: a release that is put in place meanwhile is in the ledger then.
    """
    named = (Path(line.directory) for line in _lines(ledger) if line.directory)
    lying = {
        receipt: folder
        for place in dict.fromkeys(path.resolve() for path in (*places, *named))
        for folder, receipt in _receipts(place)
    }
    strange = ledger.strange(tuple(lying))
    if strange:
        raise EquipoiseError(
            f"{lying[strange[0]]} holds a release that the ledger {ledger.path} does not: an older "
            "copy of the ledger was put back, or the folder belongs to another; put back the "
            "newest ledger, or choose another directory for another ledger's releases"
        )


def changed_files(ledger: Ledger) -> tuple[str, ...]:
    """Sentences about files of complete releases that are missing or not as they were released."""
    return tuple(
        f"release {line.id}: {problem}"
        for line in _lines(ledger)
        if line.state == "complete" and line.directory
        for problem in differing(Path(line.directory) / line.id, line.files)
    )


def released_files(line: PaidItem) -> dict[str, Path | None]:
    """Where each file of a past release lies; none where it is missing or was changed since."""
    folder = Path(line.directory) / line.id
    return {
        file.name: None if any(differing(folder, (file,))) else folder / file.name
        for file in line.files
    }


def check_unchanged(ledger: Ledger, name: str, data: bytes) -> None:
    """Refuse a file that says it is one of this ledger's releases and is not as it was released.

    A released model holds the number of its release, in whichever format.
    """
    digest = hashlib.sha256(data).hexdigest()
    for line in _lines(ledger):
        claimed = line.what == "release" and line.id.encode() in data
        if claimed and digest not in {file.sha256 for file in line.files}:
            raise EquipoiseError(
                f"{name} says it is of release {line.id} and is not as it was released; take the "
                "file from where it was published"
            )


def _lines(ledger: Ledger) -> list[PaidItem]:
    return [line for account in ledger.accounts() for line in account.lines]


def _receipts(place: Path) -> Iterator[tuple[Path, Receipt]]:
    """Receipts in the folders of one directory; whatever is no release has none.

    Hidden folders are of releases on trial or being written.
    """
    for path in sorted(p for name in WITNESSES for p in place.glob(f"[!.]*/{name}")):
        try:
            document = read_json(path.name, contents(path), limit=DOCUMENT_LIMIT)
        except EquipoiseError:  # not ours, or just being written
            continue
        facts = document.get(WITNESSES[path.name])
        given = facts.get("receipt") if isinstance(facts, dict) else None
        given = given if isinstance(given, dict) else {}
        number, digest = given.get("number"), given.get("digest")
        if isinstance(number, float) and isinstance(digest, str):  # JSON's numbers are read so
            yield path.parent, Receipt(int(number), digest)
