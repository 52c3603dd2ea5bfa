"""Attackers against thresholds: what is guaranteed, estimated or measured to stay below them.

Each threshold has a number input; one that cannot be is refused with a sentence.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.errors import EquipoiseError
from core.membership.outcomes import AttackResult
from core.study.exposure import Exposure
from pages.ui.kit import state, words
from pages.ui.kit.inputs import Choice, command
from pages.ui.kit.markdown import refuse
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Words, table_view
from pages.ui.risk import numbers
from pages.ui.risk import sentences as say
from pages.ui.risk.numbers import MEASURED, POOLS, REVIEWED, Results

HEADS = (
    "Found at 0.1 % false alarms",
    "Found at 1 % false alarms",
    "Found at 10 % false alarms",
    "AUC",
)
SHORT = ("at 0.1 %", "at 1 %", "at 10 %", "AUC")
KEY = "risk_limit_{}"


def is_share(place: int) -> bool:
    """Whether that threshold is a share of the members, typed in per cent; the last is an AUC."""
    return place < len(HEADS) - 1


def typed(value: float, place: int) -> float:
    """A threshold as it is typed."""
    return float(f"{100 * value:.6g}") if is_share(place) else value


def told(value: float, place: int) -> str:
    """A threshold as it is read."""
    return f"{typed(value, place):g} %" if is_share(place) else f"{value:.2f}"


def with_threshold(limits: tuple[float, ...], place: int, asked: float) -> tuple[float, ...]:
    """The thresholds with one changed; one that makes no sense raises and the old one holds."""
    low, high, unit = (0.0, 100.0, " %") if is_share(place) else (0.5, 1.0, "")
    above = low < asked if is_share(place) else low <= asked
    if not (math.isfinite(asked) and above and asked <= high):
        bound = "above 0" if is_share(place) else "at least 0.5"
        raise EquipoiseError(
            f"A threshold of {asked:g}{unit} for “{HEADS[place]}” cannot be; give one {bound} and "
            f"at most {high:g}{unit}. {told(limits[place], place)} still holds."
        )
    value = asked / 100 if is_share(place) else asked
    return (*limits[:place], value, *limits[place + 1 :])


def inputs(session: state.Session) -> None:
    """Four inputs in a row, each set to the threshold that holds."""
    columns = st.columns(len(HEADS), vertical_alignment="bottom")
    for place, column in enumerate(columns):
        key, value = KEY.format(place), typed(session.limits[place], place)
        if st.session_state.get(key) != value:  # a field that is being typed in is left alone
            st.session_state[key] = value
        unit = ", %" if is_share(place) else ""
        column.number_input(
            f"{HEADS[place]}, at most{unit}",
            step=0.1 if is_share(place) else 0.01,
            format="%.4g",
            key=key,
            on_change=_set,
            args=(place,),
        )
    if session.refused:
        refuse(session.refused)


def _set(place: int) -> None:
    session = state.load()
    try:
        limits = with_threshold(session.limits, place, st.session_state[KEY.format(place)])
    except EquipoiseError as problem:
        state.change(refused=str(problem))
        return
    state.change(limits=limits, refused="")


KINDS = {
    "guarantee": "━\u00a0guarantee",
    "asymptotic": "╌\u00a0asymptotic",
    "heuristic": "┈\u00a0heuristic",
    "measured": "○\u00a0measured",
}
"""Kind of claim -> its line in the chart, and its word."""

PUBLISHED = {"release": "this release", "exact": "exact conditionals"}


@dataclass(frozen=True)
class Cell:
    """A number against its threshold; ``half`` is half of a measured interval."""

    value: float
    limit: float
    half: float | None = None

    @property
    def passes(self) -> bool:
        """At its threshold it still does."""
        return self.value <= self.limit


@dataclass(frozen=True)
class Row:
    """One attacker: who it is, what its numbers are and what kind of claim they make."""

    key: str
    about: str
    claim: str
    attacker: str
    estimate: str
    cells: tuple[Cell, ...]


def rows(exposure: Exposure, results: Results, session: state.Session) -> list[Row]:
    """Everyone on this release, then everyone on the exact conditionals."""
    listed = []
    for curve in exposure.curves:
        values = [*curve.powers(np.array(REVIEWED)).tolist(), curve.auc]
        cells = tuple(map(Cell, values, session.limits))
        texts = (curve.key, curve.about, curve.claim, curve.attacker, curve.estimate)
        listed.append(Row(*texts, cells))
    own, exact = numbers.measured(results, session.method)
    for ran, about, attacker, estimate in (
        (own, "release", "Knows population and noise", "noise-aware attack"),
        (exact, "exact", "Knows the population", "likelihood ratio"),
        (results.get("smoothed"), "exact", "Knows the population", "smoothed release, naive"),
    ):
        if ran is not None:
            spans = [*(ran.powers[MEASURED.index(a)] for a in REVIEWED), ran.auc]
            cells = tuple(
                Cell(s.mean, limit, (s.high - s.low) / 2)
                for s, limit in zip(spans, session.limits, strict=True)
            )
            pools = f"{estimate}, {ran.pools} pools"
            listed.append(Row(ran.attack.release, about, "measured", attacker, pools, cells))
    return sorted(listed, key=lambda row: row.about != "release")


def broken(listed: Sequence[Row]) -> int:
    """Thresholds that any of the rows exceeds."""
    return sum(any(not r.cells[j].passes for r in listed) for j in range(len(HEADS)))


def view(choice: Choice, session: state.Session, results: Results, listed: Sequence[Row]) -> View:
    """The table as reviewers read it; a tick is kept for what is guaranteed."""
    own, exact = numbers.measured(results, session.method)
    sentences = [say.attack_sentence(r) for r in (own, exact) if r is not None]
    texts = Words(
        title="Attackers against thresholds",
        subtitle="✓ guaranteed not to exceed the threshold. ○ estimated or measured below it, no "
        "guarantee. ▲ above it.",
        caption=" ".join([*sentences, say.support_sentence(exact)]).strip(),
        alt="Attackers against the thresholds set by the steward.",
        details={
            "Reading": "A number passes when it is at most its threshold. Measured intervals: "
            "Clopper-Pearson for shares, the threshold's own error counted in, and Student's t "
            "over pools for the AUC.",
            "Smoothed": "A Dirichlet prior looks safer to a naive attack and is not: the prior is "
            "known and can be inverted.",
            "Stronger attacks": "On a release that fits badly the likelihood ratio is not the "
            "strongest attack; one whitened with the population's covariance comes closer to the "
            "bound. Appendix J below shows it.",
            "Command line": _command(choice, session, own or exact),
        },
        file="equipoise-study-thresholds.csv",
    )
    shown: dict[str, Sequence[object]] = {
        "Published": [PUBLISHED[r.about] for r in listed],
        "Attacker": [r.attacker for r in listed],
        "Estimate": [r.estimate for r in listed],
        "Kind": [KINDS[r.claim] for r in listed],
    }
    for place, head in enumerate(HEADS):
        limit = told(session.limits[place], place)
        shown[f"{head}, at most {limit}"] = [_said(r, place) for r in listed]
    return table_view("review", texts, shown, _kept(choice, session, listed))


def _said(row: Row, place: int) -> str:
    """A sign, the number, and how it stands to its threshold in a word."""
    cell = row.cells[place]
    value = words.share(cell.value) if is_share(place) else f"{cell.value:.3f}"
    if cell.half is not None:
        half = words.of_hundred(cell.half) if is_share(place) else f"{cell.half:.3f}"
        value = f"{value} ± {half}"
    held = "✓", "holds"
    below = held if row.claim == "guarantee" else ("○", "below")
    sign, word = below if cell.passes else ("▲", "above")
    number = f"{sign} {value}".replace(" ", "\u00a0")
    return f"{number} {word}"


def _kept(
    choice: Choice, session: state.Session, listed: Sequence[Row]
) -> dict[str, Sequence[object]]:
    """The same as a file: the thresholds first, every number with its half interval and verdict."""
    own = f"This release, ε = {choice.scenario.epsilon:g}"
    title = {"release": own, "exact": "Exact conditionals, for comparison"}
    kept: dict[str, Sequence[object]] = {
        "published": ["", *(title[r.about] for r in listed)],
        "attacker": ["thresholds", *(r.attacker for r in listed)],
        "estimate": ["", *(r.estimate for r in listed)],
        "kind": ["", *(r.claim for r in listed)],
    }
    for place, head in enumerate(HEADS):
        cells = [r.cells[place] for r in listed]
        kept[head] = [session.limits[place], *(c.value for c in cells)]
        kept[f"plus or minus, {SHORT[place]}"] = ["", *(c.half for c in cells)]
        verdicts = ("passes" if c.passes else "fails" for c in cells)
        kept[f"verdict, {SHORT[place]}"] = ["", *verdicts]
    return kept


def _command(choice: Choice, session: state.Session, ran: AttackResult | None) -> str:
    """With the pools' size and number: the shell's own are others where records are uploaded."""
    pools = POOLS[0] if ran is None else ran.pools
    size = numbers.pool_size(choice.study)
    drawn = choice.study.population is not None and not choice.edited
    asked = "" if drawn and size == choice.study.records else f" --records {size}"
    return command("attack", choice, f"--method {session.method}{asked} --pools {pools}")
