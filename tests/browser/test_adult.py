"""Adult in a real browser: raw text to a signed release that learns its graph."""

import csv
import json
import os
from fractions import Fraction
from pathlib import Path

import pytest

from release.ledger.book import Ledger
from tests.browser.screen import at_rest, pick, until, use_data
from tests.browser.serving import choose
from tests.browser.test_data import confirm as told
from tests.browser.test_data import graph
from tests.browser.test_release import as_released, confirm, download, fill, ledger, server  # noqa: F401

FOLDER = Path(os.environ.get("EQUIPOISE_DATA", ""), "adult")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (FOLDER / "adult_int_to_str.json").exists(),
        reason="EQUIPOISE_DATA names no folder with the Adult table",
    ),
]

COLUMNS = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week",
    "native-country", "income",
)  # fmt: skip
ROWS = 20_000


def raw_text(folder):
    """Some rows as text: labels, numbers, and a question mark here and there."""
    labels = json.loads((FOLDER / "adult_int_to_str.json").read_text())
    with (FOLDER / "adult.csv").open(newline="") as file:
        coded = list(csv.reader(file))[1 : ROWS + 1]
    rows = [[names[code] for names, code in zip(labels, row, strict=True)] for row in coded]
    for row in rows[::40]:
        row[COLUMNS.index("workclass")] = "?"
    lines = "\n".join(", ".join(row) for row in (COLUMNS, *rows))
    (folder / "adult.data").write_text(f"{lines}\n", encoding="utf-8")


def use(screen, folder):
    """Put the file to use, its columns said to be public, without a graph; on to Release."""
    page = screen.page
    choose(page, "data_file", folder / "adult.data")
    page.get_by_text("15 columns, separated by comma").wait_for()
    told(page, "the census bureau's questionnaire")
    pick(page, "missing", "treat as a state")
    graph(page, "None: learn it privately")
    use_data(page)
    page.get_by_text(f"In use: {ROWS:,} records").wait_for()
    screen.visit("Release").painted()


def state(page):
    """What only the steward can say."""
    fill(page, "Name of these data", "census 1994")
    fill(page, "Total budget ε", "2")
    fill(page, "One record is about one", "person")
    fill(page, "Public number of records", str(ROWS))
    for key in ("structure", "domain", "bins", "records", "budget", "unit"):
        page.locator(f".st-key-check_{key}_pass").wait_for()


def sign(page):
    """A reason at every line that fails."""
    fill(page, "Reasons are signed by", "Ana Kim")
    at_rest(page)
    fails = page.locator(".st-key-checks [class*=_fail] input")
    for left in range(fails.count(), 0, -1):
        fails.first.fill("agreed with the officer on 3 May")
        fails.first.press("Enter")
        until(page, lambda left=left: fails.count() < left)


def test_adult_to_a_signed_release(open_page, server, ledger, tmp_path):  # noqa: F811
    raw_text(tmp_path)
    screen = open_page(f"{server}/load-data?eps=1&replicates=10")
    page = screen.page
    use(screen, tmp_path)
    state(page)
    page.get_by_role("button", name="Rehearse", exact=True).click()
    page.get_by_text("the distribution of a pair of variables is off by").wait_for()
    page.locator(".st-key-check_rehearsed_pass").wait_for()
    sign(page)
    confirm(page, "1")
    page.locator(".st-key-release_spend button").click()
    page.locator(".st-key-released").wait_for()
    page.get_by_text("The learned graph").wait_for()

    dossier = json.loads(download(page, "dossier.json"))
    files = {n: download(page, n) for n in ("model.bif", "model.json", "records.csv")}
    assert dossier["status"] == "released"
    as_released(dossier, files)
    assert "Ana Kim" in download(page, "dossier.html").decode()
    assert [row["variable"] for row in dossier["graph"]] == list(COLUMNS)
    assert any(row["parents"] for row in dossier["graph"])
    parts = {name: Fraction(exact) for name, _, exact in dossier["plan"]["parts"]}
    assert sum(parts.values()) == Fraction(dossier["plan"]["cost"]) <= 1
    [account] = Ledger(ledger).accounts()
    assert dict(account.lines[0].parts).keys() == parts.keys() and account.spent == 1
    assert len(files["records.csv"].splitlines()) > ROWS // 2
    assert screen.problems == [] and screen.outside == []
