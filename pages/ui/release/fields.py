"""Fields in which a steward states something: drawn on Release, kept in saved work, put back.

Values are kept for each data set apart: other data on show have fields of their own.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.scenario import RECORD_LIMIT
from pages.ui.kit.inputs import Choice
from pages.ui.kit.state import KEEP
from release.ledger.account import NOBODY
from release.review.declared import DECLARATIONS, MOST
from release.review.facts import Stated
from release.review.request import Reason

SIGNED = "release_signed"
"""Session key of the name of who gives the reasons."""

Plain = str | float | bool | None
T = TypeVar("T")


class Between(NamedTuple):
    """Bounds of a number, a whole one where they are; ``empty`` where it may be left out."""

    low: float
    high: float
    empty: bool = False


PEOPLE = {NOBODY: "in no account of this ledger", "named": "in the account of this name"}
GRAPHS: dict[Stated, str] = {
    "known": "known without the records",
    "private": "learned from them, privately",
    "rows": "learned from them, not privately",
}
DELTA = Between(1e-12, 0.01)
YES = (True, False)

TEXTS = {
    "name": 80,
    "unit": 40,
    "accept": 2**20,  # the field itself has no limit
    **{f"said_{one.key}": MOST for one in DECLARATIONS},
}
"""Texts, and how long they may be."""

NUMBERS = {
    "budget": Between(0.0, 1000.0, empty=True),
    "most": Between(1, 10_000),
    "records": Between(0, RECORD_LIMIT, empty=True),
    "graph_epsilon": Between(0.01, 10.0),
    "delta": DELTA,
    "delta_total": DELTA,
    "noise": Between(0.01, 100.0),
    "row_error": Between(0.001, 2.0),
    "group": Between(0.01, 100.0),
    "group_error": Between(0.1, 1000.0),
    "accept_epsilon": Between(0.001, 10.0),
}
CHOICES: Mapping[str, Collection[Plain]] = {
    "people": (None, *PEOPLE),
    "graph": (None, *GRAPHS),
    "domain": YES,
    "method": [name for name, method in (METHODS | LEARNERS).items() if not method.refused],
    "learner": tuple(LEARNERS),
    "synthetic": YES,
    "records_drawn": YES,
    "options": YES,
}


def slot(choice: Choice) -> int:
    """A number for the data on show: fields of other data keep their own values."""
    return slot_of(choice.study.fingerprint)


def slot_of(fingerprint: str) -> int:
    """A number for data of that fingerprint."""
    seen: dict[str, int] = st.session_state.setdefault("release_slots", {})
    return seen.setdefault(fingerprint, len(seen))


def key_of(name: str, number: int) -> str:
    """Session key of a field of the data with that number."""
    return f"release_{name}_{number}"


def text(name: str, number: int, label: str, start: str = "", **more: Any) -> str:  # noqa: ANN401
    """Draw a text; what it says, without needless space."""
    key = key_of(name, number)
    said = st.text_input(label, start, max_chars=TEXTS[name], key=key, **KEEP, **more)
    return " ".join(said.split())


def amount(name: str, number: int, label: str, start: float | None, **more: Any) -> Any:  # noqa: ANN401
    """Draw a number; what it says, none where it is left out."""
    low, high, _ = NUMBERS[name]
    return st.number_input(label, low, high, start, key=key_of(name, number), **KEEP, **more)


def one_of(
    name: str, number: int, label: str, words: Mapping[T, str], **more: Any  # noqa: ANN401
) -> T | None:  # fmt: skip
    """Draw a choice in words; none before it is made."""
    said: T | None = st.selectbox(
        label, list(words), None, format_func=words.__getitem__, placeholder="state it",
        key=key_of(name, number), **KEEP, **more,
    )  # fmt: skip
    return said


def _read(name: str, value: Plain) -> Plain:
    """A value of a saved file, as the field takes it."""
    if isinstance(value, str) and len(value) <= TEXTS.get(name, -1):
        return value
    if value in CHOICES.get(name, ()):
        return value
    if name in NUMBERS:
        low, high, empty = NUMBERS[name]
        if value is None and empty:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return type(low)(value)
    raise EquipoiseError(
        f"the statement {name!r} of the saved work is not one that Release takes; choose the file "
        "as it was saved"
    )


def stated(fingerprint: str) -> dict[str, Plain]:
    """What is stated of these data, by field."""
    place, names = slot_of(fingerprint), (*TEXTS, *NUMBERS, *CHOICES)
    keys = {name: key_of(name, place) for name in names}
    return {name: st.session_state[key] for name, key in keys.items() if key in st.session_state}


def reasons(fingerprint: str) -> dict[str, Reason]:
    """Reasons written for these data, by line of the checklist."""
    kept: dict[int, dict[str, Reason]] = st.session_state.setdefault("release_reasons", {})
    return kept.setdefault(slot_of(fingerprint), {})


def restate(
    fingerprint: str, values: Mapping[str, Plain], written: Sequence[tuple[str, ...]], signed: str
) -> None:
    """Put all of it back; what no field takes is refused before anything is put anywhere."""
    place = slot_of(fingerprint)
    taken = {key_of(name, place): _read(name, value) for name, value in values.items()}
    st.session_state.update(taken)
    given = {key: Reason(key, text, number, told) for key, text, number, told in written}
    st.session_state.setdefault("release_reasons", {})[place] = given
    st.session_state[SIGNED] = signed
