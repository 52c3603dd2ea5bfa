"""Links that carry a whole scenario, and what is said where one cannot be followed.

The sidebar's widgets keep their values in the address themselves. The rest of a scenario (method,
node, edits, locks, ...) goes with the sheet to the browser, which writes it beside them without a
step in the history; which variant of a view is on show is known there alone (``look``). Of uploaded
data nothing is written: no name, no edge, no lock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import compute, inputs, limits, link_reading, state
from pages.ui.kit import link_reading as text
from pages.ui.kit.acting import evidence_on
from pages.ui.kit.link_reading import READERS, On, unknown
from pages.ui.kit.markdown import literal
from pages.ui.kit.visits import HOURS
from sources.named_numbers import number_text
from sources.networks import sample_names
from sources.study import Study

KEY = "link"
USUAL = state.Session()
NUMBERS = {
    "eps": ("ε", limits.EPSILON),
    "beta": ("β", limits.SHARE),
    "gamma": ("γ", limits.RATE),
    "records": ("the number of records", limits.RECORDS),
    "replicates": ("the number of replicates", limits.REPLICATES),
    "seed": ("the seed", limits.SEED),
}
"""Numbers of the sidebar: name in the address -> name in a sentence, and bounds."""

WIDGETS = ("network", "neighbours", *NUMBERS)
"""What the sidebar's widgets keep in the address themselves."""

INSTEAD = {
    "method": "equipoise is shown",
    "plan": "equipoise's plan is explained",
    "node": "the page chooses a node",
    "edges": "the graph is shown as it was loaded",
    "locks": "no node is locked",
    "weights": "all nodes matter alike",
    "prior": "no prior is added",
    "limits": "the usual thresholds hold",
    "ask": "the usual question is asked",
    "showing": "the nodes show their budget",
    "evidence": "nothing is known of any node",
    "look": "every view shows its first variant",
}
"""The rest of a scenario: name in the address -> what is shown where it cannot be used."""

STREAMLITS_OWN = ("embed", "embed_options")
LESSON = ("lesson", "step", "class", "with", "present")
"""What Lessons keeps in the address itself."""


@dataclass(frozen=True)
class Followed:
    """The link that a session began with: what could not be followed, and what was on show then."""

    asked: Mapping[str, str]
    notes: tuple[str, ...]
    shown: tuple[object, ...] | None = None


def begin() -> None:
    """Follow the address once, before the sidebar is drawn."""
    if KEY not in st.session_state:
        asked = st.query_params.to_dict()
        st.session_state[KEY] = Followed(asked, tuple(_follow(asked)))


def reopen(asked: Mapping[str, str]) -> list[str]:
    """Show the scenario of a visitor's own file, before the sidebar's widgets are drawn.

    Sentences on what of it cannot be used.
    """
    for name, bounds in NUMBERS.items():
        if name in asked:
            whole = isinstance(bounds[1][0], int)
            st.session_state[name] = (int if whole else float)(float(asked[name]))
    for name in {"network", "neighbours"} & set(asked):
        st.session_state[name] = asked[name]
    state.change(method=USUAL.method, explained=USUAL.explained, selected="", message="")
    state.change(showing=USUAL.showing)
    return _follow(
        asked, state.load().upload if st.session_state.network == state.UPLOADED else None
    )


def checked(asked: Mapping[str, str]) -> Mapping[str, str]:
    """A scenario whose numbers the sidebar takes, or a refusal."""
    for key, (name, (low, high)) in NUMBERS.items():
        number = _number(asked.get(key, str(low)))
        if number is None or not low <= number <= high:
            raise EquipoiseError(
                f"{name} is {asked[key][:20]!r} there; it goes from {low:,.10g} to {high:,.10g}"
            )
    if asked.get("neighbours", next(iter(inputs.RELATIONS))) not in inputs.RELATIONS:
        raise EquipoiseError(f"neighbours are {asked['neighbours'][:20]!r} there; choose another")
    return asked


def go(page: str) -> NoReturn:
    """Open a page with the scenario on show; left to clear the address, Streamlit refuses to."""
    st.switch_page(page, query_params={})


def parameters() -> dict[str, str]:
    """What the address says of the scenario beside the widgets; empty where it is the usual."""
    session = state.load()
    said = dict.fromkeys((name for name in INSTEAD if name != "look"), "")
    said["method"] = "" if session.method == USUAL.method else session.method
    said["plan"] = "" if session.explained == USUAL.explained else session.explained
    said["showing"] = "" if session.showing == USUAL.showing else session.showing
    if session.limits != USUAL.limits:
        said["limits"] = "_".join(number_text(limit) for limit in session.limits)
    return said if st.session_state.network == state.UPLOADED else {**said, **particulars()}


def particulars() -> dict[str, str]:
    """What is said of the nodes on show; of an upload for its keeper alone, in no address."""
    session, choice = state.load(), inputs.chosen()
    options, network = choice.scenario.options, choice.network
    asked = link_reading.asked(network)
    return {
        "node": session.selected if session.selected in network.position else "",
        "edges": text.edges_text(network, choice.study.network),
        "locks": text.named_text(options.floors, network),
        "weights": text.named_text(options.weights, network),
        "prior": number_text(options.prior) if options.prior else "",
        "ask": "" if asked is None else text.query_text(asked, network),
        "evidence": text.given_text(evidence_on(network), network),
    }


def answer() -> None:
    """Say what of the link is not on show, until something is changed; after the sidebar."""
    followed: Followed = st.session_state[KEY]
    values = [st.session_state.get(name) for name in WIDGETS]
    session = state.load()
    if followed.shown is None:
        notes = (*_unbound(followed.asked), *followed.notes)
        followed = Followed({}, notes, (*values, session))
        st.session_state[KEY] = followed
    elif followed.notes and (
        followed.shown[:-1] != tuple(values) or followed.shown[-1] is not session
    ):
        st.session_state[KEY] = followed = Followed({}, (), ())
    for note in followed.notes:
        st.warning(literal(note), icon=":material/link_off:")


def noted() -> bool:
    """Whether something is said about the link, which goes when anything changes."""
    followed: Followed | None = st.session_state.get(KEY)
    return followed is not None and bool(followed.notes)


def _follow(asked: Mapping[str, str], upload: Study | None = None) -> list[str]:
    """Take over what the sidebar's widgets do not; sentences on what could not be used.

    An address is never about an ``upload``.
    """
    name = asked.get("network", st.session_state.get("network", inputs.START_NETWORK))
    if upload is None and name not in sample_names():
        name = inputs.START_NETWORK
    given = {key: asked[key] for key in INSTEAD if asked.get(key)}
    if not given:
        return []
    loaded = (upload or compute.sampled(name, limits.START_RECORDS)).network
    session, notes = state.load(), []
    for key, value in given.items():
        try:
            session = READERS[key](value, session, On(name, loaded))
        except EquipoiseError as problem:
            notes.append(
                f"{_code(key, value)} in the link cannot be used: {problem}. So {INSTEAD[key]}."
            )
    st.session_state[state.KEY] = session
    return notes


def _unbound(asked: Mapping[str, str]) -> list[str]:
    """Sentences on parameters of the sidebar that it does not show, and on unknown ones."""
    notes = []
    for key, value in asked.items():
        if key in NUMBERS:
            name, (low, high) = NUMBERS[key]
            shown = st.session_state[key]
            if _number(value) != shown:
                notes.append(
                    f"{_code(key, value)} in the link cannot be used: {name} goes from "
                    f"{low:,.10g} to {high:,.10g}. So {shown:,.10g} is shown."
                )
        elif key in WIDGETS and value != st.session_state[key]:
            notes.append(_choice(key, value))
        elif key not in (*WIDGETS, *INSTEAD, *LESSON, *STREAMLITS_OWN):
            notes.append(f"{_code(key, value)} in the link is not known here and changes nothing.")
    return notes


def _choice(key: str, value: str) -> str:
    shown = st.session_state[key]
    if value == state.UPLOADED:
        return (
            "The upload is not in this server's memory (a link carries none, and it is kept for "
            f"{HOURS} hours in the browser it came from); choose the file again on Data, or open "
            f"your saved work there. So {shown} is shown."
        )
    known = sample_names() if key == "network" else tuple(inputs.RELATIONS)
    return (
        f"{_code(key, value)} in the link cannot be used: {unknown(value, known)}. So {shown} "
        "is shown."
    )


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _code(key: str, value: str) -> str:
    """A parameter as it stands in the address, which anyone may have written: never markup."""
    plain = "".join(c if c.isprintable() and c != '"' else " " for c in f"{key}={value}")
    return f'"{plain[:60]}{"…" if len(plain) > 60 else ""}"'
