"""Where a table is: a file here, a folder, or an engine; what may be said of it, and what not.

    records.csv                               a file, read into memory as codes
    folder/   'folder/*.parquet'              Parquet files, counted batch by batch
    duckdb:///files/*.csv                     CSV or Parquet files that DuckDB counts
    duckdb:///file.db?table=t                 a table of a DuckDB file
    postgresql://user:password@host/db?table=schema.t
    spark://host:7077/files/*.parquet         or ?table=t, of its catalogue
    env:NAME                                  one of these, in an environment variable

An address may hold a password: it is kept out of ``repr``, messages, files and logs.
"""

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from core.errors import EquipoiseError
from sources.text import Content, check_filled, shown

Kind = Literal["file", "folder", "duckdb", "postgresql", "spark"]
TITLES = {"folder": "Parquet folder", "duckdb": "DuckDB", "postgresql": "PostgreSQL",
          "spark": "Spark"}  # fmt: skip

ENVIRONMENT = "env:"
GLOB = frozenset("*?[")

FOLDER_LIMIT = 10_000
"""Most folders that are searched for files."""


@dataclass(frozen=True)
class TablePlace:
    """A table's place; ``address`` is private, ``identity`` says where it is without user."""

    kind: Kind
    address: str = field(repr=False)
    table: str = ""
    identity: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """What people are told: the engine and the table or the last part of a path."""
        last = self.table or Path(self.address).name or "files"
        return last if self.kind == "file" else f"{TITLES[self.kind]} {last}"

    @property
    def path(self) -> Path:
        """The file, where it is one."""
        return Path(self.address)


def place_of(text: str) -> TablePlace:
    """The place that a text names; nothing is opened."""
    if text.startswith(ENVIRONMENT):
        name = text[len(ENVIRONMENT) :]
        value = os.environ.get(name, "")
        if not value or value.startswith(ENVIRONMENT):
            raise EquipoiseError(
                f"the environment has no connection named {shown(name)}; set it to an address "
                "such as postgresql://..."
            )
        return place_of(value)
    scheme, separator, rest = text.partition("://")
    if not separator:
        return _local(text)
    match scheme:
        case "duckdb":
            return _duckdb(rest)
        case "postgresql" | "postgres":
            return _postgres(text)
        case "spark":
            return _spark(text)
    raise EquipoiseError(
        "the address begins with an engine that is not known; use duckdb://, postgresql:// or "
        "spark://, or a path"
    )


def _local(text: str) -> TablePlace:
    path = Path(text)
    try:
        one = not (path.is_dir() or (GLOB & set(text) and not path.is_file()))
    except (OSError, ValueError):  # no name that a file may have: whoever opens it says so
        one = True
    if one:
        return TablePlace("file", text)
    pattern = str(Path(glob.escape(text)) / "**" / "*.parquet") if path.is_dir() else text
    return TablePlace("folder", pattern, "", f"files {Path(text).resolve()}")


def _duckdb(rest: str) -> TablePlace:
    path, _, query = rest.partition("?")
    table = dict(parse_qsl(query)).get("table", "")
    path = unquote(path)
    files = Path(path).suffix.lower() in (".csv", ".tsv", ".txt", ".data", ".parquet")
    if files == bool(table):
        raise EquipoiseError(
            "a DuckDB address names CSV or Parquet files, or a DuckDB file and its table; write "
            "duckdb:///FOLDER/*.parquet or duckdb:///FILE?table=NAME"
        )
    where = Path(path).resolve()
    return TablePlace(
        "duckdb", path, table, f"files {where}" if files else f"duckdb {where} {table}"
    )


def _parts(text: str) -> tuple[str, dict[str, str], str, str]:
    """Host with port, options, path and table of an address; never repeats the address."""
    try:
        split = urlsplit(text)
        host = f"{split.hostname or ''}:{split.port or ''}"
        options = dict(parse_qsl(split.query, keep_blank_values=True))
    except ValueError:
        raise EquipoiseError(
            "the address cannot be understood; write ENGINE://USER:PASSWORD@HOST:PORT/DATABASE"
            "?table=NAME, with signs in the password percent-encoded"
        ) from None
    return host, options, unquote(split.path), options.pop("table", "")


def _postgres(text: str) -> TablePlace:
    host, options, database, table = _parts(text)
    if not table:
        raise EquipoiseError("a PostgreSQL address needs a table; end it with ?table=SCHEMA.NAME")
    bare = urlsplit(text)
    address = urlunsplit(bare._replace(query=urlencode(options)))
    served = options.get("host", host)
    return TablePlace("postgresql", address, table, f"postgresql {served} {database} {table}")


def _spark(text: str) -> TablePlace:
    host, _, path, table = _parts(text)
    if bool(table) == bool(path.strip("/")):
        raise EquipoiseError(
            "a Spark address names Parquet files or a table; write spark://HOST:PORT/FOLDER or "
            "spark://HOST:PORT?table=NAME"
        )
    where = table or path
    return TablePlace("spark", where if not table else host, table, f"spark {host} {where}")


def matching(place: TablePlace) -> tuple[Path, ...]:
    """The files of a pattern, sorted; a relative one begins here."""
    head, deep, rest = place.address.partition("**")
    if not deep or head.rpartition(os.sep)[2] or rest[:1] not in ("", os.sep):
        names = _named(place.address)
    else:
        if "**" in rest:
            raise EquipoiseError(f"{place.name}: ** stands twice in the pattern; write it once")
        below = rest.lstrip(os.sep) or "*"
        tops = _named(head) if head else ["."]
        names = [
            name
            for folder in _folders(place, tops)
            for name in _named(str(Path(glob.escape(folder)) / below))
        ]
    return tuple(Path(name) for name in sorted(set(names)) if Path(name).is_file())


def _named(pattern: str) -> list[str]:
    return glob.glob(pattern)  # noqa: PTH207 - a pattern may be absolute


def _folders(place: TablePlace, tops: Iterable[str]) -> Iterator[str]:
    """Folders in folders, each once: links lead back to where one was, and then for ever on."""
    been = set[tuple[int, int]]()
    for top in tops:
        for folder, inner, _ in os.walk(top, followlinks=True):
            status = Path(folder).stat()
            if (own := (status.st_dev, status.st_ino)) in been:
                inner.clear()
                continue
            been.add(own)
            if len(been) > FOLDER_LIMIT:
                raise EquipoiseError(
                    f"{place.name} has more than {FOLDER_LIMIT:,} folders; name one of them"
                )
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            yield folder


def parquet_files(place: TablePlace) -> tuple[Path, ...]:
    """The files of a folder or pattern, sorted."""
    files = matching(place)
    other = [file for file in files if file.suffix.lower() != ".parquet"]
    if not files or other:
        what = "holds no file" if not files else f"also holds {shown(other[0].name)}"
        raise EquipoiseError(
            f"{place.name} {what}; name Parquet files, or CSV files as duckdb:///FOLDER/*.csv"
        )
    return files


def table_file(place: TablePlace) -> tuple[str, Content]:
    """A table that is read piece by piece; its rows must be here."""
    if place.kind != "file":
        raise EquipoiseError(
            f"{place.name}: values are read here, and a connection gives counts alone; give a file"
        )
    check_filled(place.path.name, place.path)
    return place.path.name, place.path
