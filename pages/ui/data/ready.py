"""Last step: what was understood of the records, and putting it to use."""

from dataclasses import fields, replace

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.data import draft as drafts
from pages.ui.data import graph_step
from pages.ui.data import upload as uploads
from pages.ui.data.columns_step import Columns
from pages.ui.data.draft import Draft
from pages.ui.data.upload import Upload
from pages.ui.kit import limits, state
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.words import counted
from sources.columns import Stream
from sources.preview import TablePreview
from sources.study import Study

EAGER = 20 * 2**20
"""Bytes of a table that is read without being asked to."""


def upload_of(draft: Draft, stream: Stream | None, columns: Columns | None) -> Upload | None:
    """Everything that was chosen; none where nothing was, or no graph."""
    name, dag = graph_step.network_file(draft, stream, columns)
    if draft.data is None and dag is None:
        return None
    alone = name is None and dag is None
    if draft.data is not None and alone and graph_step.source() != "learn":
        return None
    unit = str(st.session_state.get("data_unit") or "")
    return Upload(
        name=name,
        data=draft.data,
        dag=dag,
        schema=None if columns is None else columns.file,
        missing=st.session_state.missing,
        records=st.session_state.get("records", limits.START_RECORDS),
        unit=unit if draft.data is not None else "",
        per_unit=int(st.session_state.get("data_per_unit", 1)),
    )


def section(draft: Draft, upload: Upload | None, stream: Stream | None) -> bool:
    """What is next, or what was understood; whether it is in use."""
    st.markdown("**4 Ready**")
    if upload is None:
        st.info(literal(_next(draft, stream)))
        return False
    content = b"" if draft.data is None else draft.data[1]
    size = len(content) if isinstance(content, bytes) else content.stat().st_size
    if size > EAGER and draft.asked != upload.key:
        st.button(
            "Read the records", key="read_records", type="primary",
            on_click=lambda: drafts.keep(replace(drafts.load(), asked=upload.key)),
            help="Once from the beginning to the end.",
        )  # fmt: skip
        return False
    try:
        preview = uploads.understood(upload)
        if preview is not None:
            _understood(preview)
            if preview.problems:
                st.caption("Nothing was loaded. Correct the file or what is said of it.")
                return False
        study = uploads.study_of(upload)
    except EquipoiseError as problem:
        refuse(problem, icon=":material/block:")
        st.caption("Nothing was loaded; what was on screen before is still there.")
        return False
    shown = state.load().upload
    current = shown is not None and _said(shown) == _said(study)
    st.button("Use this data", type="primary", on_click=state.adopt, args=(study, upload),
              disabled=current)  # fmt: skip
    if current:
        st.success(
            f"In use: {literal(counted(study.records, 'record'))}.", icon=":material/check_circle:"
        )
    return current


def _said(study: Study) -> list[object]:
    """All that holds of a study, also what was stated of equal records: sources, a bound, a way."""
    told = [getattr(study, field.name) for field in fields(study)
            if field.name not in ("people", "model")]  # fmt: skip
    return [study.fingerprint, *told]


def _next(draft: Draft, stream: Stream | None) -> str:
    if draft.data is None:
        return (
            "Next: choose a file of records. A network with probabilities alone (3 Graph) is "
            "studied on records sampled from it."
        )
    if stream is None:
        return "Next: a file that can be read (1 File)."
    if not graph_step.told(draft, stream, None) and graph_step.source() != "draw":
        return "Next: say where the graph comes from (3 Graph); it may be learned."
    return "Next: answer what is open above."


def _understood(preview: TablePreview) -> None:
    st.markdown(f"**{preview.records:,} records, {len(preview.columns)} columns understood.**")
    largest = ""
    if preview.largest:
        name, cells = preview.largest
        largest = f"The largest table is that of {name} and its parents: {cells:,} cells."
    st.caption(literal(" ".join((largest, *preview.notes))))
    for problem in preview.problems[:8]:
        refuse(problem, icon=":material/block:")
    heads = ("column", "states", "values seen", "missing", "states come from", "verdict")
    rows = [
        (c.name, c.states, c.distinct, c.missing, c.origin, c.problem or "understood")
        for c in preview.columns
    ]
    told = [dict(zip(heads, row, strict=True)) for row in rows]
    st.dataframe(told, hide_index=True, width="stretch")
