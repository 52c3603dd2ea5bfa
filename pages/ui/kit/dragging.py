"""Live sliders: the page answers while the pointer moves, and draws whole when it rests.

Streamlit's own slider answers on release only. This one sends its value while it is dragged, at
most every 70 ms, always the latest; a number input beside it is the bound state.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import streamlit as st

from core.scenario import Scenario
from pages.ui.kit import state
from pages.ui.kit.component import Answers, Component
from pages.ui.kit.messages import KnobMessage

COMPONENT = Component(
    "equipoise_knob", '<div class="knob"></div>', ("dom", "parts", "slider", "knob"), ("knob",)
)


@dataclass(frozen=True)
class Knob:
    """One slider: its scale, what stands beneath it, and how it is read aloud."""

    name: str
    symbol: str
    label: str
    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]
    ends: tuple[str, str]

    def read(self, value: object) -> float | None:
        """The value that the browser sent, or none when it is not a number of the scale."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if self.low <= value <= self.high else None


EPSILON = Knob(
    "epsilon", "ε", "ε total budget", 0.05, 10.0, True,
    (0.05, 0.2, 1.0, 3.0, 10.0), ("more private", "more accurate"),
)  # fmt: skip
SPLIT = Knob(
    "split", "β", "β share of ε for Stage I", 0.01, 0.99, False,
    (0.01, 0.25, 0.5, 0.75, 0.99), ("decide less", "decide more"),
)  # fmt: skip
RATE = Knob(
    "rate", "γ", "γ sampling rate of Stage I", 0.01, 1.0, False,
    (0.01, 0.25, 0.5, 0.75, 1.0), ("small sample", "all records"),
)  # fmt: skip
KNOBS = {knob.name: knob for knob in (EPSILON, SPLIT, RATE)}


def slider(
    knob: Knob,
    value: float,
    *,
    key: str,
    on_change: Callable[[float], None],
    disabled: bool = False,
) -> None:
    """Mount it; ``on_change`` receives each new value before the rerun that it causes.

    ``value`` is where the thumb stands; one outside the scale leaves it at the nearer end.
    """
    data: KnobMessage = {"knob": asdict(knob), "value": value, "disabled": disabled}
    COMPONENT.mount(data, key=key, answers={"value": (knob.read, on_change)})


def read_knob(sent: object) -> tuple[str, float] | None:
    """Which knob is being moved on the page, and to what; none when the browser sent other."""
    match sent:
        case {"knob": str(name), "value": value} if name in KNOBS:
            read = KNOBS[name].read(value)
            return None if read is None else (name, read)
    return None


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


KNOB: Answers = {"knob": (read_knob, moved)}
"""What a sheet answers whose knobs may be dragged."""
