"""The sidebar: which data, which knobs; the same on every page, and in the address bar."""

import functools
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import EquipoiseError
from core.knowledge import tabled
from core.network import Network
from core.options import PLAIN
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.glossary import tip
from pages.ui.kit import compute, limits, state, words
from pages.ui.kit.dragging import EPSILON, RATE, SPLIT, Knob, rested, slider
from pages.ui.kit.markdown import literal
from pages.ui.kit.stage_one import WHICH, use_of
from pages.ui.kit.state import KEEP
from sources.networks import sample_names
from sources.study import Study

START_NETWORK = "asia"
START = Scenario()
SYNTHESIS = "Synthesise"
RELATIONS = {"added or removed": Neighbours.ADD_REMOVE, "replaced": Neighbours.REPLACE}

ANSWERED = "answered"
"""Session key of the choice that the page shows, once it is on its way to the browser; none where
more has to follow."""

SAVING = "scenario_saving"
"""Session key of what a scenario file would say: a holder, as a file is written without session."""


@dataclass(frozen=True)
class Choice:
    """Everything the sidebar says: the data, the graph on show and the knobs."""

    study: Study
    network: Network
    scenario: Scenario

    @property
    def measured(self) -> Network:
        """The graph without the tables that are known: what costs budget, and can tell."""
        return tabled(self.network, self.scenario.options.known)

    @property
    def edited(self) -> bool:
        """Whether the graph on show differs from the one loaded."""
        return self.network != self.study.network


def sidebar(page: str) -> None:
    """Draw the widgets beside the page of that title; pages read them with :func:`chosen`.

    What a page does not use is inactive there, with the reason.
    """
    st.session_state.pop(ANSWERED, None)
    own: Study | None = st.session_state.get("synth_records") if page == SYNTHESIS else None
    options = [*sample_names(), *([state.UPLOADED] if state.load().upload else [])]
    st.selectbox(
        "Data",
        options,
        options.index(START_NETWORK),
        key="network",
        bind="query-params",
        on_change=_forget,
        disabled=own is not None,
        help=tip("network"),
    )
    if own is not None:
        st.caption(
            f"Not used here: Synthesise works on {literal(own.name)}, {own.rows.records:,} "
            "records, until you go back to this data there."
        )
    st.page_link("pages/load_data.py", label="Use your own records", icon=":material/upload_file:")
    st.divider()
    _budget(page)
    st.divider()
    with st.container(key="study"):
        _study(own)
    st.divider()
    _summary(page, own)


def _forget() -> None:
    state.change(selected="", message="")


def _budget(page: str) -> None:
    _number(EPSILON, "eps", "**ε** total budget", limits.EPSILON, START.epsilon)
    _stage_one(page)
    st.segmented_control(
        "**Neighbours**: one record is",
        list(RELATIONS),
        default=next(iter(RELATIONS)),
        key="neighbours",
        bind="query-params",
        required=True,
        width="stretch",
        help=tip("neighbours"),
    )


@st.fragment
def _number(
    knob: Knob, key: str, label: str, bounds: tuple[float, float], start: float, idle: bool = False
) -> None:
    """A knob's number, which holds it, and its live slider beneath.

    A slider that rests where the page shows its value already redraws these two alone.
    """
    if _alone() and not _answered():
        st.rerun()
    st.number_input(
        label,
        *bounds,
        start,
        step=0.05,
        format="%.3g",
        key=key,
        bind="query-params",
        disabled=idle,
        help=tip("epsilon" if knob is EPSILON else key),
    )
    act = functools.partial(rested, knob.name)
    slider(knob, st.session_state[key], key=f"{key}_live", on_change=act, disabled=idle)


def _alone() -> bool:
    """Whether a part of the screen is drawn anew, and not all of it."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def _answered() -> bool:
    """Whether the page shows what is chosen; then a scenario that is saved is this one."""
    shown: Choice | None = st.session_state.get(ANSWERED)
    if shown is None or shown != chosen():
        return False
    st.session_state[SAVING]["scenario"] = shown.scenario
    return True


def _stage_one(page: str) -> None:
    """β and γ: inactive with a reason where nothing on show has a Stage I."""
    use = use_of(page)
    beta, gamma = "share of ε for Stage I", "sampling rate of Stage I (β in Chowdhury et al.)"
    _number(SPLIT, "beta", f"**β** {beta}", limits.SHARE, START.split, not use.active)
    _number(RATE, "gamma", f"**γ** {gamma}", limits.RATE, START.rate, not use.active)
    if use.note:
        st.caption(use.note)
    if use.show:
        st.button(use.offer, key="show_stage_one", on_click=use.show)
    elif not use.active:
        st.page_link("pages/explore_tradeoff.py", label=use.offer, icon=":material/tune:")
    with st.popover("Which β is which?", type="tertiary"):
        st.markdown(WHICH)


def _study(own: Study | None) -> None:
    """How many records are sampled, or are there; rehearsals; their seed."""
    rows = (
        ("Records", limits.RECORDS, limits.START_RECORDS, 1000, "record"),
        ("Replicates", limits.REPLICATES, START.replicates, 10, "replicates"),
        ("Seed", limits.SEED, START.seed, 1, "seed"),
    )
    places = st.columns([1.25, 1.15, 0.9], gap="xsmall")
    there = _there(own)
    st.session_state.setdefault("records", limits.START_RECORDS)  # also where none are sampled
    for place, (label, bounds, start, step, term) in zip(places, rows, strict=True):
        key = label.lower()
        if key == "records" and there is not None:
            place.text_input(label, f"{there:,}", disabled=True, help=tip(term))
            continue
        place.number_input(
            label, *bounds, start, step, key=key, bind="query-params", help=tip(term), **KEEP
        )


def _there(own: Study | None) -> int | None:
    """How many records somebody brought; none where they are sampled."""
    if own is not None:
        return own.rows.records
    upload = state.load().upload
    return upload.records if upload and st.session_state.network == state.UPLOADED else None


def _summary(page: str, own: Study | None) -> None:
    try:
        said = _records(own) if page == SYNTHESIS else describe(chosen(), dials=False)
    except EquipoiseError:
        return  # the page says what is wrong
    st.caption(f"{said}. The address restores this scenario; nothing of an upload goes there.")
    st.page_link("pages/read_glossary.py", label="Glossary", icon=":material/menu_book:")


def _records(own: Study | None) -> str:
    """What Synthesise takes from the sidebar, in one line: no graph, and no Stage I."""
    values = st.session_state
    name, count = values.network, chosen().study.records if own is None else 0
    if own is not None:
        name, count = literal(own.name), own.rows.records
    return (
        f"{name}, {count:,} records, ε {values.eps:g}, one record {values.neighbours}, seed "
        f"{int(values.seed)}"
    )


def describe(choice: Choice, *, dials: bool = True) -> str:
    """The scenario in one line; without ``dials`` what stays when a slider moves."""
    s, network = choice.scenario, choice.network
    relation = "add/remove" if s.neighbours is Neighbours.ADD_REMOVE else "replace"
    edited = ", edited" if choice.edited else ""
    asked = "".join(f", {said}" for said in _asked(choice) if said)
    learned = f"{choice.study.spent:.3g} for the learned graph" if choice.study.spent else ""
    if dials:
        more = f" + {learned}" if learned else ""
        budget = f"ε {s.epsilon:g}{more}, β {s.split:g}, γ {s.rate:g}, "
    else:
        budget = f"ε {learned}, " if learned else ""
    return (
        f"{st.session_state.network} ({words.counted(len(network.names), 'node')}, "
        f"{words.counted(len(network.edges), 'edge')}{edited}), {choice.study.records:,} records, "
        f"{budget}{relation}, {s.replicates} replicates, seed {s.seed}{asked}"
    )


def _asked(choice: Choice) -> tuple[str, ...]:
    """What was set on Allocate and Data and holds on every page."""
    options = choice.scenario.options
    prior = f"prior {options.prior:g} in every cell" if options.prior else ""
    known = f"{words.counted(len(options.known), 'table')} known" if options.known else ""
    return words.summary(options, len(choice.network.names)), prior, known


def chosen(name: str = "") -> Choice:
    """The data, graph and knobs now set; an unusable one raises with its sentence.

    ``name`` asks for another sample network with the same knobs.
    """
    values = st.session_state
    name = name or values.network
    scenario = Scenario(
        epsilon=values.eps,
        split=values.beta,
        rate=values.gamma,
        neighbours=RELATIONS[values.neighbours],
        replicates=int(values.replicates),
        seed=int(values.seed),
    )
    session = state.load()
    if name == state.UPLOADED and session.upload is not None:
        study = session.upload
    else:
        study = compute.sampled(name, int(values.records))
    network = session.edits.get(name, study.network)
    options = session.options.get(name, PLAIN).within(network)
    return Choice(study, network, replace(scenario, options=options))


def command(verb: str, choice: Choice, more: str) -> str:
    """The same numbers from a shell; an upload's file names are the user's to fill in."""
    own = choice.study is state.load().upload
    data = (
        f"--dag FILE --data FILE{' --schema FILE' * ('schema' in dict(choice.study.loading))}"
        if own or choice.edited
        else f"--network {choice.study.name} --records {choice.study.records}"
    )
    return words.command(verb, data, choice.scenario, more)
