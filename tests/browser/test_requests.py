"""Nothing leaves this machine: every request of every page, with names that ask for more."""

import contextlib
import http.client
import ipaddress
from urllib.parse import urlsplit

import pytest
from streamlit.runtime.memory_media_file_storage import _calculate_file_id

from pages.ui.kit.entries import PAGES
from tests.browser.screen import at_rest
from tests.browser.serving import served
from tests.browser.test_release import files, upload

pytestmark = pytest.mark.browser

AWAY = "http://192.0.2.1"
FIRST = f"![x]({AWAY}/a.png) <img src={AWAY}/b.png>"
SECOND = f"[y]({AWAY}/c) <script src={AWAY}/d.js></script> {AWAY}/e"
STATES = (f"<iframe src={AWAY}/f></iframe>", f"![s]({AWAY}/g.svg)", f'"><link href={AWAY}/h>')
HEADERS = {
    "content-security-policy": "frame-ancestors 'self'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=()",
}


def loopback(url):
    host = urlsplit(url).hostname or ""
    return host == "localhost" or ipaddress.ip_address(host).is_loopback


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("EQUIPOISE_LEDGER", str(tmp_path / "deep" / "ledger.sqlite"))
    with served() as address:
        yield address


def test_no_page_asks_anything_of_anybody_else(open_page, server, tmp_path, record_property):
    screen = open_page(f"{server}/load-data")
    page, asked = screen.page, []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    upload(screen, files(tmp_path, FIRST, SECOND, STATES))
    named = 0
    for entry in PAGES:  # loaded anew: the work comes back
        page.goto(f"{server}/{entry.address}")
        page.locator("[data-testid=stSidebar]").wait_for(state="attached")  # Lessons hides it
        at_rest(page)
        told = page.locator(".stApp").inner_text()
        assert "Something broke here" not in told, entry.address
        named += "192.0.2.1" in told
    assert named, "the upload came back: its names are on show"
    elsewhere = [url for url in asked if not url.startswith(("data:", "blob:")) and
                 not loopback(url)]  # fmt: skip
    record_property("requests", len(asked))
    print(f"{len(asked)} requests on {len(PAGES)} pages, {len(elsewhere)} elsewhere")
    assert len(asked) > 4 * len(PAGES)
    assert not elsewhere
    assert not [url for url in asked if "192.0.2.1" in url]


def test_a_stranger_cannot_ask_whether_somebody_has_a_file(open_page, server, tmp_path):
    """By the name that follows from a file's content the server said whether it is there."""
    screen = open_page(f"{server}/load-data")
    folder = files(tmp_path, "hiv", "drug", ("never", "often"))
    upload(screen, folder).visit("Data").page.locator(".st-key-save_schema").wait_for(
        state="attached"
    )
    name = _calculate_file_id((folder / "schema.json").read_bytes(), "application/json",
                              "schema.json")  # fmt: skip
    asked = http.client.HTTPConnection("127.0.0.1", urlsplit(server).port, timeout=60)
    with contextlib.closing(asked):
        asked.request("GET", f"/media/{name}.json", headers={"Host": "localhost"})
        assert asked.getresponse().status == 404


def test_every_answer_says_what_a_page_may_do(open_page, server):
    page = open_page(f"{server}/load-data").page
    for path in ("/", "/load-data", "/_stcore/health", "/no/such"):
        told = page.request.get(f"{server}{path}").headers
        for name, value in HEADERS.items():
            assert value in told[name], (path, name)


def test_nobody_is_told_how_large_the_files_of_others_are(open_page, server, tmp_path):
    """One record more in somebody's upload was some bytes more in the server's metrics."""
    screen = open_page(f"{server}/load-data")
    upload(screen, files(tmp_path, "smokes", "coughs", ("never", "often")))
    for path in ("/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics?families=x"):
        told = screen.page.request.get(f"{server}{path}")
        assert told.status == 404 and "bytes" not in told.text(), path


def test_a_strange_host_name_gets_no_session(server):
    """DNS rebinding: a page of somebody else's name that leads to this machine."""

    def answer(host):
        """The status of a request for a session under this name."""
        port = urlsplit(server).port
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        told = {
            "Host": f"{host}:{port}", "Origin": f"http://{host}:{port}", "Connection": "Upgrade",
            "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "A" * 22 + "==",
        }  # fmt: skip
        with contextlib.closing(asked):
            asked.request("GET", "/_stcore/stream", headers=told)
            with asked.getresponse() as answered:
                return answered.status

    assert answer("localhost") == 101
    assert answer("rebound.example.org") == 403
