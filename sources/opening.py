"""A table's file, opened by the end of its name."""

from collections.abc import Collection, Mapping
from pathlib import PurePath
from typing import Any

from core.errors import EquipoiseError
from sources.columns import Stream
from sources.csv_rows import open_csv
from sources.dialect import DELIMITERS, Dialect
from sources.excel_rows import open_excel
from sources.numerals import GROUPS
from sources.parquet_rows import open_parquet
from sources.text import Content, check_filled

TEXTS = (".csv", ".tsv", ".txt", ".data")
TABLE_EXTENSIONS = (*TEXTS, ".parquet", ".xlsx", ".xlsm")
"""Kinds of table file that are read, by the end of their names."""


def how_written(name: str, dialect: Dialect) -> tuple[str, ...]:
    """How a file is read, item by item: what was guessed or stated."""
    said = ["names in its first row" if dialect.header else "no header"]
    if not name.lower().endswith(TEXTS):
        return (f"sheet {dialect.sheet}", *said) if dialect.sheet else ()
    sign = DELIMITERS.get(dialect.delimiter, repr(dialect.delimiter))
    decimal = "decimal comma" if dialect.decimal == "," else "decimal point"
    said = [f"separated by {sign}", dialect.encoding, decimal, *said]
    said += [f"{GROUPS[dialect.thousands]} between thousands"] * bool(dialect.thousands)
    said += ["without the blanks round values"] * dialect.trim
    return tuple(said)


def open_table(
    name: str,
    content: Content,
    wanted: Collection[str] | None = None,
    *,
    stated: Mapping[str, Any] | None = None,
) -> Stream:
    """The columns of a file; ``stated`` is what is said of its dialect, the rest is guessed."""
    check_filled(name, content)
    match PurePath(name).suffix.lower():
        case ".parquet":
            return open_parquet(name, content, stated or {})
        case ".xlsx" | ".xlsm":
            return open_excel(name, content, stated or {})
        case ending if ending in TEXTS:
            return open_csv(name, content, wanted, stated or {})
        case other:
            raise EquipoiseError(
                f"{name} has the unknown ending {other!r}; tables end in "
                f"{', '.join(TABLE_EXTENSIONS)}"
            )
