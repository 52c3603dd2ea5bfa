"""A dossier in a real browser: it opens offline, runs nothing, asks for nothing, prints."""

import shutil

import pytest

from figures.chromium import to_pdf
from release.dossier.document import dossier, dossier_files
from release.review.checklist import review
from tests.browser.screen import Screen
from tests.release.reviewing import SCRIPT, hostile_study, proposal

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)>"
CUT = """(charts) => charts.flatMap((chart) => {
  const room = chart.getBoundingClientRect();
  const words = [...chart.querySelectorAll("text")];
  return words.filter((text) => {
    const { left, right, bottom } = text.getBoundingClientRect();
    return left < room.left || right > room.right || bottom > room.bottom;
  }).map((text) => text.textContent);
})"""
"""Words that leave their chart, where they are cut."""


@pytest.fixture(scope="module")
def files():
    found = proposal(hostile_study())
    return dossier_files(dossier(found, review(found).override_all(HOSTILE, HOSTILE)))


@pytest.mark.parametrize("width", [1440, 800])
def test_hostile_names_are_read_and_nothing_runs(browser, tmp_path, files, width):
    path = tmp_path / "dossier.html"
    path.write_bytes(files["dossier.html"])
    opened = Screen(browser)
    opened.context.set_offline(True)
    opened.open(path.as_uri(), width=width)
    page = opened.page
    assert opened.problems == []  # no dialog, no error of the content policy
    assert opened.outside == [path.as_uri()]  # the file itself and nothing else
    assert SCRIPT in page.locator("body").inner_text()
    assert page.locator("script, img").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight") == "600"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("svg.chart").count() and page.locator("svg.chart").evaluate_all(CUT) == []
    opened.context.close()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium to print with")
def test_it_prints_as_pdf(files):
    made = to_pdf(files["dossier.html"])
    assert made.startswith(b"%PDF-")
    assert len(made) > 10_000
