"""Key press on a knob to all views repainted, against a bare Streamlit page with one slider.

``python -m benchmarks.live``: both pages are served and opened in the same headless Chromium; the
presses take turns. Times are taken inside the page, from the key event to the animation frame in
which the new number stands. ε, β and γ are measured, and the bytes that one picture costs.
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
    const board = host.shadowRoot?.querySelector(".board[data-epsilon]");
    if (board) return board.dataset.painted;
  }
}"""
AT_REST = "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
KNOBS = {
    "ε": ("ε total budget", ROUNDS),
    "β": ("β share of ε for Stage I", 25),
    "γ": ("γ sampling rate of Stage I", 25),
}
"""Symbol -> name of the slider, and how often it is pressed."""

RATIO = 1.5
BYTES = 15_000
WARM = 5
"""Presses that are not counted."""


def press(page: Any, slider: Any, presses: int) -> None:  # noqa: ANN401 - Playwright's objects
    """One press to a value not shown before; wait until it is answered, and all at rest."""
    slider.press("ArrowRight")
    page.wait_for_function("n => window.__took.length >= n", arg=presses, timeout=20_000)
    page.wait_for_timeout(REST)
    page.wait_for_function(AT_REST, timeout=60_000)


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile of the measured times."""
    return statistics.quantiles(values, n=100)[round(100 * share) - 1]


class Traffic:
    """What the server sends while a picture is on its way."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401
        self.sizes: list[int] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._note))

    def _note(self, frame: str | bytes) -> None:
        self.sizes.append(len(frame))

    def largest(self) -> int:
        """The picture among the messages since the last call."""
        picture = max(self.sizes, default=0)
        self.sizes.clear()
        return picture


def measure(pages: tuple[Any, Any], traffic: Traffic) -> dict[str, tuple[list[float], list[int]]]:
    """Milliseconds of every press, and bytes of the pictures, by what was pressed."""
    bare, ours = pages
    found: dict[str, tuple[list[float], list[int]]] = {"bare page": ([], [])}
    for symbol, (name, rounds) in KNOBS.items():
        slider, sizes = ours.get_by_role("slider", name=name), []
        begun = [len(page.evaluate("window.__took")) for page in pages]
        for presses in range(1, rounds + 1):
            for page, handle, done in zip(
                pages, (bare.get_by_role("slider"), slider), begun, strict=True
            ):
                page.bring_to_front()
                traffic.sizes.clear()
                press(page, handle, done + presses)
            sizes.append(traffic.largest())
        times = [page.evaluate("window.__took")[b:] for page, b in zip(pages, begun, strict=True)]
        found["bare page"][0].extend(times[0][WARM:])
        found[f"Explore, {symbol}"] = (times[1][WARM:], sizes[WARM:])
    return found


def main() -> int:
    """Print the distributions and the ratios of their 95th percentiles."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        with served(script) as bare_address, served() as our_address:
            browser = launch(playwright)
            bare, ours = browser.new_page(), browser.new_page()
            traffic = Traffic(ours)
            bare.goto(bare_address)
            bare.get_by_text("value 500").wait_for(timeout=30_000)
            ours.goto(f"{our_address}/?network=alarm&replicates=100&eps=0.05")
            ours.wait_for_selector(".board[data-epsilon]", timeout=60_000)
            ours.wait_for_timeout(3000)
            for page, shown in ((bare, BARE_SHOWN), (ours, BOARD_SHOWN)):
                page.evaluate(f"({LISTEN})({shown})")
            found = measure((bare, ours), traffic)
            browser.close()
    print("\nKey press to repaint; Explore shows alarm with 100 replicates")
    for name, (times, sizes) in found.items():
        middle, late = quantile(times, 0.5), quantile(times, 0.95)
        weight = f"   {statistics.median(sizes) / 1000:5.1f} kB a picture" if sizes else ""
        print(f"  {name:<14} p50 {middle:6.0f} ms   p95 {late:6.0f} ms{weight}")
    bare_late = quantile(found["bare page"][0], 0.95)
    late = quantile(found["Explore, ε"][0], 0.95) / bare_late
    weights = {symbol: statistics.median(found[f"Explore, {symbol}"][1]) for symbol in KNOBS}
    print_goals(
        [
            Goal("Explore, p95", "bare Streamlit page, p95", late, RATIO, at_most=True),
            *(
                Goal(f"bytes of a picture, {symbol}", f"{BYTES:,}", size / BYTES, 1.0, at_most=True)
                for symbol, size in weights.items()
            ),
        ]
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
