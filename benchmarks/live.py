"""Key press on ε to all views repainted, against a bare Streamlit page with one slider.

``python -m benchmarks.live``: both pages are served and opened in the same headless Chromium; the
presses take turns. Times are taken inside the page, from the key event to the animation frame in
which the new number stands.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks.timing import Goal, print_goals
from tests.browser.serving import launch, served

BARE = """
import streamlit as st
value = st.slider("x", 0, 1000, 500)
st.markdown(f"value {value}")
"""
ROUNDS = 50
REST = 400
"""Milliseconds between presses: time for whatever follows the repaint."""

LISTEN = """
(shown) => {
  window.__took = [];
  document.addEventListener("keydown", () => {
    const start = performance.now(), before = shown();
    const look = () => shown() !== before
      ? requestAnimationFrame(() => window.__took.push(performance.now() - start))
      : requestAnimationFrame(look);
    look();
  }, true);
}
"""
BARE_SHOWN = "() => document.querySelector('[data-testid=stMarkdown] p').textContent"
BOARD_SHOWN = """() => {
  for (const host of document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')) {
    const board = host.shadowRoot?.querySelector(".board");
    if (board) return board.dataset.painted;
  }
}"""


def press(page: Any, slider: Any, presses: int) -> None:  # noqa: ANN401 - Playwright's objects
    """One press to a value not shown before; wait until it is answered, and a little longer."""
    slider.press("ArrowRight")
    page.wait_for_function("n => window.__took.length >= n", arg=presses + 1, timeout=20_000)
    page.wait_for_timeout(REST)


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile of the measured times."""
    return statistics.quantiles(values, n=100)[round(100 * share) - 1]


def main() -> int:
    """Print both distributions and the ratio of their 95th percentiles."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        with served(script) as bare_address, served() as our_address:
            browser = launch(playwright)
            bare, ours = browser.new_page(), browser.new_page()
            bare.goto(bare_address)
            bare.get_by_text("value 500").wait_for(timeout=30_000)
            ours.goto(f"{our_address}/?network=alarm&replicates=100&eps=0.05")
            ours.wait_for_selector(".board:not([data-painted='0'])", timeout=30_000)
            ours.wait_for_timeout(3000)
            for page, shown in ((bare, BARE_SHOWN), (ours, BOARD_SHOWN)):
                page.evaluate(f"({LISTEN})({shown})")
            sliders = (
                (bare, bare.get_by_role("slider")),
                (ours, ours.get_by_role("slider", name="ε total budget")),
            )
            for presses in range(ROUNDS):
                for page, slider in sliders:
                    page.bring_to_front()
                    press(page, slider, presses)
            times = {
                "bare page": bare.evaluate("window.__took")[5:],
                "Explore, alarm, 100 replicates": ours.evaluate("window.__took")[5:],
            }
            browser.close()
    print("\nKey press to repaint")
    for name, values in times.items():
        middle, late = quantile(values, 0.5), quantile(values, 0.95)
        print(f"  {name:<32} p50 {middle:6.0f} ms   p95 {late:6.0f} ms")
    low, high = (quantile(v, 0.95) for v in times.values())
    goal = Goal("Explore, p95", "bare Streamlit page, p95", high / low, 2.0, at_most=True)
    print_goals([goal])
    return 0


if __name__ == "__main__":
    sys.exit(main())
