"""A browser's window with what went wrong in it, and one deadline for whatever is waited for."""

import time

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from pages.ui.kit.entries import PAGES

DEADLINE = 120_000
"""Milliseconds for anything that is waited for: a loaded machine is slow, not wrong."""

MORE, LESS = 1.11, 0.897
"""Where one press of an arrow takes the ε slider from 1."""

SIZES = ((1440,), (800, 400))
"""Widths that one loaded page is looked at in; a narrow one starts without the sidebar."""

SHOWS = "([key, value]) => new URL(location.href).searchParams.get(key) === value"
LOCAL = ("http://localhost", "ws://localhost", "data:", "blob:")
AT_REST = """() => document.querySelector(".stApp")?.dataset.testScriptState === "notRunning"
  && document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]') === null"""
LEFT = "(before) => location.pathname !== before"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
RIGHT = "(all) => Math.max(...all.map((t) => t.getBoundingClientRect().right))"
GROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"

expect.set_options(timeout=DEADLINE)


def until(page, holds):
    """Come back once it holds; every look asks afresh, so that a passing value does no harm."""
    end = time.monotonic() + DEADLINE / 1000
    while not holds():
        assert time.monotonic() < end, "it did not come to hold"
        page.wait_for_timeout(50)


def at_rest(page):
    """Wait until nothing is being computed and nothing stands in for what is still to come."""
    page.wait_for_function(AT_REST)


def use_data(page):
    """Take what *Data* shows: while it is drawn anew, its button takes what was there before."""
    at_rest(page)
    page.get_by_role("button", name="Use this data").click()


def pick(page, key, choice):
    """Choose one of several; a page that is drawn anew under the pointer loses a click."""
    option = page.locator(f".st-key-{key}").get_by_role("radio", name=choice, exact=True)

    def chosen():
        at_rest(page)
        if option.get_attribute("aria-checked") != "true":
            option.click()
            return False
        return True

    until(page, chosen)


def take(page, box, choice, typed=""):
    """Take one of a list; a list that is open while the page is drawn anew closes again."""
    option = page.get_by_role("option", name=choice, exact=not typed).first

    def taken():
        at_rest(page)
        box.click()
        if typed:
            box.fill(typed)
        try:
            option.click(timeout=5_000)
        except Late:
            return False
        return True

    until(page, taken)
    at_rest(page)


def tick(page, label):
    """Set a box or a switch, in the same way."""
    box = page.get_by_label(label, exact=True)

    def set_already():
        at_rest(page)
        if not box.is_checked():
            page.get_by_text(label).click()
            return False
        return True

    until(page, set_already)


def still(page, locator):
    """Where an element is once it rests: whatever loads above it moves it."""
    boxes = []

    def rests():
        boxes.append(locator.bounding_box())
        return boxes[-1] is not None and boxes[-4:] == [boxes[-1]] * 4

    until(page, rests)
    return boxes[-1]


def hover(page, spot, words):
    """Point at ``spot()`` until the words show; a drawing under way forgets the pointer."""

    def shown():
        x, y = spot()
        page.mouse.move(x - 1, y)
        page.mouse.move(x, y)
        page.wait_for_timeout(200)
        return words.first.is_visible()

    until(page, shown)
    return words.first.text_content()


def drag(page, slider, start, read, enough):
    """Drag a slider to and fro until ``read()`` gave that many values, the button held down."""
    box, seen, step = still(page, slider), set(), 0
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, middle)
    page.mouse.down()

    def moved():
        nonlocal step
        step += 1
        away = 0.012 * abs((step + 30) % 60 - 30)  # out and back again
        page.mouse.move(box["x"] + box["width"] * (start + away), middle)
        seen.add(read())
        return len(seen) >= enough

    until(page, moved)
    page.mouse.up()


class Screen:
    """A window with a page; opened again it keeps the scripts that are compiled already."""

    def __init__(self, browser):
        self.context = browser.new_context()
        self.context.set_default_timeout(DEADLINE)
        self.page = self.context.new_page()
        self.used = self.left = False
        self.clean = None
        self._forget()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda e: self.problems.append(str(e)))
        self.page.on("dialog", lambda d: (self.problems.append(f"dialog {d.message}"), d.dismiss()))
        self.page.on("request", self._note)
        self.page.on("response", self._judge)
        self.page.on("websocket", self._connect)
        self.page.on("framenavigated", self._arrive)

    def _forget(self):
        self.problems, self.outside, self.refused = [], [], []

    def _arrive(self, frame):
        """The page before this one has said its last word."""
        if self.left and frame == self.page.main_frame:
            self.left = False
            self._forget()

    def _hear(self, message):
        if message.type == "error":
            self.problems.append(f"{message.text} {message.location.get('url', '')}")

    def _note(self, request):
        if not request.url.startswith(LOCAL):
            self.outside.append(request.url)

    def _connect(self, socket):
        self.socket = socket

    def _judge(self, response):
        if response.status >= 400:
            self.refused.append(response.url)

    def open(self, address, width=1440, scheme="light", *, again=False, clean=False):
        """Load a page; with ``again`` take it as the test before left it, if that was ``clean``."""
        shown = (address, width, scheme)
        ready = again and self.clean == shown
        self.clean = shown if clean else None
        if ready:
            self._forget()
            return self
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)
        self.left, self.used = self.used, True
        if self.page.url.startswith("http"):
            self.page.mouse.up()
            self.page.mouse.move(0, 0)
            self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.context.clear_cookies()  # a visitor who was never here: no work comes back
        self.page.goto(address)
        return self

    def painted(self, epsilon=None):
        """Wait until a board with a scenario is there, or shows this ε."""
        shown = "" if epsilon is None else f"='{epsilon}'"
        self.page.wait_for_selector(f".board[data-epsilon{shown}]")
        return self

    def visit(self, link):
        """Go to another page by a link to it; nothing of the one before is left."""
        before = self.page.evaluate("location.pathname")
        group = next((entry.group for entry in PAGES if entry.title == link), "")

        def left():  # what a page says of itself while it is left can call it back
            at_rest(self.page)
            if group:
                self.page.get_by_role("button", name=group, exact=True).click()
            role = "menuitem" if group else "link"
            self.page.get_by_role(role, name=link, exact=True).first.click()
            try:
                self.page.wait_for_function(LEFT, arg=before, timeout=30_000)
            except Late:
                return False
            return True

        until(self.page, left)
        at_rest(self.page)
        return self

    def nudge(self, key="ArrowRight"):
        """Move ε from 1 by one step and wait until the board has it."""
        self.page.get_by_role("slider", name="ε total budget").first.press(key)
        return self.painted(MORE if key == "ArrowRight" else LESS)

    def addressed(self, key, value):
        """Wait until the address says so; it is rewritten in place, so nothing is loaded."""
        self.page.wait_for_function(SHOWS, arg=[key, value])
        return self

    def parameter(self, key):
        """What the address says."""
        return self.page.evaluate("(key) => new URL(location.href).searchParams.get(key)", key)

    def fits(self):
        """Whether no board reaches beyond the page's column."""
        main = self.page.locator("[data-testid=stMainBlockContainer]").bounding_box()
        boards = [board.bounding_box() for board in self.page.locator(".board").all()]
        return all(b["x"] + b["width"] <= main["x"] + main["width"] + 1 for b in boards)

    @property
    def epsilon(self):
        board = self.page.wait_for_selector(".board[data-epsilon]")  # once it is painted
        return float(board.get_attribute("data-epsilon"))

    def text(self, selector):
        return self.page.locator(selector).locator("visible=true").first.inner_text()

    def looks(self, widths):
        """Show the loaded page in every width, light and dark; nothing may be wider than it."""
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": 900})
            for scheme in ("dark", "light"):
                before = self.page.evaluate(GROUND)
                self.page.emulate_media(color_scheme=scheme)
                until(self.page, lambda before=before: self.page.evaluate(GROUND) != before)
                until(self.page, lambda: self.page.evaluate(OVERFLOW) <= 0)
                yield width


def press(page, locator, key):
    """Press a key on an element once the page rests: one that is drawn anew has no focus."""
    at_rest(page)
    locator.press(key)


def tab_to(page, selector, most=80):
    """Press Tab until the focus is on such an element: it can be reached without a pointer."""
    page.locator(selector).first.wait_for()  # before a page is there no press leads anywhere
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(asked) => document.activeElement.matches(asked)", selector):
            return
    raise AssertionError(f"{selector} is not reached by {most} presses of Tab")
