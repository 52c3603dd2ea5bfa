"""How far an axis runs: where the values lie, with a little air."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.table import Array

Scale = Literal["log", "linear", "share"]
SPAN = 1e4
"""Largest over smallest value that a logarithmic axis shows: what is next to nothing would stretch
it until nothing else can be told apart."""


def value_limits(drawn: Sequence[Array], scale: Scale) -> tuple[float, float] | None:
    """The ends of the vertical axis; none where a logarithmic one has nothing above zero."""
    if scale == "share":
        return (-0.02, 1.02)
    known = np.concatenate([np.ravel(values) for values in drawn])
    known = known[np.isfinite(known) & ((known > 0) | (scale == "linear"))]
    if not known.size:
        return None
    low, high = float(known.min()), float(known.max())
    if scale == "linear":
        air = 0.06 * (high - low) or 0.5
        return low - air, high + air
    low = max(low, high / SPAN)
    air = max((high / low) ** 0.06, 1.1)
    return low / air, high * air
