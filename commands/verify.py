"""The verb ``verify``: whether released files are as they were released."""

import argparse
from pathlib import Path

from commands.output import Document, write_lines
from commands.values import options
from core.errors import EquipoiseError
from release.dossier.verified import problems
from release.ledger.book import Ledger


def add(parser: argparse.ArgumentParser) -> None:
    """Which folder, and what else it is compared with."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of one release")
    told = "also compare with the ledger: alone it shows a folder that was rewritten as a whole"
    options(
        parser,
        ("--ledger", Path, None, "FILE", told),
        ("--rebuild", bool, False, None, "also make the model again from measurements.json"),
    )


def run(arguments: argparse.Namespace) -> Document:
    """All that fits; what does not is refused, one sentence for each."""
    ledger = None if arguments.ledger is None else Ledger(arguments.ledger, create=False)
    wrong = problems(arguments.folder, ledger=ledger, rebuild=arguments.rebuild)
    if wrong:
        raise EquipoiseError("; ".join(wrong))
    return {
        "folder": str(arguments.folder),
        "files": sorted(path.name for path in arguments.folder.iterdir()),
        "ledger": ledger is not None,
        "rebuilt": arguments.rebuild,
        "problems": [],
    }


def show(document: Document) -> None:
    """As sentences."""
    write_lines(f"As released: {', '.join(document['files'])}.")
    if document["rebuilt"]:
        write_lines("The model was made again from measurements.json: the same to nine decimals.")
    if not document["ledger"]:
        write_lines("A folder rewritten as a whole is shown by the ledger alone: add --ledger.")
