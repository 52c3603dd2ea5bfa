"""What one visitor's session holds: one frozen value under one key, replaced whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn, TypedDict, Unpack

import streamlit as st

from core.network import Network
from core.options import Options
from sources.study import Study

KEY = "session"
Showing = Literal["budget", "answers"]
FILES = "upload_files"
"""Session key of the files that the upload in use was read from."""

DRAFT = "data_draft"
"""Session key of what was chosen on Data and is not in use yet."""

DRAFTED = (
    DRAFT, "graph_from", "against", "missing", "data_unit", "data_per_unit", "data_private",
)  # fmt: skip
"""The same, and the widgets that belong to it."""

WORK = "work"
"""Session key of what would come back after a reload."""

UPLOADED = "your upload"
"""The picker's name for uploaded data; nothing else about it reaches the address bar."""

BROUGHT = "brought"
"""Session key of data that the next run puts in place."""


class Keep(TypedDict):
    """How long a widget's value lives."""

    persist_state: Literal["session"]


KEEP: Keep = {"persist_state": "session"}
"""For widgets that keep their value while another page is on show."""


@dataclass(frozen=True)
class Session:
    """Uploaded data, edits of the graph and what is selected; rows live nowhere else.

    ``edits`` maps the name in the picker to the edited graph, ``options`` to the locks and
    weights asked for on Allocate; ``explained`` is the method whose plan is explained there.
    ``showing`` is what the nodes of Explore's graph hold, and ``evidence`` maps the name in the
    picker to the states that are known there, by variable.
    ``limits`` are the thresholds of Risk: members found at 0.1, 1 and 10 %, and the AUC;
    ``refused`` is the sentence that answers one that cannot be.
    """

    upload: Study | None = None
    edits: Mapping[str, Network] = field(default_factory=dict)
    selected: str = ""
    method: str = "equipoise"
    message: str = ""
    refresh: bool = False
    options: Mapping[str, Options] = field(default_factory=dict)
    explained: str = "equipoise"
    showing: Showing = "budget"
    evidence: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    limits: tuple[float, ...] = (0.004, 0.025, 0.2, 0.6)
    refused: str = ""


def begin() -> None:
    """Before the sidebar is drawn: data that a job has brought are put in place."""
    if (brought := st.session_state.pop(BROUGHT, None)) is not None:
        adopt(brought)


def load() -> Session:
    """The session; also when a page runs without the frame."""
    session: Session = st.session_state.setdefault(KEY, Session())
    return session


def bring(upload: Study) -> NoReturn:
    """Put data that came while the page was drawn in place, and draw it again."""
    st.session_state[BROUGHT] = upload
    st.rerun()


class Changes(TypedDict, total=False):
    """Fields that change while data stay."""

    edits: Mapping[str, Network]
    selected: str
    method: str
    message: str
    refresh: bool
    options: Mapping[str, Options]
    explained: str
    showing: Literal["budget", "answers"]
    evidence: Mapping[str, Mapping[str, str]]
    limits: tuple[float, ...]
    refused: str


def change(**changes: Unpack[Changes]) -> None:
    """Replace the session by one with these fields changed, also where it is kept."""
    st.session_state[KEY] = replace(load(), **changes)
    if WORK in st.session_state:
        st.session_state[WORK][KEY] = st.session_state[KEY]


def adopt(upload: Study, files: object = None) -> None:
    """Put uploaded data, read from ``files``, in place of what was uploaded before; show it."""
    st.session_state[FILES] = files
    before = load()
    st.session_state[KEY] = Session(
        upload=upload,
        edits={name: graph for name, graph in before.edits.items() if name != UPLOADED},
        options={name: asked for name, asked in before.options.items() if name != UPLOADED},
    )
    st.session_state["network"] = UPLOADED
