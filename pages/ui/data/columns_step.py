"""Second step: what each column is, proposed from public facts or from the records, and by whom."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import pandas as pd
import streamlit as st

from core.errors import EquipoiseError
from pages.ui.data import draft as drafts
from pages.ui.data.draft import Draft, in_memory
from pages.ui.data.file_step import key_of, names_of
from pages.ui.data.statement import read_statement, statement_text
from pages.ui.kit import compute
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.state import KEEP
from pages.ui.kit.words import counted
from sources.codebook import read_codebook
from sources.columns import Stream
from sources.proposals import (
    KINDS,
    ColumnFacts,
    ColumnProposal,
    Kind,
    StatedColumn,
    proposed_schema,
)
from sources.schema import Schema, SchemaColumn, read_schema, schema_bytes
from sources.seen import look
from sources.study import File
from sources.units import PER_UNIT

VALUES, SOURCE = "states, edges or limits", "known from"
SEEN = "seen in the records: not private"
MISSING = {"refuse": "refuse the file", "drop": "drop those rows", "state": "treat as a state"}
HELP = {
    VALUES: "States: yes, no. Edges: 0, 18, 65, 120. Equal widths: 0 to 120 in 12. Dates: "
    "2019-01-01 to 2021-12-31 by year (decade, quarter, month), written dd.mm.yyyy. Empty: as "
    "proposed.",
    SOURCE: "Where states or edges are known from without the records: a law, a form, a code book.",
    "outside": "Values that are no state: refuse the file, or give them a state of their own.",
    "order": "Place in the schema; suggestions for the graph follow it.",
}


@dataclass(frozen=True)
class Columns:
    """The columns as they stand: proposals in their order, and the schema file that they make."""

    proposals: tuple[ColumnProposal, ...]
    file: File | None

    @property
    def used(self) -> tuple[SchemaColumn, ...]:
        """Those that are used."""
        return tuple(p.column for p in self.proposals if p.column is not None)

    @property
    def questions(self) -> tuple[str, ...]:
        """What is still to be said."""
        asked = tuple(p.question for p in self.proposals if p.question)
        return asked or (() if self.used else ("every column is left out; use at least one",))

    @property
    def seen(self) -> tuple[str, ...]:
        """Columns whose states or edges nobody has confirmed as public."""
        return tuple(column.variable.name for column in self.used if not column.public)

    @property
    def told(self) -> str:
        """In one line."""
        if self.questions:
            return f"{counted(len(self.questions), 'question')} open"
        left = len(self.proposals) - len(self.used)
        seen = f", {len(self.seen)} {SEEN}" if self.seen else ", all public knowledge"
        return f"{len(self.used)} used, {left} left out{seen}"


def columns_of(draft: Draft, stream: Stream) -> Columns:
    """What is said and proposed of every column."""
    given = in_memory(draft.files.get("schema_file"))
    schema = None if given is None else read_schema(*given)
    book = read_codebook(*draft.files["book_file"]) if "book_file" in draft.files else None
    names = names_of(stream)
    if schema is not None and set(names).isdisjoint(schema.by_name):
        raise EquipoiseError(
            f"{schema.name} is a schema for another file: it describes no column of this one"
        )
    private = bool(st.session_state.get("data_private")) or schema is not None
    key = ("seen", key_of(draft.data), tuple(sorted(draft.dialect.items()))) if draft.data else ()
    seen = {} if private else compute.remembered(key, lambda: look(stream, names))
    proposals = []
    for name in names:
        said = dict(draft.stated.get(name, {}))
        facts = ColumnFacts(name, stream.types.get(name), seen.get(name), StatedColumn(), book)
        proposals.append(_proposal(facts, said, schema))
    places = {name: draft.stated.get(name, {}).get("order", at) for at, name in enumerate(names, 1)}
    columns = Columns(tuple(sorted(proposals, key=lambda p: places[p.name])), None)
    if columns.questions:
        return columns
    proposed = proposed_schema("schema.json", columns.proposals, stream.dialect)
    own = given if schema and not draft.stated else None
    return replace(columns, file=own or (proposed.name, schema_bytes(proposed)))


def _proposal(facts: ColumnFacts, said: Mapping[str, Any], schema: Schema | None) -> ColumnProposal:
    """One column; what is wrong with a statement is an open question of its own."""
    try:
        return _used(facts, said, schema)
    except EquipoiseError as problem:
        kind = said.get("kind", "states")
        where = f"column {facts.name!r}"
        sentence = str(problem) if where in str(problem) else f"{where}: {problem}"
        return ColumnProposal(facts.name, kind, None, sentence)


def _used(facts: ColumnFacts, said: Mapping[str, Any], schema: Schema | None) -> ColumnProposal:
    if said.get("use") is False:
        return ColumnProposal(facts.name, "identifier", None)
    own = schema.by_name.get(facts.name) if schema is not None else None
    if schema is not None and own is None and not said.get("use"):
        return ColumnProposal(facts.name, "identifier", None)
    choices = {key: said[key] for key in ("missing", "outside", "source") if said.get(key)}
    if own is not None and not {"kind", "values"} & set(said):
        plain: Kind = "dates" if own.date else "numbers" if own.edges else "states"
        return ColumnProposal(facts.name, plain, replace(own, **choices))
    proposal = facts.proposal()
    kind: Kind = said.get("kind") or proposal.kind
    if kind == "identifier" and said.get("use"):
        kind = "states"
    text = str(said.get("values") or "").strip()
    read = read_statement(kind, text) if text and kind != "identifier" else {}
    own_kind: Kind | Literal[""] = kind if read or {"kind", "use"} & set(said) else ""
    return replace(facts, stated=StatedColumn(kind=own_kind, **read, **choices)).proposal()


def section(draft: Draft, stream: Stream, columns: Columns) -> None:
    """Where proposals come from, the table of columns, what is confirmed, the schema's file."""
    rows = pd.DataFrame([_row(p, draft, at) for at, p in enumerate(columns.proposals, 1)])
    key = f"columns_{draft.turn}"
    st.data_editor(
        rows, key=key, hide_index=True, column_config=_configured(), num_rows="fixed",
        disabled=["column", "verdict"], on_change=_edit, args=(key, tuple(rows["column"])),
        height="content" if len(rows) <= 24 else 760,
    )  # fmt: skip
    for question in columns.questions[:6]:
        refuse(question, icon=":material/help:")
    _confirm(columns)
    policies(stream)
    if columns.file is not None:
        st.download_button(
            "Save the schema", columns.file[1], "schema.json", "application/json",
            key="save_schema", on_click="ignore", icon=":material/download:",
            help="The same file for cli.py; load it here another time.",
        )  # fmt: skip


def _row(proposal: ColumnProposal, draft: Draft, place: int) -> dict[str, object]:
    said, column = draft.stated.get(proposal.name, {}), proposal.column
    left_out = f"left out: {proposal.why}" if proposal.why else "left out"
    verdict = proposal.question.partition(": ")[2] or left_out
    if column is not None:
        verdict = SEEN if not column.public else counted(column.variable.cardinality, "state")
    return {
        "use": column is not None or bool(proposal.question),
        "column": proposal.name,
        "kind": proposal.kind,
        VALUES: said.get("values") or ("" if column is None else statement_text(column)),
        "verdict": verdict,
        SOURCE: said.get("source") or (column.source if column else ""),
        "missing": said.get("missing") or (column.missing if column else "") or "as below",
        "outside": said.get("outside") or (column.outside if column else "refuse"),
        "order": said.get("order", place),
    }


def _configured() -> dict[str, Any]:
    kinds = st.column_config
    return {
        "use": kinds.CheckboxColumn(width=50),
        "column": kinds.TextColumn(pinned=True),
        "kind": kinds.SelectboxColumn(options=list(KINDS), required=True, width=100),
        VALUES: kinds.TextColumn(help=HELP[VALUES], width=340),
        "missing": kinds.SelectboxColumn(options=["as below", *MISSING], required=True, width=90),
        "outside": kinds.SelectboxColumn(
            options=["refuse", "state"], required=True, width=80, help=HELP["outside"]
        ),
        "order": kinds.NumberColumn(min_value=1, step=1, width=60, help=HELP["order"]),
        SOURCE: kinds.TextColumn(help=HELP[SOURCE], width=150),
        "verdict": kinds.TextColumn(width=200),
    }


def _edit(key: str, names: tuple[str, ...]) -> None:
    before = drafts.load()
    stated = {name: dict(cells) for name, cells in before.stated.items()}
    for row, cells in st.session_state[key]["edited_rows"].items():
        own = stated.setdefault(names[int(row)], {})
        for title, value in cells.items():
            own[{VALUES: "values", SOURCE: "source"}.get(title, title)] = value
        if own.get("missing") == "as below":
            del own["missing"]
    moved = any("order" in cells for cells in st.session_state[key]["edited_rows"].values())
    drafts.keep(replace(before, stated=stated, turn=before.turn + moved))


def _confirm(columns: Columns) -> None:
    if not columns.seen:
        return
    st.warning(
        f"{literal(counted(len(columns.seen), 'column'))}: states or edges {literal(SEEN)}. Fine "
        "for a study; for a release state them, load a code book, or say where they are public "
        "knowledge.",
        icon=":material/visibility:",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("They are public knowledge, known from", key="data_known_from",
                      placeholder="the form of 2019, its questions 1 to 9")  # fmt: skip
        st.button("Confirm", key="data_confirm", on_click=_known, args=(columns.seen,))


def _known(names: tuple[str, ...]) -> None:
    source = str(st.session_state.data_known_from).strip()
    if not any(letter.isalpha() for letter in source):
        return
    before = drafts.load()
    known = {name: {**before.stated.get(name, {}), "source": source} for name in names}
    drafts.keep(replace(before, stated={**before.stated, **known}, turn=before.turn + 1))


def policies(stream: Stream | None) -> None:
    """What becomes of missing values where a column says nothing; whose records they are."""
    st.segmented_control(
        "Missing values", list(MISSING), default="refuse", format_func=MISSING.__getitem__,
        key="missing", required=True, **KEEP,
    )  # fmt: skip
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    left.selectbox(
        "Whose record it is", names_of(stream) if stream else [], None, key="data_unit", **KEEP,
        placeholder="no column says it", help="At most that many records of each are used; which "
        "ones follows from a keyed hash.",
    )  # fmt: skip
    right.number_input("Records of each", 1, PER_UNIT, 1, key="data_per_unit", **KEEP,
                       disabled=st.session_state.data_unit is None)  # fmt: skip


def files() -> None:
    """A schema or a code book instead."""
    left, right = st.columns(2)
    with left:
        drafts.uploader("Schema", (".json",), "schema_file",
                        "What Save the schema or cli.py schema wrote.")  # fmt: skip
    with right:
        drafts.uploader("Code book", (".csv", ".tsv", ".xlsx"), "book_file",
                        "A table with the columns column, value and label.")  # fmt: skip
