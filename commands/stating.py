"""Arguments for what only a steward can declare, and for printing a dossier."""

import argparse
from pathlib import Path

from commands.output import say
from commands.values import keyed, options
from core.errors import EquipoiseError
from figures.chromium import to_pdf
from release.dossier.document import dossier_files
from release.publish import Outcome
from release.review.declared import DECLARATIONS, Declared, declared
from release.review.reviewed import Reviewed
from sources.text import read_bytes, read_json


def statement(text: str) -> tuple[str, str]:
    """``KEY=TEXT``."""
    return keyed(text, "names no statement", "KEY=TEXT")


def declaring_arguments(parser: argparse.ArgumentParser) -> None:
    """A file that is filled once and used again, and single statements that go before it."""
    keys = ", ".join(one.key for one in DECLARATIONS)
    told = f"an object of texts, all optional: {keys}"
    one = "one of them, before what the file says (repeatable)"
    options(
        parser.add_argument_group("statements for the dossier"),
        ("--statements", Path, None, "FILE.json", told),
        ("--state", [statement], [], "KEY=TEXT", one),
    )


def declared_from(arguments: argparse.Namespace) -> Declared:
    """What the arguments declare."""
    path = arguments.statements
    given = {} if path is None else read_json(path.name, read_bytes(path))
    return declared({**given, **dict(arguments.state)})


def try_printing(seen: Reviewed, target: Path) -> None:
    """Print the review where the dossier will go: what cannot be printed is refused now."""
    page = dossier_files(seen.document())["dossier.html"]
    try:
        data, fresh = to_pdf(page), not target.exists()
        with target.open("ab") as file:
            if fresh:
                file.write(data)
        if fresh:
            target.unlink()
    except EquipoiseError as problem:
        raise EquipoiseError(f"{problem}; nothing was spent") from None
    except (OSError, ValueError) as problem:
        raise EquipoiseError(
            f"{ascii(str(target))[1:-1]} cannot be written ({type(problem).__name__}); choose "
            "another file for the dossier, nothing was spent"
        ) from None


def print_dossier(outcome: Outcome, target: Path) -> None:
    """Write the dossier as PDF; the release stands also where it cannot be printed."""
    try:
        target.write_bytes(to_pdf((outcome.directory / "dossier.html").read_bytes()))
    except (EquipoiseError, OSError) as problem:
        say(f"note: released, but the dossier was not printed: {problem}")
