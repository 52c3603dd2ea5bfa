"""Bounds of the widgets, in one place for widgets and tests."""

import streamlit as st

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
