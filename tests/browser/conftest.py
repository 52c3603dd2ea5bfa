"""One browser for all browser tests; a missing one is a failure where it is required."""

import os

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser.serving import launch, served


@pytest.fixture(scope="session")
def browser():
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
def address():
    with served() as found:
        yield found


class Page:
    """A page with what went wrong on it."""

    def __init__(self, browser, width=1440, scheme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        self.page = self.context.new_page()
        self.problems, self.outside = [], []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda e: self.problems.append(str(e)))
        self.page.on("dialog", lambda d: (self.problems.append(f"dialog {d.message}"), d.dismiss()))
        self.page.on("request", self._note)

    def _hear(self, message):
        if message.type == "error":
            self.problems.append(f"{message.text} {message.location.get('url', '')}")

    def _note(self, request):
        if not request.url.startswith(("http://localhost", "ws://localhost", "data:", "blob:")):
            self.outside.append(request.url)

    def open(self, address):
        self.page.goto(address)
        return self

    def painted(self, epsilon=None):
        """Wait until the board shows this ε."""
        shown = ":not([data-painted='0'])" if epsilon is None else f"[data-epsilon='{epsilon}']"
        self.page.wait_for_selector(f".board{shown}", timeout=30_000)
        return self

    @property
    def epsilon(self):
        return float(self.page.locator(".board").get_attribute("data-epsilon"))

    def text(self, selector):
        return self.page.locator(selector).locator("visible=true").first.inner_text()


@pytest.fixture
def open_page(browser):
    opened = []

    def make(address, **options):
        page = Page(browser, **options)
        opened.append(page)
        return page.open(address)

    yield make
    for page in opened:
        page.context.close()
