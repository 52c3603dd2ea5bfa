"""What ``make app`` runs: the app with its heavy imports done before the first visitor.

Streamlit would collect garbage after every rerun, and look each time at what all visitors hold.
Here it is collected every few seconds for all of them: that is what frees the sessions of those who
left. Freezing what the imports left behind keeps collections short, and doing it before any session
exists keeps sessions collectable.
"""

import asyncio
import contextlib
import ctypes
import gc
from collections.abc import AsyncIterator
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager

from pages.ui.kit import routes, visitors
from pages.ui.kit.entries import PAGES
from pages.ui.kit.visits import Greeting, Policy, name_downloads

TIDY = 10.0
"""Seconds between two looks at who has left: then what they held is collected."""

LONG = 60.0
"""Seconds after which it is collected although nobody left; fifty visitors wait 0.1 s for it."""


def one_arena() -> None:
    """Let all threads take memory from one place: only there glibc gives all of it back."""
    with contextlib.suppress(AttributeError, OSError):  # not glibc
        ctypes.CDLL(None).mallopt(-8, 1)  # M_ARENA_MAX


one_arena()  # before there are threads: what they took a place of is shared by those who come later


def expire() -> None:
    """End sessions whose time is over; Streamlit does so when the next visitor comes, if any."""
    manager = getattr(get_instance(), "_session_mgr", None)
    cache = getattr(getattr(manager, "_session_storage", None), "_cache", None)
    for _, expired in [] if cache is None else cache.expire():
        let_go(expired.session)


def let_go(session: AppSession) -> None:
    """Empty a session: the loop that sends messages holds the last one until another comes."""
    for job in session.session_state.filtered_state.get("jobs", {}).values():
        job.patience = 0.0  # it ends after the step under way, and somebody else computes
    session.shutdown()
    session.session_state.clear()
    session.session_state._new_widget_state.widget_metadata.clear()
    session._fragment_storage.clear()
    session._client_state = ClientState()


def run_whole_first() -> None:
    """Let a page that outlived its server go on: Streamlit drops what a part of it asks for.

    The new server has never run the page, so it does not know the part; the whole page is run.
    """
    rerun = AppSession.request_rerun

    def request_rerun(session: AppSession, client: ClientState | None) -> None:
        if (
            client is not None
            and session._scriptrunner is None
            and not session._client_state.ByteSize()
        ):
            client.fragment_id = ""
        rerun(session, client)

    AppSession.request_rerun = request_rerun  # type: ignore[assignment, method-assign]


def give_back() -> None:
    """Give free memory back to the system, which clears it: records of those who left are in it."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def sessions() -> set[str]:
    """Who is here, connected or expected back."""
    manager: Any = get_instance()._session_mgr
    return {info.session.id for info in manager.list_sessions()}


async def tidy() -> None:
    """Let go of what nobody holds, again and again; with all there it can wait."""
    here: set[str] = set()
    waited = 0.0
    while True:
        await asyncio.sleep(TIDY)
        expire()
        before, here, waited = here, sessions(), waited + TIDY
        if before - here or waited >= LONG:
            gc.collect()
            give_back()
            waited = 0.0


@contextlib.asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, object]]:
    """Import the engine and the screen, then freeze."""
    import core.study.experiments  # noqa: F401
    import pages.ui.explore.page  # noqa: F401
    import release.publish  # noqa: F401
    import sources.study  # noqa: F401

    # uploads stay in memory, as the page says: from 1 MB on they would pass through a file
    MultiPartParser.spool_max_size = st.get_option("server.maxUploadSize") * 2**20
    # app.py names the pages; left to look in pages/ first, Streamlit answers the first visitor's
    # deep link with "Page not found"
    PagesManager.uses_pages_directory = False
    run_whole_first()
    name_downloads()
    routes.begin()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 50, 1_000)  # the oldest are left to tidy()
    tidying = asyncio.create_task(tidy())
    yield {}
    tidying.cancel()


def failed(_: Exception) -> bool:
    """What a visitor sees where we have erred: one sentence, and nothing of the cause."""
    st.error(
        "Something broke here, and nothing was published; reload the page, and if it happens again "
        "tell whoever runs this server, whose log says what it was.",
        icon=":material/error:",
    )
    return True


if closed := visitors.closed_to():
    raise SystemExit(closed)

app = st.App(
    "app.py",
    lifespan=lifespan,
    routes=routes.routes(e.address for e in PAGES),
    middleware=[Middleware(Policy), Middleware(Greeting)],
    on_script_error=failed,
)
