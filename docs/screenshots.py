"""Take the pictures of the README: ``make screenshots``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.serving import launch, served

FOLDER = Path(__file__).parent
VIEWS = (
    ("explore-1440", "?network=alarm", 1440, "light"),
    ("explore-1440-dark", "?network=alarm", 1440, "dark"),
    ("explore-800", "?network=alarm", 800, "light"),
    ("explore-800-dark", "?network=alarm", 800, "dark"),
    ("allocate-1440", "allocate-budget?network=alarm", 1440, "light"),
    ("utility-1440", "measure-utility?network=alarm", 1440, "light"),
    ("synthesise-1440", "synthesise-data?network=sachs", 1440, "light"),
    ("undirected-1440", "compare-undirected?network=asia", 1440, "light"),
    ("risk-1440", "assess-risk?network=alarm", 1440, "light"),
    ("release-1440", "review-release?network=alarm", 1440, "light"),
)


def take(browser: Any, address: str, name: str, width: int, scheme: str) -> None:  # noqa: ANN401
    """One picture of the whole page."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(address)
    page.wait_for_selector(".board:not([data-painted='0'])", timeout=30_000)
    curves = page.get_by_role("button", name="Measure the curves")
    if curves.count():
        curves.click()
        stop = page.locator(".st-key-synth_stop button")
        stop.wait_for(timeout=30_000)
        stop.wait_for(state="detached", timeout=240_000)
    attack = page.get_by_role("button", name="Run the attack")
    if attack.count():
        attack.click()
        page.get_by_text("smoothed release, naive, 20 pools").wait_for(timeout=120_000)
    for press, shown in (("Rehearse", "No private record"), ("Audit", "6 pairs in")):
        button = page.get_by_role("button", name=press, exact=True)
        if button.count():
            button.click()
            page.get_by_text(shown).wait_for(timeout=120_000)
            page.wait_for_timeout(1000)
    page.wait_for_timeout(1500)
    for stop in ("utility", "undirected"):
        page.locator(f".st-key-{stop}_stop").wait_for(state="detached", timeout=180_000)
    page.wait_for_timeout(1500)
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(800)
    page.screenshot(path=FOLDER / f"{name}.png")
    page.close()


def main() -> None:
    """All pictures."""
    with sync_playwright() as playwright, served() as address:
        browser = launch(playwright)
        for name, query, width, scheme in VIEWS:
            take(browser, f"{address}/{query}", name, width, scheme)
        browser.close()


if __name__ == "__main__":
    main()
