"""Take the pictures of every page, light and dark: ``make screenshots``.

``python -m docs.screenshots FOLDER [PAGE ...]`` puts those of some pages elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from pages.ui.kit.entries import EXPLORE, PAGES, Entry
from tests.browser.serving import launch, served

NETWORKS = {"Compare": "asia", "Synthesise": "sachs", "Undirected": "asia", "Start": "asia"}
"""What a page is shown with where it is not alarm."""

ASKED = {"Lessons": "lesson=4&step=2"}
"""What the address asks a page for that has no network of its own."""

SCHEMES = {"light": "", "dark": "-dark"}
WIDTH, NARROW = 1440, 800
PATIENCE = 600_000
"""Milliseconds: pictures may be taken on a machine that is busy."""


def open_page(browser: Any, address: str, entry: Entry) -> Any:  # noqa: ANN401 - Playwright's own
    """A page with everything on it measured."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
    page.set_default_timeout(PATIENCE)
    asked = ASKED.get(entry.title, f"network={NETWORKS.get(entry.title, 'alarm')}")
    page.goto(f"{address}/{entry.address}?{asked}")
    board = page.locator(".board:not([data-painted='0'])")
    board.or_(page.locator("[data-testid=stMain] :is(h1, h2, h3)")).first.wait_for()
    page.wait_for_timeout(1500)
    curves = page.get_by_role("button", name="Measure the curves")
    while curves.count():  # a busy machine runs out of time, and goes on where it was
        curves.click()
        stop = page.locator(".st-key-synth_stop button")
        stop.wait_for()
        stop.wait_for(state="detached")
        page.wait_for_timeout(1500)
    reveal = page.get_by_role("button", name="Reveal", exact=True)
    if reveal.count():
        reveal.click()
        page.locator(".view.answer .scatterlayer, .view.answer .barlayer").first.wait_for()
    attack = page.get_by_role("button", name="Run the attack")
    if attack.count():
        attack.click()
        page.get_by_text("smoothed release, naive, 20 pools").wait_for()
    for press, shown in (("Rehearse", "No private record"), ("Audit", "6 pairs in")):
        button = page.get_by_role("button", name=press, exact=True)
        if button.count():
            button.click()
            page.get_by_text(shown).wait_for()
            page.wait_for_timeout(1000)
    page.wait_for_timeout(1500)
    for stop in ("utility", "compare", "undirected"):
        page.locator(f".st-key-{stop}_stop").wait_for(state="detached")
    page.wait_for_timeout(1500)
    return page


def take(page: Any, folder: Path, name: str, width: int) -> None:  # noqa: ANN401 - Playwright's own
    """The whole page at that width, light and dark."""
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_timeout(800)
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": height})
    for scheme, end in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(1500)
        page.screenshot(path=folder / f"{name}-{width}{end}.png")


def main(arguments: Sequence[str]) -> None:
    """All pictures."""
    folder = Path(arguments[0]) if arguments else Path(__file__).parent
    wanted = [e for e in PAGES if not arguments[1:] or e.title.lower() in arguments[1:]]
    with sync_playwright() as playwright, served() as address:
        browser = launch(playwright)
        for entry in wanted:
            page = open_page(browser, address, entry)
            for width in (WIDTH, NARROW) if entry is EXPLORE else (WIDTH,):
                take(page, folder, entry.title.lower(), width)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
