"""What ``make app`` runs: the app with its heavy imports done before the first visitor.

Streamlit would collect garbage after every rerun, and look each time at what all visitors hold.
Here it is collected every few seconds for all of them: that is what frees the sessions of those who
left. Freezing what the imports left behind keeps collections short, and doing it before any session
exists keeps sessions collectable.
"""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.pages_manager import PagesManager

from pages.ui.kit import routes
from pages.ui.kit.entries import PAGES
from pages.ui.kit.policy import Policy
from pages.ui.kit.visits import Greeting

TIDY = 10.0
"""Seconds between two collections."""


async def tidy() -> None:
    """Let go of what nobody holds, again and again."""
    while True:
        await asyncio.sleep(TIDY)
        gc.collect()


@contextlib.asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, object]]:
    """Import the engine and the screen, then freeze."""
    import core.study.experiments  # noqa: F401
    import pages.ui.explore.page  # noqa: F401
    import release.publish  # noqa: F401
    import sources.study  # noqa: F401

    # app.py names the pages; left to look in pages/ first, Streamlit answers the first visitor's
    # deep link with "Page not found"
    PagesManager.uses_pages_directory = False
    routes.begin()
    gc.collect()
    gc.freeze()
    tidying = asyncio.create_task(tidy())
    yield {}
    tidying.cancel()


app = st.App(
    "app.py",
    lifespan=lifespan,
    routes=routes.routes(e.address for e in PAGES),
    middleware=[Middleware(Policy), Middleware(Greeting)],
)
