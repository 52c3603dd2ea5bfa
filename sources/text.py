"""Bytes to text, strictly: size, encoding and the words in which a file is refused."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from core.errors import EquipoiseError, brief

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

UPLOAD_LIMIT = 20 * 2**20
"""Most bytes a file may have unless the caller allows more (20 MB)."""

DOCUMENT_LIMIT = 2**28
"""Most bytes of a file of ours: a model of 2**23 cells, each on a line of some 26 bytes."""

MOST_PARTS = 2**25
"""Most lists, objects and items of a JSON file: twice the cells that are drawn for a release."""

SHOWN = 40
"""Most characters of a value that a message repeats."""


Content = bytes | Path
"""What a file holds: its bytes, or where they are read from piece by piece."""

BLOCK = 2**22
"""Bytes read at once; a line of a table may not be longer."""


class _Named(io.FileIO):
    """A file that is named where it cannot be read on: its disk, or a server, is gone."""

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        """The next bytes."""
        try:
            return super().readinto(buffer)
        except OSError as problem:
            raise _unreadable(Path(str(self.name)), problem) from None

    def readall(self) -> bytes:
        """All bytes."""
        try:
            return super().readall()
        except OSError as problem:
            raise _unreadable(Path(str(self.name)), problem) from None


def opened(content: Content) -> io.BufferedReader | io.BytesIO:
    """The content to be read from its beginning; the caller closes it."""
    if isinstance(content, bytes):
        return io.BytesIO(content)
    try:
        if not (stat.S_ISREG(mode := content.stat().st_mode) or stat.S_ISDIR(mode)):
            raise ValueError("a pipe or a device, which may never end")
        return io.BufferedReader(_Named(str(content)))
    except (OSError, ValueError) as problem:  # a name with a NUL is not even asked for
        raise _unreadable(content, problem) from None


def _unreadable(path: Path, problem: OSError | ValueError) -> EquipoiseError:
    reason = (getattr(problem, "strerror", "") or str(problem)).lower()
    return EquipoiseError(
        f"{brief(str(path))} cannot be read ({reason}); check the name and the permissions"
    )


def contents(path: Path, most: int = DOCUMENT_LIMIT) -> bytes:
    """The bytes of a file of ours; one larger than we write any is refused without being read."""
    with opened(path) as file:
        if (size := path.stat().st_size) <= most:
            return file.read(size)
    raise EquipoiseError(
        f"{brief(str(path))} is larger than {most / 2**20:g} MB, and no such file of a release is; "
        "take it from where it was published"
    )


def check_parts(name: str, data: bytes) -> None:
    """Refuse a JSON file that would take many times its size: each ``[]`` is two bytes and 64."""
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise EquipoiseError(
            f"{name} has more than {MOST_PARTS:,} parts, and no such file of a release has; take "
            "it from where it was published"
        )


def read_bytes(path: Path) -> bytes:
    """The file's bytes; a file over the limit is refused without being read to its end."""
    with opened(path) as file:
        data = file.read(UPLOAD_LIMIT + 1)
    check_size(path.name, data)
    return data


def digest(content: Content) -> str:
    """SHA-256 of the content."""
    with opened(content) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_filled(name: str, content: Content) -> None:
    """Refuse an empty file."""
    with opened(content) as file:
        if not file.read(1):
            raise EquipoiseError(f"{name} is empty; choose a file that has content")


def check_size(name: str, content: bytes, limit: int = UPLOAD_LIMIT) -> None:
    """Refuse an empty file, and one over the limit."""
    check_filled(name, content)
    if len(content) > limit:
        raise EquipoiseError(
            f"{name} is larger than {limit / 2**20:g} MB; use fewer rows or columns, or a "
            "network with fewer parameters"
        )


def check_packed(archive: zipfile.ZipFile) -> None:
    """Refuse what neither workbooks nor files of ours are packed with: it fails in its own ways."""
    usual = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if any(part.compress_type not in usual for part in archive.infolist()):
        raise zipfile.BadZipFile("packed in an unusual way")


def decode(name: str, data: bytes, *, limit: int = UPLOAD_LIMIT) -> str:
    """The text of a UTF-8 file, without a byte order mark; anything else is refused by place."""
    check_size(name, data, limit)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise EquipoiseError(f"{name} is encoded as UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise EquipoiseError(
            f"{name}, line {line}: byte {problem.start} (0x{data[problem.start]:02x}) is not "
            "UTF-8; save the file as UTF-8"
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        fail(name, text, nul, "there is a NUL character; this is not a text file, choose another")
    if not text.strip():
        raise EquipoiseError(f"{name} is empty; choose a file that has content")
    return text


def line_at(text: str, offset: int) -> int:
    """Number of the line that holds this character, the first line being 1."""
    return text.count("\n", 0, offset) + 1


def fail(name: str, text: str, offset: int, message: str) -> NoReturn:
    """Refuse a file, naming the line of this character."""
    raise EquipoiseError(f"{name}, line {line_at(text, offset)}: {message}")


class FileWords:
    """What the group of an expression finds in a text, one after the other.

    Lines are found only when a message needs one, by running the expression again.
    """

    def __init__(self, name: str, text: str, word: re.Pattern[str]) -> None:
        self.name, self.text, self._word = name, text, word
        self.items: list[str] = list(filter(None, word.findall(text)))

    def line(self, index: int) -> int:
        """Line on which a word stands; beyond the last word, the last line."""
        starts = (match.start() for match in self._word.finditer(self.text) if match[1])
        return line_at(self.text, next(itertools.islice(starts, index, None), len(self.text)))

    def fail(self, index: int, message: str) -> NoReturn:
        """Refuse the file at a word."""
        raise EquipoiseError(f"{self.name}, line {self.line(index)}: {message}") from None


def shown(value: object) -> str:
    """A value as a message repeats it: quoted, and shortened when long.

    >>> shown("yes")
    "'yes'"
    """
    written = repr(value)
    return written if len(written) <= SHOWN else f"{written[: SHOWN - 4]}...{written[-1]}"


LISTED = 6
"""Names in one message; more are too many to read."""


def listed(names: tuple[str, ...]) -> str:
    """Some names for a message.

    >>> listed(tuple("abcdefg"))
    'a, b, c, d, e, f, ...'
    """
    return ", ".join(name[:SHOWN] for name in names[:LISTED]) + (", ..." * (len(names) > LISTED))


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the file's name in front of any refusal that does not begin with it."""
    try:
        yield
    except EquipoiseError as problem:
        if str(problem).startswith(name):
            raise
        raise EquipoiseError(f"{name}: {problem}") from None


@contextlib.contextmanager
def as_written(name: str, instead: str) -> Iterator[None]:
    """Refuse a file of ours whose parts are not what they were, whatever that breaks."""
    try:
        yield
    except EquipoiseError:
        raise
    except KeyError as missing:
        raise EquipoiseError(f"{name} lacks {shown(missing.args[0])}; {instead}") from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError, ArithmeticError):
        raise EquipoiseError(
            f"{name}: something is missing or has another type than it was written with; {instead}"
        ) from None


def read_json(name: str, data: bytes, *, limit: int = UPLOAD_LIMIT) -> dict[str, object]:
    """The object a JSON file holds; repeated keys and infinite numbers are refused."""
    text = decode(name, data, limit=limit)
    check_parts(name, data)
    try:
        with naming(name):
            # parse_int: a number of many thousand digits becomes infinite instead of an error
            document = json.loads(
                text, parse_constant=_refuse, parse_int=float, object_pairs_hook=_collect
            )
        if "\\ud" in text.lower():  # half of a pair that stands for one sign, and no text
            json.dumps(document, ensure_ascii=False).encode()
    except json.JSONDecodeError as problem:
        fail(name, text, problem.pos, f"not valid JSON ({problem.msg.lower()}); correct it there")
    except RecursionError:
        raise EquipoiseError(f"{name}: the JSON is nested too deeply; flatten it") from None
    except UnicodeEncodeError:
        raise EquipoiseError(
            f"{name} holds a \\u escape that stands for no sign; save the file as UTF-8"
        ) from None
    if not isinstance(document, dict):
        raise EquipoiseError(f"{name}: the JSON must be one object in braces")
    return document


def _refuse(constant: str) -> NoReturn:
    raise EquipoiseError(f"the number {constant} is not allowed; use finite numbers")


def _collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise EquipoiseError(f"the key {shown(twice)} stands twice in one object; remove one")
    return entries
