"""The thresholds of the review board: one number input each, refused with a sentence."""

from __future__ import annotations

import math

import streamlit as st

from core.errors import EquipoiseError
from pages.ui.kit import state
from pages.ui.kit.markdown import refuse

HEADS = (
    "Found at 0.1 % false alarms",
    "Found at 1 % false alarms",
    "Found at 10 % false alarms",
    "AUC",
)
SHORT = ("at 0.1 %", "at 1 %", "at 10 %", "AUC")


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


def show(session: state.Session) -> None:
    """Four inputs in a row, each set to the threshold that holds."""
    columns = st.columns(len(HEADS), vertical_alignment="bottom")
    for place, column in enumerate(columns):
        key, value = _key(place), typed(session.limits[place], place)
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
    """One was typed: it holds from now on, or is refused and the old one comes back."""
    session = state.load()
    try:
        limits = with_threshold(session.limits, place, st.session_state[_key(place)])
    except EquipoiseError as problem:
        state.change(refused=str(problem))
        return
    state.change(limits=limits, refused="")


def _key(place: int) -> str:
    return f"risk_limit_{place}"
