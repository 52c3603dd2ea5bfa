"""Work that comes back after F5, a lost connection or a sleep: kept after each run, taken once.

A tab that is open keeps its work to itself: a second tab begins anew, and one that is loaded again
gets what its session held. Looks at the exact rows are counted for the browser as a whole.
"""

import re
import time
from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.kit import state, visitors, visits

SHELF = visits.Shelf()
KEPT = (
    *state.DRAFTED,
    state.KEY, state.FILES, "network", "known_given", "synth_records", "synth_files", "jobs",
    "demonstrations",
    "release_slots", "release_reasons", "release_signed", "release_token", "release_outcomes",
    "release_rehearsals", "release_audits",
)  # fmt: skip
"""What comes back as it was."""

STATED = re.compile(r"release_[a-z_]+_\d+")
"""Widgets in which a steward states something, by the data they are about."""

PATIENCE = 1.0
"""Seconds that a tab loaded again waits for its last connection to be noticed as closed."""

BACK, ROOM, VISITOR = "work_back", "work_kept", "visitor"


def begin() -> None:
    """Take the work of this browser's last session, once and before anything is drawn."""
    if BACK in st.session_state:
        return
    st.session_state[BACK] = False
    token, end = _token(), time.monotonic() + PATIENCE
    if token:
        st.session_state["study_runs"] = SHELF.looks(token)
    while token and SHELF.waiting(token):
        work = SHELF.take(token, _active)
        if work is not None:
            _bring_back(work)
            return
        if time.monotonic() > end:
            return  # its tabs are open: this is another one
        time.sleep(0.05)


def _bring_back(work: Mapping[str, Any]) -> None:
    """What was kept, unless another person has logged in at the same browser since."""
    if work[VISITOR] != visitors.visitor():
        return
    asked = st.query_params.to_dict()
    for key, value in work.items():
        if key != VISITOR and (key != "network" or "network" not in asked):
            st.session_state[key] = value
    st.session_state[BACK] = True


def greet() -> None:
    """Say once that the work is back."""
    if st.session_state.get(BACK) is True:
        st.session_state[BACK] = None
        st.toast("Your work is back; Data says what is in use.", icon=":material/history:")


def keep() -> None:
    """Keep what this session holds, where it holds something of the visitor's own."""
    token, values = _token(), st.session_state
    upload = state.load().upload
    if upload is not None and upload.connected:  # its connection may hold a password
        SHELF.forget(token, _session())
        return
    drafted = getattr(values.get(state.DRAFT), "files", {})
    own = upload is not None or drafted or values.get("synth_records") or any(released())
    if not token or not own:
        return
    stated = [key for key in values if STATED.fullmatch(str(key)) and _plain(values[key])]
    work = {key: values[key] for key in (*KEPT, *stated) if key in values}
    work[VISITOR] = visitors.visitor()
    study, records = upload, values.get("synth_records")
    size = 0 if study is None else 4 * study.records * len(study.network.names)
    files = {*getattr(values.get(state.FILES), "files", ()), *drafted.values()}
    size += sum(len(content) for _, content in files if isinstance(content, bytes))
    size += 0 if records is None else 4 * records.rows.records * len(records.rows.dataset.variables)
    values[state.WORK] = work
    values[ROOM] = SHELF.put(token, _session(), work, size, _active)


def released() -> list[object]:
    """Releases that were made in this session, of whichever data."""
    return [x for some in st.session_state.get("release_outcomes", {}).values() for x in some]


def forget() -> None:
    """Let go of the upload and of all that was said about it: here, on the shelf, and as files."""
    SHELF.forget(_token(), _session())
    if exists():  # Streamlit would keep what was uploaded as long as the tab is open
        get_instance().uploaded_file_mgr.remove_session_files(_session())
    for key in [*KEPT, state.WORK, "computed", "latest", "drawn", "parcels"]:
        st.session_state.pop(key, None)
    for key in [key for key in st.session_state if STATED.fullmatch(str(key))]:
        del st.session_state[key]


def told() -> str:
    """How long the work of this session is kept, in a sentence."""
    upload = state.load().upload
    if upload is not None and upload.connected:
        return "A reload loses it: a connection is never kept, so connect again."
    if not _token():
        return "A reload loses it: this server gives no cookie, so save your work before you leave."
    if st.session_state.get(ROOM) is False:
        return "A reload loses it: this server has no room to keep it, so save your work."
    return (
        f"A reload or a lost connection brings it back, in this browser alone, for {visits.HOURS} "
        "hours; it is kept in the server's memory, never on disk, and goes when the server stops."
    )


def _plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _token() -> str:
    token = str(st.context.cookies.get(visits.COOKIE, ""))
    return token if visits.genuine(token) else ""


def _session() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def _active(session: str) -> bool:
    return exists() and get_instance().is_active_session(session)
