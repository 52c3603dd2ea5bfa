"""A knob on its way: what a slider says while it moves and when it rests, kept for the page."""

from __future__ import annotations

import streamlit as st

from core.scenario import Scenario
from pages.ui.kit import state

KEYS = {"epsilon": "eps", "split": "beta", "rate": "gamma"}


def dragged(knob: str, value: float) -> None:
    """A slider moved: the number input, which holds the knob, takes its value."""
    st.session_state[KEYS[knob]] = value


MOVING = "moving"
"""Session key of the knob that is under way, from its first move until it rests."""


def moved(sent: tuple[str, float]) -> None:
    """A knob moves while the page listens."""
    dragged(*sent)
    st.session_state[MOVING] = sent[0]


def moving() -> bool:
    """Whether a knob is on its way: then a rough picture now is better than a whole one late."""
    return MOVING in st.session_state


def rested(knob: str, value: float) -> None:
    """A slider came to rest: everything is drawn whole."""
    dragged(knob, value)
    st.session_state.pop(MOVING, None)


def settle(sent: tuple[str, float]) -> None:
    """A knob on the page itself came to rest: the sidebar and the address follow."""
    rested(*sent)
    state.change(refresh=True)


def knobs(scenario: Scenario) -> dict[str, float]:
    """What the knobs show, by their names in the browser."""
    return {"epsilon": scenario.epsilon, "split": scenario.split, "rate": scenario.rate}
