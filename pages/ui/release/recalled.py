"""What a steward stated of some data, as plain values for a private file, and into the widgets."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.scenario import RECORD_LIMIT
from pages.ui.release.form import PEOPLE, slot_of
from pages.ui.release.numbers import SIGNED
from pages.ui.release.statements import GRAPHS
from release.review.declared import DECLARATIONS, MOST
from release.review.request import Reason

Plain = str | float | bool | None
Read = Callable[[Plain], Plain]


def _text(most: int) -> Read:
    return lambda value: value if isinstance(value, str) and len(value) <= most else _refuse()


def _number(low: float, high: float, kind: type[int] | type[float] = float) -> Read:
    def read(value: Plain) -> Plain:
        usable = isinstance(value, int | float) and not isinstance(value, bool)
        return kind(value) if usable and low <= value <= high else _refuse()  # type: ignore[arg-type, operator]

    return read


def _one_of(*known: Plain) -> Read:
    return lambda value: value if any(value is k or value == k for k in known) else _refuse()


def _maybe(read: Read) -> Read:
    return lambda value: None if value is None else read(value)


def _refuse() -> Plain:
    raise ValueError


YES = _one_of(True, False)
DELTA = _number(1e-12, 0.01)
WIDGETS: Mapping[str, Read] = {
    "name": _text(80),
    "budget": _maybe(_number(0, 1000)),
    "people": _maybe(_one_of(*PEOPLE)),
    "unit": _text(40),
    "most": _number(1, 10_000, int),
    "records": _maybe(_number(0, RECORD_LIMIT, int)),
    "graph": _maybe(_one_of(*GRAPHS)),
    "graph_epsilon": _number(0.01, 10),
    "domain": YES,
    "method": _one_of(
        *(name for name, method in (METHODS | LEARNERS).items() if not method.refused)
    ),
    "learner": _one_of(*LEARNERS),
    "delta": DELTA,
    "delta_total": DELTA,
    "synthetic": YES,
    "records_drawn": YES,
    "options": YES,
    "noise": _number(0.01, 100),
    "row_error": _number(0.001, 2),
    "group": _number(0.01, 100),
    "group_error": _number(0.1, 1000),
    "accept": _text(2**20),  # the field itself has no limit
    "accept_epsilon": _number(0.001, 10),
    **{f"said_{one.key}": _text(MOST) for one in DECLARATIONS},
}
"""Widgets of Release that state something, and what each takes."""


def stated(fingerprint: str) -> dict[str, Plain]:
    """What is stated of these data, by widget."""
    place = slot_of(fingerprint)
    keys = {name: f"release_{name}_{place}" for name in WIDGETS}
    return {name: st.session_state[key] for name, key in keys.items() if key in st.session_state}


def reasons(fingerprint: str) -> tuple[tuple[str, ...], ...]:
    """The reasons that were written, each as four texts."""
    kept: dict[int, dict[str, Reason]] = st.session_state.get("release_reasons", {})
    written = kept.get(slot_of(fingerprint), {}).values()
    return tuple((r.key, r.text, r.number, r.sentence) for r in written)


def restate(
    fingerprint: str, values: Mapping[str, Plain], written: Sequence[tuple[str, ...]], signed: str
) -> None:
    """Put all of it back; what no widget takes is refused before anything is put anywhere."""
    place, taken = slot_of(fingerprint), {}
    for name, value in values.items():
        try:
            taken[f"release_{name}_{place}"] = WIDGETS[name](value)
        except (KeyError, ValueError):
            raise EquipoiseError(
                f"the statement {name!r} of the saved work is not one that Release takes; choose "
                "the file as it was saved"
            ) from None
    st.session_state.update(taken)
    given = {key: Reason(key, text, number, told) for key, text, number, told in written}
    st.session_state.setdefault("release_reasons", {})[place] = given
    st.session_state[SIGNED] = signed
