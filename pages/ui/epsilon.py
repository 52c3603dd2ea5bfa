"""The live ε slider: repaints the board while the pointer moves.

Streamlit's own slider answers on release only. This one sends its value while it is dragged, at
most every 70 ms, always the latest; the page keeps a number input as the bound state.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from pages.ui.component import Component

LOW, HIGH = 0.05, 10.0
TICKS = (0.05, 0.2, 1.0, 3.0, 10.0)
COMPONENT = Component(
    "equipoise_epsilon", '<div class="epsilon"></div>', ("epsilon",), ("epsilon",), ".epsilon"
)


def epsilon_slider(value: float, *, key: str, on_change: Callable[[float], None]) -> None:
    """Mount the slider; ``on_change`` receives each new ε before the rerun it causes.

    ``value`` is where the thumb stands; one outside the scale leaves it at the nearer end.
    """
    data = {"value": value, "low": LOW, "high": HIGH, "ticks": TICKS}
    COMPONENT.mount(data, key=key, answers={"epsilon": (read_epsilon, on_change)})


def read_epsilon(value: object) -> float | None:
    """The ε the browser sent, or none when it is not a number of the scale."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if LOW <= value <= HIGH else None
