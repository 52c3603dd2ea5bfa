"""Data: upload records, a network and a schema; see what was understood before it is used."""

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.data import in_use, upload
from pages.ui.kit import inputs, limits, state, visits
from pages.ui.kit.markdown import literal, refuse
from sources.networks import EXTENSIONS, sample_names
from sources.opening import TABLE_EXTENSIONS
from sources.study import File


def chosen(label: str, endings: tuple[str, ...], key: str, text: str) -> File | None:
    """One uploader; its file's name and content."""
    file = st.file_uploader(
        label, [e[1:] for e in endings], key=key, help=text, max_upload_size=limits.UPLOAD_MEGABYTES
    )
    return None if file is None else (file.name, file.getvalue())


st.markdown("### Bring your own records, network, or both")
st.caption(
    "Files stay in this server's memory; they are never written to disk, shared with another "
    "browser or put into the address. *Forget this data* releases them, and so does stopping the "
    f"server; after a closed tab they wait {visits.HOURS} hours for a reload."
)
in_use.panel()
in_use.opener()
left, middle, right = st.columns(3)
with left:
    data = chosen("Records", TABLE_EXTENSIONS, "data_file", "One row per person, header first.")
with middle:
    dag = chosen("Network", EXTENSIONS, "dag_file", "CSV: an edge list with header parent,child.")
with right:
    schema = chosen(
        "Schema",
        (".json",),
        "schema_file",
        "Public states or bin edges of each column; README shows the format.",
    )
missing = st.segmented_control(
    "Missing values",
    list(upload.MISSING),
    default="refuse",
    format_func=upload.MISSING.__getitem__,
    key="missing",
    required=True,
)
against = None
if data is not None and dag is None:
    on_show = st.session_state.get("network", inputs.START_NETWORK)
    start = sample_names().index(on_show if on_show in sample_names() else inputs.START_NETWORK)
    against = st.selectbox("Read the records against", sample_names(), start, key="against")
files = upload.Upload(
    name=against,
    data=data,
    dag=dag,
    schema=schema,
    missing=missing,
    records=st.session_state.get("records", limits.START_RECORDS),
)
if data is None and dag is None:
    st.info(
        "Choose a file. Records alone are read against a sample network; a network with "
        "probabilities alone is studied on records sampled from it."
    )
    for column, (title, example) in zip(st.columns(3), upload.EXAMPLES, strict=True):
        column.caption(title)
        column.code(example, language=None)
    st.stop()
try:
    preview = upload.understood(files)
    if preview is not None:
        st.markdown(f"**{preview.records:,} records, {len(preview.columns)} columns understood.**")
        st.caption(literal(upload.largest(preview)))
        if preview.inferred:
            st.warning(
                "The states were read off the records, which is not private. Fine for a "
                "study; supply a schema before a release.",
                icon=":material/visibility:",
            )
        for problem in preview.problems[:8]:
            refuse(problem, icon=":material/block:")
        for note in preview.notes:
            st.info(literal(note))
        st.dataframe(upload.columns_table(preview), hide_index=True, width="stretch")
        if preview.problems:
            st.caption("Nothing was loaded. Correct the file and choose it again.")
            st.stop()
    study = upload.study_of(files)
except EquipoiseError as problem:
    refuse(problem, icon=":material/block:")
    st.caption("Nothing was loaded; what was on screen before is still there.")
    st.stop()
st.button("Use this data", type="primary", on_click=state.adopt, args=(study, files))
if upload.in_use(study, state.load().upload):
    told = f"In use: {study.records:,} records. For a release, rehearse before you explore: above."
    st.success(literal(told), icon=":material/check_circle:")
