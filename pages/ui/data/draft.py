"""What was chosen and said on Data and is not in use yet; it stays while other pages are open."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import EquipoiseError
from pages.ui.kit import limits, state
from pages.ui.kit.markdown import literal, refuse
from sources.opening import TABLE_EXTENSIONS
from sources.study import File, TableFile

FOLDER = "EQUIPOISE_FILES"
"""Environment variable that names the folder whose tables the page may read."""

Edges = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Draft:
    """Files by the key of their widget, what is stated of the table's dialect and columns, edges.

    ``stated`` maps a column to what was entered in its row; ``turn`` counts the tables that the
    row's widgets have begun with; ``asked`` is the upload that a long reading was asked for.
    """

    files: Mapping[str, TableFile] = field(default_factory=dict)
    dialect: Mapping[str, Any] = field(default_factory=dict)
    stated: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    edges: Edges = ()
    message: str = ""
    turn: int = 0
    asked: tuple[str, ...] = ()

    @property
    def data(self) -> TableFile | None:
        """The table, uploaded or read from a path."""
        return self.files.get("data_file")


def load() -> Draft:
    """The draft of this session."""
    draft: Draft = st.session_state.setdefault(state.DRAFT, Draft())
    return draft


def keep(draft: Draft) -> None:
    """This draft in place of the one before."""
    st.session_state[state.DRAFT] = draft


def start_over() -> None:
    """Let go of all that was chosen; what is in use stays."""
    for key in state.DRAFTED:
        st.session_state.pop(key, None)
    turn("columns", "file")
    turn("graph", "file")


def put(key: str, file: TableFile | None) -> None:
    """Another file, or none; what was said of a table or of a schema goes with it."""
    before = load()
    gone = {key, "schema_file"} if key == "data_file" else {key}
    files = {name: kept for name, kept in before.files.items() if name not in gone}
    files |= {key: file} if file is not None else {}
    if key == "data_file":
        keep(Draft(files, turn=before.turn + 1))
        if file is not None:
            turn("file", "columns")
    elif key in ("schema_file", "book_file"):
        keep(replace(before, files=files, stated={}, turn=before.turn + 1))
    else:
        keep(replace(before, files=files))


def in_memory(file: TableFile | None) -> File | None:
    """A file whose content was uploaded."""
    return (file[0], file[1]) if file is not None and isinstance(file[1], bytes) else None


def uploader(label: str, endings: tuple[str, ...], key: str, text: str) -> None:
    """One uploader; its file stays when the page is left, and can be taken away."""
    st.file_uploader(
        label, [e[1:] for e in endings], key=key, help=text, on_change=_uploaded, args=(key,),
        max_upload_size=limits.upload_megabytes(),
    )  # fmt: skip
    kept = load().files.get(key)
    if kept is not None and st.session_state[key] is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Chosen: {literal(kept[0])}")
            st.button("Take it away", key=f"{key}_away", on_click=put, args=(key, None),
                      type="tertiary", icon=":material/close:")  # fmt: skip
    if refused := st.session_state.pop(f"{key}_refused", ""):
        refuse(refused, icon=":material/block:")


def _uploaded(key: str) -> None:
    """Files that end up in memory are checked against the server's setting."""
    file, most = st.session_state[key], limits.upload_megabytes()
    if file is not None and file.size > most * 2**20:
        st.session_state[f"{key}_refused"] = (
            f"{file.name} is larger than {most} MB, this server's setting for uploads; use fewer "
            "rows or columns, a path on the server's machine, or the command line"
        )
        file = None
    put(key, None if file is None else (file.name, file.getvalue()))


def folder() -> Path | None:
    """Where the page may read tables of the server's machine: only below a folder that is named.

    Listening on loopback is no sign of a visitor who sits here: a proxy brings others.
    """
    named = os.environ.get(FOLDER, "").strip()
    return Path(named).expanduser().resolve() if named else None


def path_input() -> None:
    """A table on the server's machine, read piece by piece."""
    within = folder()
    st.text_input(
        "Or a path on the server's machine", key="data_path", placeholder="/data/visits.parquet",
        disabled=within is None, on_change=lambda: _refused(attempt(_take_path)[1]),
        help="Read piece by piece, so of any size: the text is never held in memory.",
    )  # fmt: skip
    if within is None:
        st.caption(
            f"Off: whoever runs this server can name a folder, {FOLDER}=/data make app, and "
            "tables below it can be chosen."
        )
    if refused := st.session_state.pop("path_refused", ""):
        refuse(refused, icon=":material/block:")


def _refused(problem: str) -> None:
    st.session_state.path_refused = problem


def _take_path() -> None:
    typed, within = str(st.session_state.data_path).strip(), folder()
    if not typed or within is None:
        return
    try:
        path = (within / Path(typed).expanduser()).resolve()
        readable = path.suffix.lower() in TABLE_EXTENSIONS and path.is_file()
    except (OSError, ValueError, RuntimeError):  # no permission, no such user, no name at all
        raise EquipoiseError(f"{typed} cannot be reached; check the path") from None
    if not path.is_relative_to(within):
        raise EquipoiseError(f"{typed} is not in {within}, the folder that this server reads")
    if not readable:
        raise EquipoiseError(
            f"{typed} is no table that can be read; tables end in {', '.join(TABLE_EXTENSIONS)}"
        )
    put("data_file", (path.name, path))


T = TypeVar("T")


def attempt(make: Callable[[], T]) -> tuple[T | None, str]:
    """The result, or none and the sentence that says what is wrong."""
    try:
        return make(), ""
    except EquipoiseError as problem:
        return None, str(problem)


def step(key: str, title: str, done: str, problem: str, *, asked: bool = False) -> DeltaGenerator:
    """A section, and beneath its title one line on what is done or wrong.

    Its own title never changes: the browser would begin anew with all that is in it.
    """
    st.session_state.setdefault(f"step_{key}", key == "file")
    section = st.expander(f"**{title}**", key=f"step_{key}", on_change="rerun")
    said = literal(done if len(done) <= 200 else f"{done[:197]}...")
    with st.container(key=f"said_{key}"):
        if problem:
            refuse(problem, icon=":material/block:")
            st.caption("Nothing was loaded; what was on screen before is still there.")
        elif said:
            st.caption(f":material/{'help' if asked else 'check_circle'}: {said}")
    return section


def leave(key: str, onward: str, label: str, ready: bool) -> None:
    """The way on."""
    if ready:
        st.button(label, key=f"leave_{key}", on_click=turn, args=(key, onward),
                  icon=":material/arrow_downward:")  # fmt: skip


def turn(key: str, onward: str) -> None:
    """Close one section and open another."""
    st.session_state[f"step_{key}"], st.session_state[f"step_{onward}"] = False, True
