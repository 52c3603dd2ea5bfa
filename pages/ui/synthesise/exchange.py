"""Files in and out of Synthesise, and the classifier's table."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.errors import EquipoiseError
from core.privbayes.rehearsal import Rehearsal
from pages.ui.kit import compute, words
from pages.ui.kit.markdown import literal, refuse
from pages.ui.synthesise import numbers, page
from pages.ui.synthesise.numbers import SynthesisSetting
from sources.records import STUDY_COLUMN, RecordsFile, study_path, synthetic_file

FILE = Path("equipoise-synthetic.csv")

SCHEMA = '{"columns": [{"name": "age", "bins": [0, 18, 65]}, {"name": "work", "states": [...]}]}'
TREE = '{"work": {"government": ["federal", "state"], "other": ["private"]}}'


def section(endings: Sequence[str], limit: int) -> None:
    """Upload or type what is public; what is wrong is said and nothing that was loaded is lost."""
    own = st.session_state.get("synth_records")
    title = (
        "Records whose structure is not known" if own is None else f"In use: {literal(own.name)}"
    )
    with st.expander(title, icon=":material/upload_file:"):
        left, middle, right = st.columns(3)
        data = left.file_uploader(
            "Records", [e[1:] for e in endings], key="synth_data", max_upload_size=limit
        )
        schema = middle.file_uploader("Schema", ["json"], key="synth_schema")
        tree = right.file_uploader("Taxonomies", ["json"], key="synth_taxonomy")
        left, right = st.columns(2)
        typed = left.text_area("or type the schema", key="synth_typed", placeholder=SCHEMA)
        grown = right.text_area("or type the taxonomies", key="synth_grown", placeholder=TREE)
        explore = st.toggle(
            "I only explore: read the states off the records",
            key="synth_explore",
            help="States that follow the records reveal something of them: not for a release.",
        )
        use, back, _ = st.columns([1, 1, 3])
        if own is not None:
            back.button("Back to the sidebar's data", on_click=page.forget)
        if not use.button("Use these records", disabled=data is None, key="synth_use"):
            return
        if data is None:
            return
        try:
            page.upload(
                (data.name, data.getvalue()),
                schema.getvalue() if schema else typed.encode(),
                tree.getvalue() if tree else grown.encode(),
                explore,
            )
        except EquipoiseError as problem:
            refuse(problem, icon=":material/block:")
            st.caption("Nothing was loaded; what was in use before still is.")
            return
    st.rerun()


def download(setting: SynthesisSetting, rehearsal: Rehearsal) -> None:
    """The synthetic records as a file; where the real ones are private, as a study file alone."""
    private = not setting.records.sampled
    study = private and st.checkbox(
        "For study: the seed is known, so these records are not private",
        key="synth_study",
        help=f"The file's name ends in -study and its last column is {STUDY_COLUMN}. Synthetic "
        "records that may be published come with a release.",
    )

    def file() -> RecordsFile:
        return synthetic_file(FILE, rehearsal.rows, setting.records, study=study)

    st.download_button(
        "Synthetic records (study)",
        data=lambda: file().content,
        file_name=(study_path(FILE) if private else FILE).name,
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        disabled=private and not study,
    )


def classifier(setting: SynthesisSetting, names: Sequence[str]) -> None:
    """Which column to predict, and how often a linear classifier is wrong about it."""
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    target = left.selectbox("Predict", names, len(names) - 1, key="synth_target")
    key = ("classified", setting.key, target)
    if right.button("Train and test", key="synth_train"):
        try:
            with st.spinner("Training on 80 % of the records, testing on the rest"):
                compute.remembered(key, lambda: numbers.classified(setting, target))
        except EquipoiseError as problem:
            refuse(problem)
    scores = st.session_state.get("computed", {}).get(key)
    if scores is None:
        st.caption(
            "A linear support vector machine predicts this column from all others. It is trained "
            "on synthetic records made from 80 % of the rows, and tested on the other rows."
        )
        return
    rows = [{"trained on": name, "misclassified": words.share(value)} for name, value in scores]
    st.dataframe(rows, hide_index=True, width="stretch")
    st.caption("Study only: tested on the private records.")
