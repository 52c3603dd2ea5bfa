"""First step: a table, and how it is written: guessed, shown, changed."""

import functools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.data import draft as drafts
from pages.ui.data.draft import Draft
from pages.ui.kit import limits
from pages.ui.kit.compute import remembered
from pages.ui.kit.state import KEEP
from pages.ui.kit.words import counted
from sources.columns import Stream
from sources.dialect import DELIMITERS, stated_dialect
from sources.numerals import GROUPS
from sources.opening import TABLE_EXTENSIONS, TEXTS, how_written, open_table
from sources.study import TableFile
from sources.text import digest

ENCODINGS = (
    *("utf-8", "latin-1", "cp1252", "cp1250", "cp1251", "shift_jis", "gb18030", "euc_kr"),
    *("utf-16", "utf-16-le", "utf-16-be"),
)


def key_of(file: TableFile) -> str:
    """Equal for equal content: a digest, or what the file system says of a long file."""
    if isinstance(file[1], Path):
        try:
            facts = file[1].stat()
        except OSError:
            raise EquipoiseError(f"{file[0]} is no longer there; choose it again") from None
        return f"{file[1]}:{facts.st_size}:{facts.st_mtime_ns}"
    return f"{file[0]}:{digest(file[1])}"


def stream_of(draft: Draft) -> Stream | None:
    """The table's columns, none where no table is chosen."""
    if draft.data is None:
        return None
    file, stated = draft.data, dict(draft.dialect)
    key = ("stream", key_of(file), tuple(sorted(stated.items())))
    return remembered(key, lambda: open_table(*file, stated=stated_dialect(stated)))


def summary(draft: Draft, stream: Stream) -> str:
    """The file in one line."""
    name = draft.data[0] if draft.data else ""
    named = counted(len(stream.header), "column")
    return ", ".join((f"{name}: {named}", *how_written(name, stream.dialect)))


def section(draft: Draft, stream: Stream | None) -> None:
    """The uploader, the path, and the dialect of what was chosen."""
    st.toggle(
        "Private: look at no record", key="data_private", on_change=_restart, **KEEP,
        help="What columns are is then proposed from the header, declared types, a code book and "
        "what you state; otherwise also from the records, which is marked as not private.",
    )  # fmt: skip
    left, right = st.columns(2)
    with left:
        drafts.uploader(
            "Records", TABLE_EXTENSIONS, "data_file",
            f"One row per record; up to {limits.upload_megabytes()} MB, which is a setting of this "
            "server (maxUploadSize).",
        )  # fmt: skip
    with right:
        drafts.path_input()
    if stream is not None and draft.data is not None:
        _dialect(draft.data[0], stream)
    if draft.files:
        st.button("Start over", key="start_over", on_click=drafts.start_over, type="tertiary",
                  icon=":material/restart_alt:", help="What is in use stays.")  # fmt: skip


def _dialect(name: str, stream: Stream) -> None:
    """What was guessed, each in a widget that states it instead."""
    st.caption("Guessed from the file; change what is wrong.")
    choices = _choices(name, stream)
    rows = [*st.columns(3), *st.columns(3)] if len(choices) > 2 else st.columns(3)
    for place, (field, label, words) in zip(rows, choices, strict=False):
        value = getattr(stream.dialect, field)
        st.session_state[f"dialect_{field}"] = value  # what holds, whoever said it
        place.selectbox(
            label, list(dict.fromkeys([*words, value])), key=f"dialect_{field}",
            on_change=_state, args=(field,),
            format_func=functools.partial(_worded, words),
        )  # fmt: skip
    st.session_state["dialect_missing"] = ", ".join(w or '""' for w in stream.dialect.missing)
    rows[len(choices)].text_input(
        "Stands for nothing", key="dialect_missing", on_change=_state, args=("missing",),
        help='Spellings of a missing value, in any case, separated by commas; "" is an empty cell.',
    )  # fmt: skip


def _choices(name: str, stream: Stream) -> tuple[tuple[str, str, Mapping[Any, str]], ...]:
    """What can be said of a file of that kind: field, label, and its values in words."""
    header = ("header", "First row", {True: "names", False: "a record"})
    if stream.sheets:
        return ("sheet", "Sheet", dict.fromkeys(stream.sheets, "")), header
    if not name.lower().endswith(TEXTS):
        return ()
    return (
        ("delimiter", "Separated by", DELIMITERS),
        ("encoding", "Letters", dict.fromkeys(ENCODINGS, "")),
        header,
        ("decimal", "Decimal sign", {".": "point", ",": "comma"}),
        ("thousands", "Between thousands", GROUPS),
    )


def _worded(words: Mapping[Any, str], item: object) -> str:
    return words.get(item) or str(item)


def _restart() -> None:
    """Other proposals: the table of columns begins anew, what was stated stays."""
    draft = drafts.load()
    drafts.keep(replace(draft, turn=draft.turn + 1))


def _state(field: str) -> None:
    """Something of the dialect is stated; what cannot be is refused and changes nothing."""
    value = st.session_state[f"dialect_{field}"]
    if field == "missing":
        value = tuple(word.strip().strip('"') for word in value.split(","))
    before = drafts.load()
    dialect = {**before.dialect, field: value}
    drafts.keep(replace(before, dialect=dialect, stated={}, turn=before.turn + 1))
    try:
        stream_of(drafts.load())
    except EquipoiseError as problem:
        st.session_state["data_file_refused"] = f"It is not read so: {problem}"
        drafts.keep(before)


def names_of(stream: Stream) -> list[str]:
    """The columns that have a name."""
    return [name for name in stream.header if name]
