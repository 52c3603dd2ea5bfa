"""What the server hands out beside the pages: plotly.js and our own modules, each under its digest.

plotly.js is the file inside the plotly package; nothing is vendored and nothing comes from outside.
A digest in the path means that a browser may keep a file for good. ``streamlit run app.py`` and
AppTest have no routes: there figures go through ``st.plotly_chart``.
"""

import functools
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
INDEX = Path(st.__file__).parent / "static" / "index.html"
KEEP = {"cache-control": "public,max-age=31536000,immutable"}
_served: dict[str, str] = {}
"""Path -> text of every module that the server hands out; empty where it has no routes."""

_open = False


def begin() -> None:
    """The server has the routes below; called once, before the first visitor."""
    global _open
    _open = True


def served() -> bool:
    """Whether this process hands out files beside the pages."""
    return _open


@functools.cache
def plotly_path() -> str:
    """Where plotly.js is."""
    return f"/vendor/plotly.{_digest(PLOTLY.read_bytes())}.js"


def offer(name: str, text: str) -> str:
    """The path under which a module is handed out from now on."""
    path = f"/vendor/{name}.{_digest(text.encode())}.js"
    _served[path] = text
    return path


def from_root(path: str) -> str:
    """The path as a browser asks for it, where the app lives below another address."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}{path}" if base else path


def routes(addresses: Iterable[str] = ()) -> list[Route]:
    """For ``st.App``; ``addresses`` are those of the pages."""
    pages = [Route(f"/{address}", _page) for address in addresses]
    return [Route("/vendor/{file}", _hand_out), *pages]


async def _page(_: Request) -> Response:
    """Streamlit's page, told where the server is.

    Left to find out, it first asks below the page's own address, twice, and is answered 404.
    """
    root = json.dumps(from_root("/"))
    told = f"<script>window.__streamlit={{BACKEND_BASE_URL:location.origin+{root}}}</script>"
    text = INDEX.read_text(encoding="utf-8").replace("<head>", f"<head>{told}", 1)
    return Response(text, media_type="text/html", headers={"cache-control": "no-cache"})


async def _hand_out(request: Request) -> Response:
    path = f"/vendor/{request.path_params['file']}"
    if path == plotly_path():
        return FileResponse(PLOTLY, media_type="text/javascript", headers=KEEP)
    text = _served.get(path)
    if text is None:
        return Response("There is no such file.", status_code=404, media_type="text/plain")
    return Response(text, media_type="text/javascript", headers=KEEP)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
