"""Released files against each other, their dossier and their ledger: what a recipient can check.

A file that was changed differs from its checksum in the dossier; a dossier that was changed differs
from its own. Who rewrites all files of a folder at once is found by the ledger alone, or by a
receipt that was kept elsewhere.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import EquipoiseError, brief
from release.dossier.document import checksum, dossier_files
from release.files import GRAPH, MODEL, difference, differing
from release.ledger.book import Ledger
from release.measurements import MEASUREMENTS, not_rebuilt
from release.published import Document, Receipt
from release.versions import versions
from sources.text import UPLOAD_LIMIT, check_parts, contents, opened

DOSSIER = "dossier.json"


def problems(
    folder: Path, *, ledger: Ledger | None = None, rebuild: bool = False
) -> tuple[str, ...]:
    """One sentence for each thing that does not fit; none where all is as it was released.

    With a ``ledger`` its chain and checksums are compared as well; with ``rebuild`` the model is
    made again from its measurements. Looks at no record.
    """
    files = _paths(folder)
    if DOSSIER not in files:
        return (f"{folder} holds no {DOSSIER}; name the folder of one release",)
    written = contents(files[DOSSIER], UPLOAD_LIMIT)
    try:
        document = json.loads(written)
        return tuple(_problems(document, files, folder, ledger, rebuild=rebuild))
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError):
        return (f"{DOSSIER} is not a dossier; take it as it was released",)


def _problems(
    document: Document,
    files: Mapping[str, Path],
    folder: Path,
    ledger: Ledger | None,
    *,
    rebuild: bool,
) -> Iterator[str]:
    if checksum(document) != document["checksum"]:
        yield f"{DOSSIER} is not as it was written; its checksum differs"
        return  # what it says of the others means nothing then
    if document["status"] != "released":
        yield f"{DOSSIER} is of a review ({document['status']}), and no release"
        return
    yield from _differing(document, files)
    held = {file["name"]: file["size"] for file in document["files"]}
    whole = {n: path for n, path in files.items() if path.stat().st_size <= held.get(n, 0)}
    yield from _strange(document, whole)
    if ledger is not None:
        yield from _in_ledger(document, files, folder, ledger)
    if rebuild:
        yield from _made_again(whole)


def _paths(folder: Path) -> dict[str, Path]:
    """Files by name, each of which can be read."""
    try:
        paths = sorted(folder.iterdir())
        for path in paths:
            opened(path).close()
        return {path.name: path for path in paths}
    except OSError as problem:
        reason = (problem.strerror or type(problem).__name__).lower()
        raise EquipoiseError(
            f"{brief(str(folder))} cannot be read ({reason}); name the folder of one release"
        ) from None


def _differing(document: Document, files: Mapping[str, Path]) -> Iterator[str]:
    """Files that are missing, changed, or were not released with the others."""
    for file in document["files"]:
        path = files.get(file["name"])
        if path is None:
            yield f"{file['name']} is missing"
        elif what := difference(path, file["size"], file["sha256"]):
            yield f"{file['name']} is not as it was released; its {what} differs"
    writer, reader = document["reproducibility"]["versions"]["equipoise"], versions()[0][1]
    by = "" if writer == reader else f" by {reader} (it was written by {writer})"
    papers = dossier_files(document)
    for name in papers:
        if name not in files:
            yield f"{name} is missing"
        elif name != DOSSIER and not _holds(files[name], papers[name]):
            yield f"{name} is not made from {DOSSIER}{by}"
    known = {*papers, *(file["name"] for file in document["files"])}
    yield from (f"{name} is no file of this release" for name in files if name not in known)


def _holds(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and contents(path, len(data)) == data


def _strange(document: Document, files: Mapping[str, Path]) -> Iterator[str]:
    """Files of another release than the dossier's, of those that are no larger than they were."""
    for name in (MODEL, GRAPH, MEASUREMENTS):
        if name in files:
            try:
                check_parts(name, data := contents(files[name]))
                facts = json.loads(data)["release"]
                told: tuple[Any, ...] = (facts["id"], facts["receipt"])
            except EquipoiseError as problem:
                yield str(problem)
                continue
            except (ValueError, KeyError, TypeError, RecursionError):
                yield f"{name} holds no receipt"
                continue
            if told != (document["decision"]["release"], document["ledger"]["receipt"]):
                yield f"{name} is of release {told[0]}, and the dossier of another"


def _in_ledger(
    document: Document, files: Mapping[str, Path], folder: Path, ledger: Ledger
) -> Iterator[str]:
    """What the ledger says against the folder: of a release that is complete, every file."""
    receipt = Receipt(**document["ledger"]["receipt"])
    verified = ledger.verify([receipt])
    yield from (f"the ledger {ledger.path}: {problem}" for problem in verified.problems)
    if not verified.sound:
        return
    line = ledger.line(document["decision"]["release"])
    if line.what != "release" or line.state != "complete":
        yield f"the ledger {ledger.path} has {line.id} as a {line.what} that is {line.state}"
    if line.receipt != receipt:
        yield f"the receipt in {DOSSIER} is of another entry than release {line.id}"
    yield from differing(folder, line.files)
    listed = {file.name for file in line.files}
    strange = (name for name in files if name not in listed)
    yield from (f"{name} is in no entry of release {line.id}" for name in strange)


def _made_again(files: Mapping[str, Path]) -> Iterator[str]:
    if MEASUREMENTS not in files:
        yield f"{MEASUREMENTS} is missing or has grown, so the model cannot be made again"
        return
    whole = {n: contents(path) for n, path in files.items() if path.suffix in (".json", ".bif")}
    try:
        for name in not_rebuilt(whole):
            yield f"{name} is not what the method makes of {MEASUREMENTS}"
    except EquipoiseError as problem:
        yield str(problem)
