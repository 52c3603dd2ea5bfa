"""Connect: a table that stays where it is; counts come from there, rows do not.

An address can hold a password. It is looked up by its name when the button is pressed and lives in
the open connection alone: no widget, file, link, log or sentence ever has it, and no reload
brings it back.
"""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from core.errors import EquipoiseError
from pages.ui.data import draft as drafts
from pages.ui.kit import jobs, state
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.state import KEEP
from sources.connected import connected_study
from sources.elsewhere import Elsewhere
from sources.networks import sample_names
from sources.places import GLOB, TablePlace, matching, place_of
from sources.study import Study
from sources.watch import Watch

NAMED = "EQUIPOISE_CONNECT_"
"""Beginning of the environment variables that name connections; so does ``[connections]`` in the
server's secrets."""

FILES = "Files here"
OWN = "the network file of 3 Graph"
JOB, WATCH, COUNTED = "connect", "connect_watch", "connect_counted"
NO_STATES = (
    "a connection gives no states; choose a sample network, or add a schema (2 Columns) or a "
    "network file with states (3 Graph)"
)
UNKNOWN = "the count came to nothing; the server's log says why"
TEXTS = (".csv", ".tsv", ".txt", ".data")


def section() -> None:
    """What to connect to, the graph and the states, and the button."""
    with st.expander("**Or connect: the rows stay where they are**", key="connect"):
        st.caption(
            "Only counts come here; 2 Columns takes a schema, 3 Graph a network file. What needs "
            "rows (the empirical attack, a rehearsed graph) asks for made-up or released records."
        )
        names, within = sorted(_named()), drafts.folder()
        if not names and within is None:
            st.caption(
                f"Off: whoever runs this server can name a folder ({drafts.FOLDER}=/data) or a "
                f"connection ({NAMED}REGISTER=postgresql://..., or REGISTER below [connections] "
                "in its secrets)."
            )
            return
        left, middle, right = st.columns(3)
        ways = [*([FILES] if within else []), *names]
        left.selectbox("Connection", ways, key="connect_to", **KEEP)
        if st.session_state.connect_to == FILES:
            middle.text_input(
                "Path below the server's folder", key="connect_path", **KEEP,
                placeholder="visits/*.parquet",
                help="Parquet or CSV files, a folder, a pattern, or a DuckDB file with its table.",
            )  # fmt: skip
            middle.text_input("Table, of a DuckDB file", key="connect_table", **KEEP)
        right.selectbox("States and graph", [OWN, *sample_names()], key="connect_network", **KEEP)
        st.button("Count the records there", key="connect_now", on_click=_connect, type="primary",
                  icon=":material/database:", disabled=jobs.running(JOB))  # fmt: skip
        if jobs.running(JOB):
            _watch()
        _ended()
        study = state.load().upload
        if study is not None and isinstance(study.people, Elsewhere):
            st.success(
                f"Connected: {literal(study.name)}, {study.records:,} records of "
                f"{literal(study.people.name)}.",
                icon=":material/check_circle:",
            )
            st.caption(literal(" ".join(study.notes)))


@st.fragment(run_every=jobs.POLL)
def _watch() -> None:
    job, watch = jobs.current(JOB), st.session_state.get(WATCH)
    if job is None or watch is None or not job.alive:
        st.rerun()
        return
    job.seen = time.monotonic()
    share = min(watch.counted / watch.total, 1.0) if watch.total else 0.0
    of_all = f" of {watch.total:,}" if watch.total else ""
    seconds = time.monotonic() - watch.began
    st.progress(share, f"{watch.counted:,}{of_all} rows counted, {seconds:.0f} s")
    st.button("Stop counting", key="connect_stop", on_click=watch.halt.set, icon=":material/stop:")


def _ended() -> None:
    """Use what was counted, or say in one sentence why there is nothing; both once."""
    job = jobs.current(JOB)
    if job is None or job.alive or WATCH not in st.session_state:
        return
    del st.session_state[WATCH]
    if job.end == "done":
        state.bring(st.session_state.pop(COUNTED).pop())
    refuse(job.message or UNKNOWN, icon=":material/block:")
    st.caption("Nothing was loaded; what was on screen before is still there.")


def _named() -> Mapping[str, str]:
    """Connections by name, from the environment and the server's secrets."""
    named = {k[len(NAMED) :]: v for k, v in os.environ.items() if k.startswith(NAMED)}
    try:
        secrets = dict(st.secrets.get("connections", {}))
    except StreamlitSecretNotFoundError:
        secrets = {}
    return {**named, **{k: v for k, v in secrets.items() if isinstance(v, str)}}


def _connect() -> None:
    draft, chosen = drafts.load(), str(st.session_state.connect_network)
    dag = drafts.in_memory(draft.files.get("dag_file")) if chosen == OWN else None
    schema = drafts.in_memory(draft.files.get("schema_file"))
    missing = str(st.session_state.get("missing") or "refuse")
    connection = str(st.session_state.connect_to)
    typed, table = (str(st.session_state.get(f"connect_{k}", "")) for k in ("path", "table"))
    watch: Watch = Watch()
    counted: list[Study] = []
    st.session_state[WATCH], st.session_state[COUNTED] = watch, counted

    def work() -> Iterator[None]:
        if chosen == OWN and dag is None and schema is None:
            raise EquipoiseError(NO_STATES)
        name = None if chosen == OWN else chosen
        place = _place(connection, typed, table)
        study = connected_study(name, dag, place=place, schema=schema, missing=missing, watch=watch)
        counted.append(study)
        yield

    jobs.start(JOB, None, 1, work).wait(jobs.QUICK)


def _place(chosen: str, typed: str, table: str) -> TablePlace:
    if chosen != FILES:
        address = _named().get(chosen, "")
        if "://" not in address:
            raise EquipoiseError(
                f"{chosen} is no address of an engine; whoever runs this server must set it to "
                "duckdb://, postgresql:// or spark://"
            )
        return place_of(address)
    return files_below(typed, table)


def files_below(typed: str, table: str) -> TablePlace:
    """Files below the server's folder; what leads out of it is refused, also through a link."""
    within = drafts.folder()
    if within is None or not typed.strip():
        raise EquipoiseError("no path is given; write one below the folder that this server reads")
    pattern = str(within / typed.strip())
    outside = EquipoiseError(f"{typed} is not in the folder that this server reads")
    if ".." in Path(pattern).parts or not Path(pattern).is_relative_to(within):
        raise outside
    whole = Path(pattern)
    if whole.is_dir():
        pattern = str(whole / "**" / "*.parquet")
    place = TablePlace("folder", pattern, "", f"files {pattern}")
    files = matching(place)
    if not files:
        raise EquipoiseError(f"{typed} names no file below the folder that this server reads")
    if any(not file.resolve().is_relative_to(within) for file in files):
        raise outside
    if all(file.suffix.lower() in TEXTS for file in files):
        return place_of(f"duckdb://{quote(pattern, safe='/' + ''.join(GLOB))}")
    return place if files[0].suffix.lower() == ".parquet" else _database(pattern, typed, table)


def _database(pattern: str, typed: str, table: str) -> TablePlace:
    """A table of a DuckDB file."""
    if not table.strip():
        raise EquipoiseError(
            f"{typed} is no Parquet or CSV file; if it is a DuckDB file, name its table too"
        )
    return place_of(f"duckdb://{quote(pattern)}?{urlencode({'table': table.strip()})}")
