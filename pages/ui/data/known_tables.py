"""Tables that nobody has to measure: the network's own by name, or those of a file."""

from __future__ import annotations

from typing import TypedDict

import streamlit as st

from core.errors import EquipoiseError
from core.options import PLAIN, Options
from pages.ui.data.upload import Upload
from pages.ui.kit import inputs, limits, state
from pages.ui.kit.markdown import literal, refuse
from pages.ui.kit.words import counted
from sources.known import stated_known
from sources.loaded import EdgeList, Loaded
from sources.study import File, open_network

GIVEN = "known_given"
"""Session key of what was stated, by the name in the picker."""


class Given(TypedDict):
    """Tables of the network file by name, and a file of others."""

    known: tuple[str, ...]
    known_file: File | None


def network_on_show() -> Loaded | EdgeList | None:
    """The network file of what is on show; none where there is no such file."""
    if st.session_state.network != state.UPLOADED:
        return open_network(st.session_state.network, None)
    files = st.session_state.get(state.FILES)
    if not isinstance(files, Upload) or (files.name is None and files.dag is None):
        return None
    return open_network(files.name, files.dag)


def section() -> None:
    """Which tables are public: they cost no budget and have no error."""
    try:
        choice, loaded = inputs.chosen(), network_on_show()
    except EquipoiseError:
        return  # the page says what is wrong
    own = choice.scenario.options.known
    title = f"Known tables: {counted(len(own), 'table')}" if own else "Known tables: none"
    with st.expander(f"{title}, {literal(st.session_state.network)}", icon=":material/lock_open:"):
        st.caption(
            "A conditional that is public (an OR, a code table) is not measured: no budget, no "
            "error, nothing an attacker could learn from it. Name only what is known without these "
            "records. It holds on every page and is not in the address."
        )
        tables = isinstance(loaded, Loaded) and loaded.model is not None
        names = choice.network.names if tables else ()
        st.multiselect(
            "Tables that the network file has, taken as public", names,
            [one.name for one in own if not one.source and one.name in names],
            key=f"known_{st.session_state.network}", on_change=_apply, disabled=not tables,
        )  # fmt: skip
        if not tables:
            st.caption("The graph on show comes without probabilities: state tables in a file.")
        st.file_uploader("File of known tables and impossible cells", ["json"], key="known_file",
                         on_change=_apply, max_upload_size=limits.upload_megabytes())  # fmt: skip
        if refused := st.session_state.pop("known_refused", ""):
            refuse(refused, icon=":material/block:")


def _apply() -> None:
    """They hold on every page; what cannot be is refused and changes nothing."""
    on_show, file = st.session_state.network, st.session_state.get("known_file")
    names = tuple(st.session_state.get(f"known_{on_show}") or ())
    apply(names, None if file is None else (file.name, file.getvalue()))


def apply(names: tuple[str, ...], file: File | None) -> None:
    """State tables of what is on show as known."""
    on_show = st.session_state.network
    before: Options = state.load().options.get(on_show, PLAIN)
    try:
        after = stated_known(before, inputs.chosen().network, network_on_show(), names, file)
    except EquipoiseError as problem:
        st.session_state.known_refused = str(problem)
        return
    st.session_state.setdefault(GIVEN, {})[on_show] = Given(known=names, known_file=file)
    state.change(options={**state.load().options, on_show: after})


def given(on_show: str) -> Given:
    """What was stated, as it would be stated again."""
    stated: dict[str, Given] = st.session_state.get(GIVEN, {})
    return stated.get(on_show, Given(known=(), known_file=None))
