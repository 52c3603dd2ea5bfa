"""Visits: which work belongs to which browser, in this server's memory and nowhere else.

A browser is known by a cookie: a random number, signed with a key that this run of the server made
and keeps. The cookie is ``HttpOnly`` (no script reads it), ``SameSite=Strict`` (no other site sends
it), never in an address, and worthless after the server stops or the browser closes. What it leads
to is bounded in number, size and time, and never on disk.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import memory_media_file_storage as downloads

COOKIE = "equipoise-visit"
HOURS = 8
"""How long work is kept after its tab was last heard of."""

WORKS = 64
"""Most works of all browsers together."""

LARGEST = 2**31
"""Most bytes of all works together."""

LOOKERS = 10_000
"""Most browsers whose looks are counted."""

_KEY = secrets.token_bytes(32)

Active = Callable[[str], bool]
"""Whether the session of that id has a browser at its other end."""


def issue() -> str:
    """A new token: a random number and its signature."""
    number = secrets.token_hex(24)
    return f"{number}.{_signature(number)}"


def genuine(token: str) -> bool:
    """Whether this run of the server has issued the token."""
    number, _, signature = token.partition(".")
    return token.isascii() and hmac.compare_digest(signature, _signature(number))


def _signature(number: str) -> str:
    return hmac.digest(_KEY, number.encode(), "sha256").hex()


def name_downloads() -> None:
    """Let nobody find another visitor's file; called once, before the first visitor.

    Streamlit calls a download by a digest of what is in it, and hands it to whoever asks by that
    name: a stranger who guesses a small file is told whether somebody has it. Of a large file it
    looks at three pieces: of two that differ elsewhere the first would be handed to both visitors.
    """
    key = secrets.token_bytes(32)

    def name(data: bytes, mimetype: str, filename: str | None = None) -> str:
        digest = hashlib.blake2b(key=key, digest_size=24)
        for part in (mimetype.encode(), (filename or "").encode(), data):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.hexdigest()

    downloads._calculate_file_id = name


@dataclass(frozen=True)
class Work:
    """What a session held, and when it was last heard of."""

    values: Mapping[str, Any]
    size: int
    at: float


class Shelf:
    """Works by browser and session; a work goes to its own browser, once its session is gone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._works: dict[tuple[str, str], Work] = {}
        self._looks: dict[str, dict[str, set[str]]] = {}

    def put(
        self, token: str, session: str, values: Mapping[str, Any], size: int, active: Active
    ) -> bool:
        """Keep this in place of what was kept of the session; false where there is no room."""
        with self._lock:
            self._works.pop((token, session), None)
            self._sweep(active)
            room = LARGEST - sum(work.size for work in self._works.values())
            if len(self._works) >= WORKS or size > room or not genuine(token):
                return False
            self._works[token, session] = Work(values, size, self._clock())
            return True

    def take(self, token: str, active: Active) -> Mapping[str, Any] | None:
        """The newest work of this browser whose session is gone; it is handed out once."""
        with self._lock:
            self._sweep(active)
            mine = [key for key in self._works if key[0] == token and not active(key[1])]
            if not mine or not genuine(token):
                return None
            return self._works.pop(max(mine, key=lambda key: self._works[key].at)).values

    def looks(self, token: str) -> dict[str, set[str]]:
        """Looks at exact rows from this browser, by fingerprint: they outlive what they were at."""
        with self._lock:
            mine = self._looks.pop(token, {})
            while len(self._looks) >= LOOKERS:
                self._looks.pop(next(iter(self._looks)))
            self._looks[token] = mine  # the longest unused goes first
            return mine

    def waiting(self, token: str) -> bool:
        """Whether anything of this browser is kept."""
        with self._lock:
            return any(key[0] == token for key in self._works)

    def forget(self, token: str, session: str) -> None:
        """Let go of what a session held."""
        with self._lock:
            self._works.pop((token, session), None)

    def _sweep(self, active: Active) -> None:
        late = self._clock() - 3600 * HOURS
        for key, work in list(self._works.items()):
            if work.at < late and not active(key[1]):
                del self._works[key]


class Greeting:
    """Gives every browser its cookie with the first page; for ``st.App``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ever; a page for a browser without a genuine cookie brings one."""
        page = scope["type"] == "http" and "." not in scope["path"].rpartition("/")[2]
        if not page or "/_stcore" in scope["path"] or _known(scope):
            await self._app(scope, receive, send)
            return
        secure = "; Secure" if scope.get("scheme") == "https" else ""

        async def greet(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={issue()}; Path=/; HttpOnly; SameSite=Strict{secure}"
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, greet)


def _known(scope: Scope) -> bool:
    return genuine(HTTPConnection(scope).cookies.get(COOKIE, ""))


CONTENT = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' blob:",  # Streamlit's page and components' own code
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)


TELLING = "/_stcore/metrics"
"""Where Streamlit tells whoever asks how many bytes the uploads and downloads of all have."""


class Policy:
    """What a page may load: nothing from elsewhere, whatever a file's text says; for ``st.App``.

    Sizes of what others have brought are told to nobody: one record more is some bytes more.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ever, with a few headers more; what tells of others is not there."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = CONTENT
                headers["referrer-policy"] = "no-referrer"
                headers["x-content-type-options"] = "nosniff"
                headers["cross-origin-opener-policy"] = "same-origin"
                headers["cross-origin-resource-policy"] = "same-origin"
                headers["permissions-policy"] = "camera=(), geolocation=(), microphone=()"
            await send(message)

        telling = scope["path"].rstrip("/").endswith(TELLING)
        nothing = PlainTextResponse("There is no such page.", status_code=404)
        await (nothing if telling else self._app)(scope, receive, guarded)
