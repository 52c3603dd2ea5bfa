"""One browser, one server and one window for all browser tests of a worker."""

import os

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser.held import GATE
from tests.browser.screen import Screen
from tests.browser.serving import launch, running

FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def browser():
    """A missing browser is a failure where it is required."""
    with sync_playwright() as playwright:
        try:
            started = launch(playwright)
        except Error as problem:
            if os.environ.get("EQUIPOISE_BROWSER") == "required":
                pytest.fail(f"no browser could be started: {problem}")
            pytest.skip("no Chromium on this machine; `make test` installs one")
        yield started
        started.close()


@pytest.fixture(scope="session")
def gate(tmp_path_factory):
    """A file that is not there: see tests/browser/held.py."""
    return tmp_path_factory.mktemp("gate") / "steps"


@pytest.fixture(scope="session")
def address(gate):
    environment = {GATE: str(gate)}
    with running(module="tests.browser.held", environment=environment) as (server, _):
        yield server


@pytest.fixture
def hold(gate):
    """``hold(2)``: every job waits after its second step; ``hold(None)`` lets all go on."""

    def make(steps):
        if steps is None:
            gate.unlink(missing_ok=True)
        else:
            written = gate.with_suffix(".new")
            written.write_text(str(steps))
            written.replace(gate)

    yield make
    make(None)


@pytest.fixture(scope="session")
def windows():
    """The window that tests use one after the other; none after a test that failed in it."""
    return []


@pytest.fixture
def open_page(browser, windows, request):
    """Open an address: in the window that is there, then in others that know nothing of it."""
    windows[:] = windows or [Screen(browser)]
    ready, opened = list(windows), []

    def make(address, **options):
        opened.append(ready.pop() if ready else Screen(browser))
        return opened[-1].open(address, **options)

    yield make
    if request.node.stash.get(FAILED, False):
        windows.clear()
    for screen in opened:
        if screen not in windows:
            screen.context.close()
