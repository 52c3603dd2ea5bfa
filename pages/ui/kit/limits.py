"""Bounds of the widgets, in one place for widgets and tests."""

import math

import streamlit as st
from streamlit.elements.widgets.number_input import NumberInputSerde

EPSILON = (0.001, 1000.0)
EPSILON_SLIDER = (0.05, 10.0)
SHARE = (0.01, 0.99)
RATE = (0.01, 1.0)
RECORDS = (50, 1_000_000)
START_RECORDS = 10_000
REPLICATES = (10, 500)
SEED = (0, 999_999)
CURVE_POINTS = 25
ROUGH_POINTS = 5
ROUGH = 10
LARGE_CELLS = 5_000
LARGE_POINTS = 9
LIVE_CELLS = 500_000
FALSE_ALARMS = (0.001, 0.01, 0.05, 0.1)


def upload_megabytes() -> int:
    """Most megabytes of one upload: ``server.maxUploadSize`` in ``.streamlit/config.toml``."""
    return int(st.get_option("server.maxUploadSize"))


_plainly = NumberInputSerde.deserialize


def _finite(self: NumberInputSerde, ui_value: float | None) -> float | None:
    """Streamlit's reading of a number field: infinity is no whole number, and it would fail."""
    finite = ui_value is not None and math.isfinite(ui_value)
    return _plainly(self, ui_value if finite else None)


NumberInputSerde.deserialize = _finite  # type: ignore[method-assign]
