"""What ``make app`` runs: the app with its heavy imports done before the first visitor.

Streamlit collects garbage after every rerun. Freezing what the imports left behind keeps those
collections short, and doing it before any session exists keeps sessions collectable.
"""

import contextlib
import gc
from collections.abc import AsyncIterator

import streamlit as st


@contextlib.asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, object]]:
    """Import the engine and the screen, then freeze."""
    import core.experiments  # noqa: F401
    import pages.ui.board  # noqa: F401
    import sources.study  # noqa: F401

    gc.collect()
    gc.freeze()
    yield {}


app = st.App("app.py", lifespan=lifespan)
