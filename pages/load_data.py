"""Data: a table to something that can be studied and released, in four steps."""

import streamlit as st

from pages.ui.data import columns_step, connect, file_step, graph_step, in_use
from pages.ui.data import draft as drafts
from pages.ui.data import upload as uploads
from pages.ui.data.draft import attempt, leave, step
from pages.ui.kit import visits
from pages.ui.kit.markdown import literal
from sources.loaded import Loaded

st.markdown("### Bring your own records, network, or both")
st.caption(
    "Files stay in this server's memory; they are never written to disk, shared with another "
    "browser or put into the address. *Forget this data* releases them, and so does stopping the "
    f"server; after a closed tab they wait {visits.HOURS} hours for a reload."
)
top = st.container()
draft = drafts.load()
stream, unread = attempt(lambda: file_step.stream_of(draft))
network, no_graph = attempt(lambda: graph_step.stated_by(draft, stream))
stating = stream is not None and (not isinstance(network, Loaded) or "schema_file" in draft.files)
columns, unclear = None, ""
if stream is not None and stating:
    table = stream
    columns, unclear = attempt(lambda: columns_step.columns_of(draft, table))

done = "" if stream is None else file_step.summary(draft, stream)
with step("file", "1 File", done, unread):
    file_step.section(draft, stream)
    leave("file", "columns", "Next: the columns", stream is not None)

connect.section()

done = "" if columns is None else columns.told
if stream is not None and not stating:
    done = "states come from the network"
with step("columns", "2 Columns", done, unclear, asked=bool(columns and columns.questions)):
    columns_step.files()
    if columns is not None and stream is not None:
        columns_step.section(draft, stream, columns)
    else:
        if stream is not None and network is not None:
            st.caption(f"{literal(network.name)} gives the states of every column it needs.")
        columns_step.policies(stream)
    leave("columns", "graph", "Next: the graph", columns is not None)

done = graph_step.told(draft, stream, columns)
with step("graph", "3 Graph", done, no_graph):
    graph_step.section(draft, stream, columns)

with st.container(border=True, key="step_ready"):
    waiting = bool(unread or no_graph or unclear or (columns and columns.questions))
    upload = None if waiting else uploads.upload_of(draft, stream, columns)
    used = uploads.section(draft, upload, stream, unclear)
    bottom = st.container()
with bottom if used else top:
    in_use.panel()
in_use.known()
in_use.opener()
