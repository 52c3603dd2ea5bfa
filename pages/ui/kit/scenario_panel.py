"""Save this scenario, and open one again: the same file that the shell reads and writes."""

import time
from dataclasses import replace

import streamlit as st

from core.errors import EquipoiseError
from core.network import Network
from pages.ui.kit import inputs, link_reading, links, state
from pages.ui.kit.acting import SHOWN
from pages.ui.kit.link_reading import PLANNED
from pages.ui.kit.markdown import literal
from sources.named_numbers import number_text
from sources.networks import sample
from sources.scenario_file import (
    LARGEST,
    SavedScenario,
    check_question,
    edited_parents,
    network_digest,
    read_scenario,
    write_scenario,
)

SAID = "scenario_said"
"""Session key of what the last opened file was answered with: a sentence, whether bad, when."""

LASTS = 10.0
"""Seconds for which a page that is drawn anew says it again: a job may end just then."""

FILE = "equipoise-scenario.json"


def panel() -> None:
    """In the sidebar, beneath what it describes."""
    try:
        told = saved(inputs.chosen())
    except EquipoiseError:
        return  # the page says what is wrong
    saving = st.session_state.setdefault(inputs.SAVING, {})
    saving["scenario"] = told.scenario
    with st.popover("Scenario file", icon=":material/data_object:", width="stretch"):
        st.caption(
            "Network, knobs, method, locks, weights, known tables and question, without any "
            "record. `python cli.py query --scenario FILE` gives the same numbers. Names of your "
            "own columns are in it."
        )
        st.download_button(
            "Save this scenario", lambda: write_scenario(replace(told, **saving)), FILE,
            "application/json",
            key="save_scenario", on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        file = st.file_uploader(
            "Open a scenario", ["json"], key="scenario_file", max_upload_size=LARGEST // 2**20
        )
        if file is not None:
            st.button("Open it", key="open_scenario", on_click=reopen,
                      args=(file.name, file.getvalue()))  # fmt: skip
    said, bad, since = st.session_state.get(SAID, ("", False, 0.0))
    if time.monotonic() - since > LASTS:
        st.session_state.pop(SAID, None)
    else:
        (st.error if bad else st.success)(literal(said))


def saved(choice: inputs.Choice) -> SavedScenario:
    """What is on show."""
    own = choice.study is state.load().upload
    asked = link_reading.asked(choice.network)
    return SavedScenario(
        None if own else choice.study.name,
        network_digest(choice.study.network),
        choice.scenario,
        choice.study.records,
        0,
        edited_parents(choice.study.network, choice.network),
        state.load().method,
        asked,
        asked is not None and not asked.targets,
    )


def reopen(name: str, data: bytes) -> None:
    """Show a scenario; a file that is none, or is about other data, changes nothing."""
    try:
        _show(read_scenario(name, data))
    except EquipoiseError as problem:
        st.session_state[SAID] = (f"{problem}.", True, time.monotonic())
        return
    st.session_state[SAID] = (f"{name} is on show.", False, time.monotonic())


def _show(scenario: SavedScenario) -> None:
    session, on_show = state.load(), scenario.network or state.UPLOADED
    if scenario.network is None and session.upload is None:
        raise EquipoiseError(
            "the scenario belongs to records that are not in it; bring them on Data first"
        )
    if scenario.data_seed and scenario.network:
        raise EquipoiseError(
            f"the scenario samples its records with seed {scenario.data_seed}, pages with 0; open "
            "it in the shell"
        )
    own = session.upload.network if session.upload is not None else None
    loaded = own if scenario.network is None else sample(scenario.network).network
    if loaded is None:
        raise EquipoiseError("there is no network to show the scenario on; bring one on Data")
    graph = scenario.graph(loaded)
    if scenario.question is not None:
        check_question(scenario.question, graph)
    knobs, options = scenario.scenario, scenario.scenario.options
    for one in (*options.known, *options.possible):
        one.on(graph)
    relation = next(k for k, v in inputs.RELATIONS.items() if v is knobs.neighbours)
    asked = {
        "eps": number_text(knobs.epsilon), "beta": number_text(knobs.split),
        "gamma": number_text(knobs.rate),
        "replicates": str(knobs.replicates), "seed": str(knobs.seed), "neighbours": relation,
        "network": on_show,
    }  # fmt: skip
    if scenario.network is not None:
        asked["records"] = str(scenario.records)
    links.reopen(links.checked(asked))
    _put(scenario, on_show, None if graph == loaded else graph)
    if scenario.question is not None:
        link_reading.put(scenario.question, graph)


def _put(scenario: SavedScenario, on_show: str, edited: Network | None) -> None:
    session = state.load()
    edits = {name: graph for name, graph in session.edits.items() if name != on_show}
    if edited is not None:
        edits[on_show] = edited
    state.change(
        edits=edits,
        options={**session.options, on_show: scenario.scenario.options},
        method=scenario.method if scenario.method in SHOWN else session.method,
        explained=scenario.method if scenario.method in PLANNED else session.explained,
        message="",
    )
