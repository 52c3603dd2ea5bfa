"""Explore: budget, error and risk of one release on one screen."""

import streamlit as st

from pages.ui.explore.page import replies, sheet, shown_whole
from pages.ui.kit import inputs, state
from pages.ui.kit.acting import live
from pages.ui.kit.jobs import one_by_one


def draw(choice: inputs.Choice, session: state.Session) -> None:
    """The sheet; then a knob that rests at this choice has nothing more to wait for."""
    with one_by_one():
        sheet(choice, session).mount(key="board", answers=replies(choice.network))
    st.session_state[inputs.ANSWERED] = choice if shown_whole(choice) else None


live(draw)
