"""What the steward states on Release: name, budget, unit, records, method, thresholds."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS, method_named
from core.options import PLAIN, Options
from core.privbayes.learners import STRUCTURE
from core.scenario import Scenario
from core.study.quantities import ROW_ALIKE
from pages.ui.kit import state
from pages.ui.kit.inputs import Choice
from pages.ui.kit.state import KEEP
from pages.ui.release.statements import declarations, statements
from release.acceptance import MOST, NONE, Acceptance, read_criterion
from release.ledger.account import NOBODY, Account
from release.ledger.people import RECOGNISED
from release.ledger.spending import DELTA_BUDGET, shown
from release.order import synthetic_wish
from release.rationals import decimal
from release.review.facts import Statements
from release.review.thresholds import Thresholds

DEMONSTRATION_BUDGET = 4.0
PEOPLE = {NOBODY: "in no account of this ledger", "named": "in the account of this name"}


@dataclass(frozen=True)
class Stated:
    """Everything the steward states; ``budget`` is None until it is positive.

    ``people`` is in which account of the ledger the people in new data are, or ``none``;
    ``refused`` is why its criteria cannot be tested.
    """

    name: str
    budget: Fraction | None
    delta_budget: Fraction
    statements: Statements
    method: str
    scenario: Scenario
    thresholds: Thresholds
    synthetic: bool
    people: str = ""
    acceptance: Acceptance = NONE
    refused: str = ""
    group_by: str = ""


def slot(choice: Choice) -> int:
    """A number for the data on show: widgets of other data keep their own values."""
    return slot_of(choice.study.fingerprint)


def slot_of(fingerprint: str) -> int:
    """A number for data of that fingerprint."""
    seen: dict[str, int] = st.session_state.setdefault("release_slots", {})
    return seen.setdefault(fingerprint, len(seen))


def asked(choice: Choice, account: Account | None, *, others: bool = False) -> Stated:
    """Draw the widgets; what they say. ``others``: people in new data may be in other accounts."""
    number = slot(choice)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="stated"):
        name, budget = _account(choice, account, number)
        people = _people(name, number) if others else ""
        budget = budget if people in ("", NOBODY) else None  # that account has its own
        method = _method(choice, number)
        said = statements(choice, number, account, learns=method_named(method).learns)
        delta, delta_budget = _deltas(method, account, number)
        synthetic = _synthetic(method, number)
        options = PLAIN if method_named(method).learns else _options(choice, number)
    said = replace(said, declared=declarations(number))
    thresholds = _thresholds(number)
    acceptance, refused = (NONE, "") if method == STRUCTURE else _acceptance(choice, number)
    by = "" if method_named(method).learns else st.session_state.get(group_key(choice)) or ""
    options = options if delta is None else replace(options, delta=delta)
    scenario = replace(choice.scenario, options=options)
    return Stated(
        name, budget, delta_budget, said, method, scenario, thresholds, synthetic, people,
        acceptance, refused, by,
    )  # fmt: skip


def _people(name: str, number: int) -> str:
    """Whose records these are: the ledger knows data again, not people."""
    said = st.selectbox(
        "Their people are", list(PEOPLE), None, format_func=PEOPLE.__getitem__,
        placeholder="state it", key=f"release_people_{number}", width=232, help=f"{RECOGNISED}.",
        **KEEP,
    )  # fmt: skip
    return name if said == "named" else said or ""


def _options(choice: Choice, number: int) -> Options:
    """Prior, locks and weights set on Allocate, where the steward wants them."""
    options = choice.scenario.options
    if options == PLAIN:
        return PLAIN
    use = st.toggle(
        "Locks and weights of Allocate",
        key=f"release_options_{number}",
        help="They must come from knowledge outside the rows.",
        **KEEP,
    )
    return options if use else PLAIN


def _account(choice: Choice, account: Account | None, number: int) -> tuple[str, Fraction | None]:
    """Name and budget: stated once, then what the ledger says."""
    if account is not None:
        text = "These records are in the ledger: name and budget were set once and stay."
        st.text_input(
            "Name of these data", account.name, disabled=True, help=text, width=180,
            key=f"release_name_known_{number}",
        )  # fmt: skip
        st.text_input(
            "Total budget ε", shown(account.budget), disabled=True, help=text, width=112,
            key=f"release_budget_known_{number}",
        )  # fmt: skip
        return account.name, account.budget
    public = choice.study.sampled
    name = st.text_input(
        "Name of these data",
        f"{choice.study.name} sample" if public else "",
        max_chars=80,
        placeholder="visits 2026",
        key=f"release_name_{number}",
        help="How the ledger calls them. The same records are known again under any name.",
        width=180,
        **KEEP,
    )
    budget = st.number_input(
        "Total budget ε",
        0.0,
        1000.0,
        DEMONSTRATION_BUDGET if public else None,
        step=0.5,
        format="%.6g",
        placeholder="state it",
        key=f"release_budget_{number}",
        help="What all releases of these data together may cost. Set once, with the first one.",
        width=112,
        **KEEP,
    )
    return " ".join(name.split()), decimal(budget) if budget else None


LEARNERS_FIRST = ("equipoise-synthesis", "equipoise-synthesis-zcdp", "privbayes-plus")
"""Methods that learn which are offered before others of their kind."""


def _method(choice: Choice, number: int) -> str:
    """Those that can be released: without a graph, those that learn one."""
    bare = choice.study.graph == "none"
    able = [] if bare else [name for name, method in METHODS.items() if not method.refused]
    start = 0 if bare else able.index(state.load().method)
    able += [name for name in LEARNERS_FIRST if name in LEARNERS]
    able += [name for name in LEARNERS if name not in LEARNERS_FIRST]
    return st.selectbox(
        "Method", able, start, key=f"release_{'learner' if bare else 'method'}_{number}", width=186,
        help="Methods without a guarantee cannot be released. Those from equipoise-synthesis on "
        "learn what depends on what within this release, whatever graph is in use, and pay for it.",
        **KEEP,
    )  # fmt: skip


def _synthetic(method: str, number: int) -> bool:
    """Whether synthetic records are wanted: of a graph alone there are none."""
    if method == STRUCTURE:
        return False
    wish = bool(synthetic_wish(method))
    return st.toggle(
        "Synthetic records too",
        wish,
        key=f"release_{'records_drawn' if wish else 'synthetic'}_{number}",
        help="Drawn from the private model, as many as the noisy tables say there are. Costs no "
        "further budget.",
        **KEEP,
    )


def _deltas(method: str, account: Account | None, number: int) -> tuple[float | None, Fraction]:
    """δ of the release and of all releases, asked for where the method has one."""
    total = DELTA_BUDGET if account is None else account.delta_budget
    if not method_named(method).guarantee.has_delta:
        return None, total
    low, high, start = 1e-12, 0.01, float(DELTA_BUDGET)
    delta = st.number_input(
        "δ of this release", low, high, start, step=1e-7, format="%.3g",
        key=f"release_delta_{number}", width=130, **KEEP,
    )  # fmt: skip
    if account is not None:
        return delta, total
    whole = st.number_input(
        "Total δ", low, high, start, step=1e-7, format="%.3g",
        key=f"release_delta_total_{number}", width=130, **KEEP,
    )  # fmt: skip
    return delta, decimal(whole)


LIMITS = (
    ("Found at 0.1 %", 0.1, 100.0, 100, "%.4g", "Members found, in %, at 0.1 % false alarms."),
    ("Found at 1 %", 0.1, 100.0, 100, "%.4g", "Members found, in %, at 1 % false alarms."),
    ("Found at 10 %", 0.1, 100.0, 100, "%.4g", "Members found, in %, at 10 % false alarms."),
    ("AUC", 0.5, 1.0, 1, "%.3f", "Area under the attacker's curve; 0.5 is guessing."),
)


class Quality(NamedTuple):
    """A limit that is no risk: its name, its scale on screen, bounds there, and words."""

    name: str
    times: int
    low: float
    high: float
    width: int
    label: str
    told: str


ROW = ROW_ALIKE.short.capitalize()
QUALITY = (
    Quality("noise", 100, 0.01, 100.0, 150, "Noise, % of records",
            "Forecast noise of a cell, at most."),
    Quality("row_error", 1, 0.001, 2.0, 150, ROW, "Of a rehearsal on public records, at most."),
    Quality("group", 100, 0.01, 100.0, 190, "Smallest group, % of records",
            "That must still be told."),
    Quality("group_error", 100, 0.1, 1000.0, 190, "Noise, % of such a group",
            "Forecast, at most."),
)  # fmt: skip


def _thresholds(number: int) -> Thresholds:
    base = Thresholds.of(state.load().limits)
    with (
        st.expander("Thresholds: settle them before you look", icon=":material/rule:"),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        values = []
        for (label, low, high, times, form, text), limit in zip(
            LIMITS, state.load().limits, strict=True
        ):
            # the value of Risk, which may have changed since, is part of the widget's name
            typed = st.number_input(
                f"{label}, at most", min(low, limit * times), high, limit * times, format=form,
                help=text, width=150,
                key=f"release_limit_{label}_{limit:g}",
            )  # fmt: skip
            values.append(limit if typed == limit * times else typed / times)
        own = {}
        for one in QUALITY:
            start = one.times * getattr(base, one.name)
            typed = st.number_input(
                one.label, one.low, one.high, start, format="%.4g", width=one.width, help=one.told,
                key=f"release_{one.name}_{number}", **KEEP,
            )  # fmt: skip
            own[one.name] = typed / one.times
    if tuple(values) != state.load().limits:
        state.change(limits=tuple(values))
    return replace(Thresholds.of(values), **own)


def _acceptance(choice: Choice, number: int) -> tuple[Acceptance, str]:
    """Criteria for the model, tested privately once it is drawn, or why they cannot be."""
    with st.expander("Acceptance: what the model must be good for", icon=":material/task_alt:"):
        text = st.text_area(
            f"Criteria, one on a line, at most {MOST}", key=f"release_accept_{number}", height=88,
            placeholder=f"2:{','.join(choice.network.names[:3])}<=0.01", **KEEP,
            help="Tables of one to three of these columns (all: of all), each off by at most that "
            "share of the records. Tested with noise after the model is made.",
        )  # fmt: skip
        epsilon = st.number_input(
            "ε of these tests together", 0.001, 10.0, 0.1, step=0.05, format="%.6g", width=190,
            key=f"release_accept_epsilon_{number}", **KEEP,
            help="On top of the model's ε; charged whatever comes out.",
        )  # fmt: skip
        st.caption("If one fails, nothing is published and all of ε stays spent.")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return NONE, ""
    names = choice.network.names
    try:
        wanted = tuple(read_criterion(line, names) for line in lines)
        acceptance = Acceptance(wanted, decimal(epsilon))
        acceptance.families(choice.network.variables)
    except EquipoiseError as problem:
        return NONE, str(problem)
    return acceptance, ""


def group_key(choice: Choice) -> str:
    """Where the variable is kept by whose states a rehearsal tells who bears the error."""
    return f"release_group_by_{slot(choice)}"
