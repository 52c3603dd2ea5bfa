"""A dossier in a real browser: it opens offline, runs nothing, asks for nothing, prints."""

import shutil

import pytest

from core.errors import EquipoiseError
from figures import chromium
from figures.chromium import final_markup, find_chromium, to_pdf
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
def test_a_chromium_without_memory_is_one_sentence(monkeypatch, tmp_path):
    """A real one, that may take less than it needs."""
    poor = tmp_path / "chromium"
    poor.write_text(f'#!/bin/sh\nulimit -v 1500000\nexec {find_chromium()} "$@"\n')
    poor.chmod(0o755)
    monkeypatch.setattr(chromium, "find_chromium", lambda: str(poor))
    with pytest.raises(EquipoiseError, match="printed nothing; print the HTML file instead"):
        to_pdf(b"<p>text</p>")
    assert "text" not in final_markup(b"<p>text</p>")
    monkeypatch.undo()
    assert to_pdf(b"<p>text</p>").startswith(b"%PDF-")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium to print with")
def test_it_prints_as_pdf(files):
    made = to_pdf(files["dossier.html"])
    assert made.startswith(b"%PDF-")
    assert len(made) > 10_000
