"""What the steward states on Release: name, budget, unit, records, method, thresholds."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS, method_named
from core.options import PLAIN, Options
from core.privbayes.learners import STRUCTURE
from core.study.quantities import ROW_ALIKE
from pages.ui.kit import state
from pages.ui.kit.inputs import Choice
from pages.ui.kit.state import KEEP
from pages.ui.release.fields import PEOPLE, amount, key_of, one_of, slot, text
from pages.ui.release.place import Looked
from pages.ui.release.statements import declarations, statements
from release.acceptance import MOST, NONE, Acceptance, read_criterion
from release.ledger.account import NOBODY, Account
from release.ledger.people import RECOGNISED
from release.ledger.spending import DELTA_BUDGET, shown
from release.order import AS_MEASURED, synthetic_wish
from release.rationals import decimal
from release.review.request import Request
from release.review.thresholds import Thresholds
from sources.study import without_graph

DEMONSTRATION_BUDGET = 4.0


def asked(choice: Choice, looked: Looked) -> tuple[Request, str]:
    """Draw the widgets; what they order, and why its criteria cannot be tested.

    A method that learns its graph is given none, as in a shell. Where people in new data may be in
    other accounts, ``people`` says in which, or in none.
    """
    number, account = slot(choice), looked.account
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="stated"):
        name, budget = _account(choice, account, number)
        people = _people(name, number) if looked.others else ""
        method = _method(choice, number)
        learns = method_named(method).learns
        said = statements(choice, number, account, learns=learns)
        delta, delta_budget = _deltas(method, account, number)
        synthetic = _synthetic(method, number)
        options = PLAIN if learns else _options(choice, number)
    said = replace(said, declared=declarations(number))
    thresholds = _thresholds(number)
    acceptance, refused = (NONE, "") if method == STRUCTURE else _acceptance(choice, number)
    options = options if delta is None else replace(options, delta=delta)
    request = Request(
        study=without_graph(choice.study) if learns else choice.study,
        network=None if learns else choice.network,
        method=method,
        scenario=replace(choice.scenario, options=options),
        statements=said,
        thresholds=thresholds,
        name=name,
        people=people,
        budget=budget if people in ("", NOBODY) else None,  # that account has its own
        delta_budget=delta_budget,
        synthetic=AS_MEASURED if synthetic else 0,
        acceptance=acceptance,
        group_by="" if learns else st.session_state.get(key_of("group_by", number)) or "",
    )
    return request, refused


def _people(name: str, number: int) -> str:
    """Whose records these are: the ledger knows data again, not people."""
    said = one_of("people", number, "Their people are", PEOPLE, width=232, help=f"{RECOGNISED}.")
    return name if said == "named" else said or ""


def _options(choice: Choice, number: int) -> Options:
    """Prior, locks and weights set on Allocate, where the steward wants them."""
    options = choice.scenario.options
    if options == PLAIN:
        return PLAIN
    use = st.toggle(
        "Locks and weights of Allocate", key=key_of("options", number),
        help="They must come from knowledge outside the rows.", **KEEP,
    )  # fmt: skip
    return options if use else PLAIN


def _account(choice: Choice, account: Account | None, number: int) -> tuple[str, Fraction | None]:
    """Name and budget: stated once, then what the ledger says."""
    names, budgets = "Name of these data", "Total budget ε"
    if account is not None:
        told = "These records are in the ledger: name and budget were set once and stay."
        st.text_input(names, account.name, disabled=True, help=told, width=180,
                      key=key_of("name_known", number))  # fmt: skip
        st.text_input(budgets, shown(account.budget), disabled=True, help=told, width=112,
                      key=key_of("budget_known", number))  # fmt: skip
        return account.name, account.budget
    public = choice.study.sampled
    name = text(
        "name", number, names, f"{choice.study.name} sample" if public else "",
        placeholder="visits 2026", width=180,
        help="How the ledger calls them. The same records are known again under any name.",
    )  # fmt: skip
    budget = amount(
        "budget", number, budgets, DEMONSTRATION_BUDGET if public else None, step=0.5,
        format="%.6g", placeholder="state it", width=112,
        help="What all releases of these data together may cost. Set once, with the first one.",
    )  # fmt: skip
    return name, decimal(budget) if budget else None


LEARNERS_FIRST = ("equipoise-synthesis", "equipoise-synthesis-zcdp", "privbayes-plus")
"""Methods that learn which are offered before others of their kind."""


def _method(choice: Choice, number: int) -> str:
    """Those that can be released: without a graph, those that learn one."""
    bare = choice.study.graph == "none"
    able = [] if bare else [name for name, method in METHODS.items() if not method.refused]
    start = 0 if bare else able.index(state.load().method)
    able += [*LEARNERS_FIRST, *(name for name in LEARNERS if name not in LEARNERS_FIRST)]
    return st.selectbox(
        "Method", able, start, key=key_of("learner" if bare else "method", number), width=186,
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
        "Synthetic records too", wish, key=key_of("records_drawn" if wish else "synthetic", number),
        help="Drawn from the private model, as many as the noisy tables say there are. Costs no "
        "further budget.", **KEEP,
    )  # fmt: skip


def _deltas(method: str, account: Account | None, number: int) -> tuple[float | None, Fraction]:
    """δ of the release and of all releases, asked for where the method has one."""
    total = DELTA_BUDGET if account is None else account.delta_budget
    if not method_named(method).guarantee.has_delta:
        return None, total
    start, more = float(DELTA_BUDGET), {"step": 1e-7, "format": "%.3g", "width": 130}
    delta = amount("delta", number, "δ of this release", start, **more)
    if account is not None:
        return delta, total
    return delta, decimal(amount("delta_total", number, "Total δ", start, **more))


LIMITS = (
    ("Found at 0.1 %", 0.1, 100.0, 100, "%.4g", "Members found, in %, at 0.1 % false alarms."),
    ("Found at 1 %", 0.1, 100.0, 100, "%.4g", "Members found, in %, at 1 % false alarms."),
    ("Found at 10 %", 0.1, 100.0, 100, "%.4g", "Members found, in %, at 10 % false alarms."),
    ("AUC", 0.5, 1.0, 1, "%.3f", "Area under the attacker's curve; 0.5 is guessing."),
)


class Quality(NamedTuple):
    """A limit that is no risk: its name, its scale on screen, and words."""

    name: str
    times: int
    width: int
    label: str
    told: str


QUALITY = (
    Quality("noise", 100, 150, "Noise, % of records", "Forecast noise of a cell, at most."),
    Quality("row_error", 1, 150, ROW_ALIKE.short.capitalize(),
            "Of a rehearsal on public records, at most."),
    Quality("group", 100, 190, "Smallest group, % of records", "That must still be told."),
    Quality("group_error", 100, 190, "Noise, % of such a group", "Forecast, at most."),
)  # fmt: skip


def _thresholds(number: int) -> Thresholds:
    base = Thresholds.of(state.load().limits)
    with (
        st.expander("Thresholds: settle them before you look", icon=":material/rule:"),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        values = []
        for (label, low, high, times, form, told), limit in zip(
            LIMITS, state.load().limits, strict=True
        ):
            # the value of Risk, which may have changed since, is part of the widget's name
            typed = st.number_input(
                f"{label}, at most", min(low, limit * times), high, limit * times, format=form,
                help=told, width=150,
                key=f"release_limit_{label}_{limit:g}",
            )  # fmt: skip
            values.append(limit if typed == limit * times else typed / times)
        own = {}
        for one in QUALITY:
            start = one.times * getattr(base, one.name)
            typed = amount(one.name, number, one.label, start, format="%.4g", width=one.width,
                           help=one.told)  # fmt: skip
            own[one.name] = typed / one.times
    if tuple(values) != state.load().limits:
        state.change(limits=tuple(values))
    return replace(Thresholds.of(values), **own)


def _acceptance(choice: Choice, number: int) -> tuple[Acceptance, str]:
    """Criteria for the model, tested privately once it is drawn, or why they cannot be."""
    with st.expander("Acceptance: what the model must be good for", icon=":material/task_alt:"):
        written = st.text_area(
            f"Criteria, one on a line, at most {MOST}", key=key_of("accept", number), height=88,
            placeholder=f"2:{','.join(choice.network.names[:3])}<=0.01", **KEEP,
            help="Tables of one to three of these columns (all: of all), each off by at most that "
            "share of the records. Tested with noise after the model is made.",
        )  # fmt: skip
        epsilon = amount(
            "accept_epsilon", number, "ε of these tests together", 0.1, step=0.05, format="%.6g",
            width=190, help="On top of the model's ε; charged whatever comes out.",
        )  # fmt: skip
        st.caption("If one fails, nothing is published and all of ε stays spent.")
    lines = [line for line in written.splitlines() if line.strip()]
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
