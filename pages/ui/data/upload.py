"""Last step: what was uploaded and understood, the study it makes, and putting it to use."""

from dataclasses import dataclass, fields, replace

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.data import draft as drafts
from pages.ui.data import graph_step
from pages.ui.data.columns_step import Columns
from pages.ui.data.draft import Draft
from pages.ui.data.file_step import key_of
from pages.ui.kit import limits, state
from pages.ui.kit.compute import latest
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.words import counted
from sources.columns import Stream
from sources.schema import read_schema
from sources.study import File, Study, TableFile, graph_for, sampled_study, uploaded_study
from sources.tables import TablePreview, preview
from sources.units import Unit

EAGER = 20 * 2**20
"""Bytes of a table that is read without being asked to."""


@dataclass(frozen=True)
class Upload:
    """The files of one upload; without a network file the sample network ``name`` is used."""

    name: str | None
    data: TableFile | None
    dag: File | None
    schema: File | None
    missing: str
    records: int
    unit: str = ""
    per_unit: int = 1

    @property
    def bound(self) -> Unit | None:
        """At most so many records of each unit, where a column names it."""
        return Unit(self.unit, self.per_unit) if self.unit else None

    @property
    def files(self) -> tuple[TableFile, ...]:
        """What was uploaded."""
        return tuple(file for file in (self.data, self.dag, self.schema) if file is not None)

    @property
    def key(self) -> tuple[str, ...]:
        """Equal exactly for equal files and choices."""
        keys = [key_of(file) if file else "" for file in (self.data, self.dag, self.schema)]
        said = (self.missing, str(self.records), self.unit, str(self.per_unit))
        return (self.name or "", *said, *keys)


def understood(upload: Upload) -> TablePreview | None:
    """What the records look like against network and schema; none when there are no records."""
    if upload.data is None:
        return None
    name, content = upload.data

    def make() -> TablePreview:
        schema = None if upload.schema is None else read_schema(*upload.schema)
        network = graph_for(upload.name, upload.dag, name, schema)
        missing, unit = upload.missing, upload.bound
        return preview(name, content, network, schema=schema, missing=missing, unit=unit)

    return latest("preview", upload.key, make)


def study_of(upload: Upload) -> Study:
    """The study these files make; the first problem is raised, and nothing is half loaded."""

    def make() -> Study:
        if upload.data is not None:
            return uploaded_study(
                upload.name, upload.dag, data=upload.data, schema=upload.schema,
                missing=upload.missing, unit=upload.bound,
            )  # fmt: skip
        if upload.dag is None:
            raise EquipoiseError("no file is chosen; add records, a network file, or both")
        return sampled_study(None, upload.dag, records=upload.records, seed=0)

    return latest("upload", upload.key, make)


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


def section(draft: Draft, upload: Upload | None, stream: Stream | None, unclear: str) -> bool:
    """What is next, or what was understood; whether it is in use. ``unclear`` are the columns."""
    st.markdown("**4 Ready**")
    if upload is None:
        told = "Next: mend what 2 Columns says." if unclear else _next(draft, stream)
        st.info(literal(told))
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
        seen = understood(upload)
        if seen is not None:
            _understood(seen)
            if seen.problems:
                st.caption("Nothing was loaded. Correct the file or what is said of it.")
                return False
        study = study_of(upload)
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


def _understood(seen: TablePreview) -> None:
    st.markdown(f"**{seen.records:,} records, {len(seen.columns)} columns understood.**")
    largest = ""
    if seen.largest:
        name, cells = seen.largest
        largest = f"The largest table is that of {name} and its parents: {cells:,} cells."
    st.caption(literal(" ".join((largest, *seen.notes))))
    for problem in seen.problems[:8]:
        refuse(problem, icon=":material/block:")
    heads = ("column", "states", "values seen", "missing", "states come from", "verdict")
    rows = [
        (c.name, c.states, c.distinct, c.missing, c.origin, c.problem or "understood")
        for c in seen.columns
    ]
    told = [dict(zip(heads, row, strict=True)) for row in rows]
    st.dataframe(told, hide_index=True, width="stretch")
