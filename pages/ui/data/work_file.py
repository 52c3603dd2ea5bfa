"""Save my work: a private file with the uploaded files as they were and what was said about them.

A ZIP archive: ``work.json`` and the files. Reading it again goes through the same readers as the
first upload, so it is checked as strictly.
"""

import functools
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypeVar

from core.errors import EquipoiseError
from core.privacy import EPSILON_LIMIT
from pages.ui.data.columns_step import MISSING
from pages.ui.data.upload import Upload
from sources.networks import sample_names
from sources.study import File
from sources.text import as_written, check_packed, read_json

VERSION = 2
DOCUMENT = "work.json"
PRIVATE = (
    "PRIVATE: this file contains the records. Keep it where the records are kept; publish nothing "
    "of it."
)
LARGEST = 2**28
"""Most bytes that an archive may unpack to."""

MOST = 2**40 - 1
"""Largest number of records that is believed."""

T = TypeVar("T")
OWN = ("upload", "known_file")
ROLES = ("data", "dag", "schema")
SAID = ("name", "missing", "records", "unit", "per_unit")
Plain = str | float | bool | None


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What a session would lose: the upload, the scenario, the statements, the count of looks.

    ``scenario`` is what a link would say, ``stated`` what the widgets of Release hold, by their
    names; ``reasons`` are key, text, and the number and sentence they were written about; ``looks``
    are digests of the questions that were asked of the exact rows; ``spent`` is what a graph that
    was learned on Synthesise has rehearsed to cost.
    """

    upload: Upload
    scenario: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, Plain] = field(default_factory=dict)
    reasons: tuple[tuple[str, ...], ...] = ()
    signed: str = ""
    looks: tuple[str, ...] = ()
    spent: float = 0.0
    known: tuple[str, ...] = ()
    known_file: File | None = None


def write_work(saved: Saved) -> bytes:
    """The file."""
    upload = saved.upload
    files = {role: getattr(upload, role) for role in ROLES} | {"known_file": saved.known_file}
    document = {
        "private": PRIVATE,
        "equipoise-work": VERSION,
        "files": {role: file[0] for role, file in files.items() if file is not None},
        **{name: getattr(upload, name) for name in SAID},
        **{f.name: getattr(saved, f.name) for f in fields(saved) if f.name not in OWN},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(DOCUMENT, json.dumps(document, ensure_ascii=False, indent=1))
        archive.writestr("PRIVATE.txt", PRIVATE)
        for role, file in files.items():
            if file is not None:
                archive.writestr(role, file[1])
    return buffer.getvalue()


def read_work(name: str, data: bytes) -> Saved:
    """The work again; anything that is not such a file is refused in one sentence."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_packed(archive)
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise EquipoiseError(
                    f"{name} unpacks to more than {LARGEST // 2**20} MB; it is not a work that was "
                    "saved here, choose another file"
                )
            parts = {entry: archive.read(entry) for entry in archive.namelist()}
    except EquipoiseError:
        raise
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, ValueError, OSError):
        raise EquipoiseError(
            f"{name} is no work that was saved here, or is damaged; choose the file that Save my "
            "work wrote"
        ) from None
    if DOCUMENT not in parts:
        raise EquipoiseError(
            f"{name} has no {DOCUMENT} inside; choose the file that Save my work wrote"
        )
    document = read_json(f"{name}, {DOCUMENT}", parts[DOCUMENT])
    if document.get("equipoise-work") != VERSION:
        raise EquipoiseError(
            f"{name} was saved by another version of Equipoise; open it there, or load the files "
            "inside one by one"
        )
    with as_written(f"{name}, {DOCUMENT}", "choose the file as it was saved"):
        return _saved(document, parts)


def _saved(document: Mapping[str, object], parts: Mapping[str, bytes]) -> Saved:
    names = _mapping(document["files"])
    files: dict[str, File | None] = {
        role: (_text(names[role]), parts[role]) if role in names else None
        for role in (*ROLES, "known_file")
    }
    against = document["name"]
    if against is not None and against not in sample_names():
        raise ValueError("no such sample network")
    if document["missing"] not in MISSING:
        raise ValueError("no such policy for missing values")
    upload = Upload(
        None if against is None else _text(against),
        files["data"], files["dag"], files["schema"],
        _text(document["missing"]), int(_number(document["records"], MOST)),
        _text(document["unit"]), int(_number(document["per_unit"], MOST)),
    )  # fmt: skip
    return Saved(
        upload=upload,
        scenario={key: _text(value) for key, value in _mapping(document["scenario"]).items()},
        stated={key: _plain(value) for key, value in _mapping(document["stated"]).items()},
        reasons=tuple(
            tuple(_text(part) for part in _list(reason, 4)) for reason in _list(document["reasons"])
        ),
        signed=_text(document["signed"]),
        looks=tuple(_text(look) for look in _list(document["looks"])),
        spent=_number(document["spent"], EPSILON_LIMIT, whole=False),
        known=tuple(map(_text, _list(document["known"]))),
        known_file=files["known_file"],
    )


def _as(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"not a {kind.__name__}")
    return value


_text, _mapping = functools.partial(_as, str), functools.partial(_as, dict)


def _list(value: object, length: int | None = None) -> list[object]:
    listed = _as(list, value)
    if length not in (None, len(listed)):
        raise TypeError("not such a list")
    return listed


def _plain(value: object) -> Plain:
    return value if value is None or isinstance(value, str | bool) else _as(float, value)


def _number(value: object, most: float, *, whole: bool = True) -> float:
    number = _as(float, value)
    if not 0 <= number <= most or (whole and number != int(number)):
        raise ValueError("not such a number")
    return number
