"""Visits: whose work comes back, for how long, and what the cookie is."""

import asyncio

import pytest
from streamlit.runtime import memory_media_file_storage as downloads
from streamlit.runtime.media_file_storage import MediaFileKind

from pages.ui.kit import visits
from pages.ui.kit.visits import COOKIE, HOURS, Greeting, Shelf, genuine, issue

NOBODY = frozenset().__contains__
"""No session has a browser."""


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_token_is_known_by_its_signature_and_never_twice_the_same():
    first, second = issue(), issue()
    assert first != second and genuine(first) and genuine(second)
    number, _, signature = first.partition(".")
    for forged in ("", ".", "x", number, f"{number}.", f"x{first}", f"{first}0", "é.é",
                   f"{second.partition('.')[0]}.{signature}"):  # fmt: skip
        assert not genuine(forged), forged


def test_downloads_are_called_by_names_that_nobody_can_guess(monkeypatch):
    told = "text/csv", MediaFileKind.DOWNLOADABLE, "t.csv"
    first, second = bytes(2**22), bytearray(2**22)
    second[2**19] = 1  # where Streamlit does not look
    guesses = [downloads._calculate_file_id(bytes(d), told[0], told[2]) for d in (first, second)]
    assert guesses[0] == guesses[1]
    monkeypatch.setattr(downloads, "_calculate_file_id", None)  # put back afterwards
    visits.name_downloads()
    kept = downloads.MemoryMediaFileStorage("/media")
    for data in (first, bytes(second)):
        assert kept.get_file(kept.load_and_get_id(data, *told)).content == data
    assert len(kept._files_by_id) == 2 and guesses[0] not in kept._files_by_id
    visits.name_downloads()
    assert kept.load_and_get_id(first, *told) and len(kept._files_by_id) == 3, "another run"


def test_a_token_of_another_run_is_worthless(monkeypatch):
    token = issue()
    monkeypatch.setattr(visits, "_KEY", b"another run of the server")
    assert not genuine(token)
    shelf = Shelf()
    assert not shelf.put(token, "one", {"upload": 1}, 1, NOBODY)
    assert shelf.take(token, NOBODY) is None


def test_work_goes_to_its_own_browser_once_and_only_when_its_session_is_gone():
    shelf, mine, other = Shelf(), issue(), issue()
    assert shelf.put(mine, "one", {"upload": 1}, 1, NOBODY)
    assert shelf.take(other, NOBODY) is None
    assert shelf.take(mine, {"one"}.__contains__) is None
    assert shelf.take(mine, NOBODY) == {"upload": 1}
    assert shelf.take(mine, NOBODY) is None


def test_the_tab_that_was_loaded_again_gets_its_own_work():
    clock, mine = Clock(), issue()
    shelf = Shelf(clock)
    for clock.now, session in ((1.0, "first tab"), (2.0, "second tab")):
        shelf.put(mine, session, {"of": session}, 1, NOBODY)
    assert shelf.take(mine, {"second tab"}.__contains__) == {"of": "first tab"}
    assert shelf.take(mine, NOBODY) == {"of": "second tab"}


def test_work_has_an_end_and_an_open_tab_does_not():
    clock, mine = Clock(), issue()
    shelf = Shelf(clock)
    shelf.put(mine, "closed", {"of": "closed"}, 1, NOBODY)
    shelf.put(mine, "open", {"of": "open"}, 1, NOBODY)
    clock.now = 3600 * HOURS + 1
    assert shelf.take(mine, {"open"}.__contains__) is None
    assert shelf.take(mine, {"closed"}.__contains__) is None  # swept: also the open one by now
    shelf.put(mine, "open", {"of": "open"}, 1, NOBODY)
    shelf.forget(mine, "open")
    assert not shelf.waiting(mine)


@pytest.mark.parametrize(("bound", "value"), [("WORKS", 2), ("LARGEST", 20)])
def test_what_does_not_fit_is_refused_and_nothing_else_goes(monkeypatch, bound, value):
    monkeypatch.setattr(visits, bound, value)
    shelf, mine = Shelf(), issue()
    kept = [shelf.put(mine, str(i), {"of": i}, 10, NOBODY) for i in range(3)]
    assert kept == [True, True, False]
    assert shelf.put(mine, "1", {"of": "again"}, 10, NOBODY)  # in place of its own
    assert shelf.take(mine, {"0"}.__contains__) == {"of": "again"}


def test_looks_are_counted_for_a_browser_and_bounded(monkeypatch):
    monkeypatch.setattr(visits, "LOOKERS", 2)
    shelf = Shelf()
    first, second, third = issue(), issue(), issue()
    shelf.looks(first).setdefault("rows", set()).add("a look")
    assert shelf.looks(second) == {}
    assert shelf.looks(first) == {"rows": {"a look"}}
    shelf.looks(third)  # the longest unused makes room
    assert shelf.looks(first) == {"rows": {"a look"}}


def answered(path, cookie="", scheme="http", kind="http"):
    """Headers of the answer to one request."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    headers = [(b"cookie", f"{COOKIE}={cookie}".encode())] if cookie else []
    scope = {"type": kind, "path": path, "headers": headers, "scheme": scheme}
    asyncio.run(Greeting(app)(scope, None, send))
    return [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]


def test_a_page_brings_a_cookie_that_no_script_and_no_other_site_has():
    (given,) = answered("/load-data")
    name, _, rest = given.partition("=")
    token, *attributes = rest.split("; ")
    assert name == COOKIE and genuine(token)
    assert attributes == ["Path=/", "HttpOnly", "SameSite=Strict"]
    assert answered("/", scheme="https")[0].endswith("; Secure")
    assert answered("/load-data", token) == []
    assert len(answered("/load-data", "chosen.by-someone")) == 1


@pytest.mark.parametrize("path", ["/_stcore/health", "/vendor/plotly.js", "/_stcore/stream"])
def test_nothing_but_a_page_brings_one(path):
    assert answered(path) == []
