"""How a verb answers: one JSON document, or a table for people."""

import io
import json
import math
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import MEMORY, EquipoiseError, brief
from core.notation import short
from figures.template import Figure

Document = dict[str, Any]

STUDY = "Study: computed from the records, not private, not for publication."

STARTED = time.monotonic()
"""When the command began, for estimates of what is left."""


def finite(value: Any) -> Any:  # noqa: ANN401 - a JSON tree holds anything
    """The same tree with NaN and infinity as null, which JSON lacks."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def picked(thing: object, *names: str) -> Document:
    """Some properties of a thing, by name."""
    return {name: getattr(thing, name) for name in names}


def amounts(thing: object, *names: str) -> Document:
    """The same of exact fractions, as numbers."""
    return {name: float(getattr(thing, name)) for name in names}


def given(write: Callable[[Document], None], document: Document) -> int:
    """The exit code of writing an answer on standard output, which may have no room for it."""
    if sys.stdout is None:  # closed by whoever started this
        say("done, but there is no standard output for the answer; leave it open")
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):  # of a name that is no text, of a locale without ε
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        write(document)
        sys.stdout.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):  # a reader (head) that has seen enough
            say(f"done, but the answer cannot be written ({problem.strerror}); make room for it")
            return 2
    return 0


def write_json(document: Document) -> None:
    """Exactly one document on standard output."""
    json.dump(finite(document), sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def write_lines(*lines: str) -> None:
    """Plain text on standard output."""
    sys.stdout.write("\n".join(printable(one) for line in lines for one in line.split("\n")) + "\n")


def printable(line: str) -> str:
    """A line without signs that command a terminal, or end a line: names come from files."""
    return "".join(c if c.isprintable() else " " for c in line)


def write_table(
    headings: Sequence[str] | Mapping[str, str], rows: Iterable[Sequence[object] | Document]
) -> None:
    """Columns aligned, text to the left, numbers to the right; of a mapping those of the heads.

    Heads that are no keys of the rows are given with theirs.
    """
    keys = headings.values() if isinstance(headings, Mapping) else headings
    laid = [[row[key] for key in keys] if isinstance(row, dict) else row for row in rows]
    texts = [[_text(cell) for cell in row] for row in laid]
    widths = [max(len(cells) for cells in column) for column in zip(headings, *texts, strict=True)]
    numeric = [
        all(isinstance(row[j], int | float | None) for row in laid) for j in range(len(headings))
    ]
    for line in (headings, *texts):
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        write_lines("  ".join(parts).rstrip())


def _text(cell: object) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return short(cell, 4)
    return f"{cell:,}" if isinstance(cell, int) else printable(str(cell))


def heed_interrupts() -> None:
    """Let Ctrl-C be seen by a verb that begins; until then it ends the process without a word."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def sentence(problem: EquipoiseError | OSError | MemoryError | KeyboardInterrupt) -> str:
    """A refusal; of a file that the system refuses, which one and why, and of all else the why."""
    if isinstance(problem, KeyboardInterrupt):
        return "stopped before the answer; if a ledger was named, it says whether anything is paid"
    if isinstance(problem, MemoryError):
        return MEMORY
    if isinstance(problem, OSError):
        if problem.filename is None:  # no file that somebody named: no process, no disk to go on
            reason = (problem.strerror or str(problem)).lower()
            return (
                f"this machine could not go on ({brief(reason)}); see that memory, disk and "
                "processes are left, and try again"
            )
        return f"{brief(str(problem.filename))} cannot be used ({problem.strerror}); choose another"
    return str(problem)


def write_file(path: Path, content: bytes) -> None:
    """Write all of it, or leave what was there and say in one sentence why."""
    try:
        if path.exists() and not path.is_file():
            _poured(path, content)
            return
        target = Path(os.path.realpath(path))
        own = target.with_name(f".{secrets.token_hex(8)}")
        try:
            own.write_bytes(content)
            if target.exists():
                own.chmod(target.stat().st_mode)
            own.replace(target)
        finally:
            own.unlink(missing_ok=True)
    except (OSError, ValueError) as problem:  # a name with a NUL is not even asked for
        reason = (getattr(problem, "strerror", "") or str(problem)).lower()
        raise EquipoiseError(
            f"{brief(str(path))} cannot be written ({reason}); choose another"
        ) from None


def _poured(target: Path, content: bytes) -> None:
    """Into a device, or a pipe that somebody reads; one that nobody reads is refused."""
    number = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
    os.set_blocking(number, True)
    with open(number, "wb") as file:  # noqa: PTH123 - a number, and no path
        file.write(content)


def draw(figure: Callable[[], Figure], path: Path | None, *, title: str, scenario: str) -> None:
    """The picture as a file, where one is asked for; stamped as a study, named to people."""
    if path is None:
        return
    from figures.export import written  # plotly takes a while to import

    told = f"{STUDY}\n{scenario}"
    write_file(path, written(figure(), path.suffix, title=title, scenario=told))
    say(f"figure: {path}")


def say(message: str) -> None:
    """A message for people: standard error, so that standard output stays the answer."""
    if sys.stderr is not None:  # else closed by whoever started this
        sys.stderr.write(printable(message) + "\n")


def progress_bar(done: int, total: int) -> None:
    """A bar on standard error, drawn over itself on a terminal and silent elsewhere."""
    if sys.stderr is not None and sys.stderr.isatty():
        filled = round(30 * done / total)
        rest = (time.monotonic() - STARTED) * (total - done) / done
        end = f" about {rest:.0f} s left " if done < total else " " * 20 + "\n"
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total}{end}")
        sys.stderr.flush()


def passable(word: str) -> bool:
    """Whether a shell could have given this argument, and a file could be called so."""
    try:
        return b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        return False
