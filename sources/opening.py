"""A table's file, opened by the end of its name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PurePath
from typing import Any

from core.errors import EquipoiseError
from sources.columns import Stream
from sources.csv_rows import open_csv
from sources.excel_rows import open_excel
from sources.parquet_rows import open_parquet
from sources.text import Content, check_filled

TABLE_EXTENSIONS = (".csv", ".tsv", ".txt", ".data", ".parquet", ".xlsx", ".xlsm")
"""Kinds of table file that are read, by the end of their names."""


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
        case ".csv" | ".tsv" | ".txt" | ".data":
            return open_csv(name, content, wanted, stated or {})
        case other:
            raise EquipoiseError(
                f"{name} has the unknown ending {other!r}; tables end in "
                f"{', '.join(TABLE_EXTENSIONS)}"
            )
