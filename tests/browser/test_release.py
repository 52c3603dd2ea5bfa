"""Release in a real browser: the steward's whole journey, hostile names, nothing cut off."""

import hashlib
import json

import numpy as np
import pytest
from playwright.sync_api import expect

from release.ledger.book import Ledger
from sources.networks import read_network
from sources.records import read_records
from tests.browser.screen import OVERFLOW, take, tick, until, use_data
from tests.browser.serving import choose, served

pytestmark = pytest.mark.browser

SCRIPT, FORMULA = "<script>alert(1)</script>", "=cmd|' /C calc'!A0"
CUT = """(board) => [...board.querySelectorAll('*')].filter((part) =>
  part.clientWidth > 0 && !part.closest('.plot') && part.scrollWidth > part.clientWidth + 1 &&
  getComputedStyle(part).display === 'block').length"""
"""How many blocks are wider inside than outside; what plotly draws has no width of its own."""


@pytest.fixture
def ledger(tmp_path):
    return tmp_path / "deep" / "ledger.sqlite"


@pytest.fixture
def server(ledger, monkeypatch):
    """A server with a ledger of its own: data new to an older one wait for a word about people."""
    monkeypatch.setenv("EQUIPOISE_LEDGER", str(ledger))
    with served() as address:
        yield address


def files(folder, first, second, states, rows=400):
    """Records, an edge list and a schema over two columns."""
    picked = np.random.default_rng(0).integers(0, len(states), (rows, 2))
    quoted = ['"' + s.replace('"', '""') + '"' for s in states]
    body = "\n".join(f"{quoted[a]},{quoted[b]}" for a, b in picked)
    (folder / "people.csv").write_text(f'"{first}","{second}"\n{body}\n', encoding="utf-8")
    (folder / "edges.csv").write_text(f'parent,child\n"{first}","{second}"\n', encoding="utf-8")
    columns = [{"name": name, "states": list(states)} for name in (first, second)]
    (folder / "schema.json").write_text(json.dumps({"columns": columns}), encoding="utf-8")
    return folder


def upload(screen, folder, rows=400):
    page = screen.page
    page.get_by_text("choose a file of records").wait_for()
    choose(page, "data_file", folder / "people.csv")
    page.get_by_text("2 used, 0 left out").wait_for()
    choose(page, "dag_file", folder / "edges.csv")
    page.get_by_text("states or edges seen in the records").wait_for()
    choose(page, "schema_file", folder / "schema.json")
    page.get_by_text("states or edges seen in the records").wait_for(state="detached")
    use_data(page)
    page.get_by_text(f"In use: {rows} records").wait_for()
    return screen.visit("Release").painted()


def fill(page, label, text):
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def state(page, **values):
    """What only the steward can say; each answer is waited for."""
    fill(page, "Name of these data", values["name"])
    fill(page, "Total budget ε", values["budget"])
    fill(page, "One record is about one", values["unit"])
    fill(page, "Public number of records", values["records"])
    graph = page.get_by_role("combobox", name="The graph was")
    take(page, graph, "known without the records")
    for key in ("structure", "records", "budget", "unit"):
        page.locator(f".st-key-check_{key}_pass").wait_for()


def argue(page, reason):
    """Write why the line about the risk may pass, and who says so."""
    fill(page, "Reasons are signed by", "Ana Kim")
    field = page.get_by_role("textbox", name="Reason: Risk is below the thresholds")
    field.fill(reason)
    field.press("Enter")


def accept(page, reason):
    """The same with a reason that counts."""
    argue(page, reason)
    page.locator(".st-key-check_risk_reason").wait_for()


def confirm(page, typed):
    tick(page, "I have read the dossier below")
    page.get_by_text(f"Type {typed}, the ε to be spent").wait_for()
    fill(page, "Type the ε to be spent", typed)
    page.locator(".st-key-release_spend button:enabled").wait_for()


def download(page, name):
    with page.expect_download() as got:
        page.locator(".st-key-released").get_by_role("button", name=name, exact=True).click()
    return got.value.path().read_bytes()


def as_released(dossier, files):
    """Files that were taken away have the checksums of the dossier."""
    sums = {file["name"]: file["sha256"] for file in dossier["files"]}
    for name, data in files.items():
        assert hashlib.sha256(data).hexdigest() == sums[name], name


def test_a_stewards_journey(open_page, server, ledger, tmp_path):
    """Upload, schema, review, rehearse, release, download the dossier, second release refused."""
    files(tmp_path, "smokes", "coughs", ("never", "often"))
    screen = upload(open_page(f"{server}/load-data?eps=0.5"), tmp_path)
    page = screen.page
    page.get_by_text("no budget for these data is stated yet").first.wait_for()
    expect(page.locator(".st-key-checks [class*=_fail]")).to_have_count(5)
    state(page, name="clinic 2026", budget="0.8", unit="person", records="400")

    page.get_by_role("link", name="Rehearse on a stand-in").first.click()
    until(page, lambda: page.url.endswith("#rehearse-in-public"))
    page.get_by_role("button", name="Rehearse", exact=True).click()
    page.get_by_text("No private record was looked at").wait_for()
    page.locator(".st-key-check_rehearsed_pass").wait_for()

    argue(page, "x")
    page.get_by_text("Not recorded: The reason for an override is 'x'").wait_for()
    accept(page, "small table, agreed with the officer")
    page.get_by_text("one passes for a written reason. ").wait_for()
    assert "All 15" not in screen.text(".finding:visible")
    button = page.locator(".st-key-release_spend button")
    expect(button).to_be_disabled()
    confirm(page, "0.5")
    button.dblclick()
    page.locator(".st-key-released").wait_for()

    model = download(page, "model.bif")
    dossier = json.loads(download(page, "dossier.json"))
    paper = download(page, "dossier.html").decode()
    assert dossier["status"] == "released"
    as_released(dossier, {"model.bif": model, "model.json": download(page, "model.json")})
    assert dossier["decision"]["release"] in paper
    assert "small table, agreed with the officer" in paper
    [account] = Ledger(ledger).accounts()
    assert (account.name, str(account.spent), len(account.lines)) == ("clinic 2026", "1/2", 1)

    page.get_by_text("only 0.3 is left on these data: refused").wait_for()
    for said in ("Waits for check 10", "A further one costs ε = 0.5 again"):
        expect(page.locator(".st-key-publish")).to_contain_text(said)
    expect(button).to_be_disabled()
    expect(page.locator(".st-key-check_budget_fail input")).to_have_count(0)
    assert "people.csv" not in page.url and "clinic" not in page.url
    assert screen.problems == []
    assert screen.outside == []


def test_hostile_names_come_through_unchanged_and_never_run(open_page, server, tmp_path):
    states = (FORMULA, "plain")
    files(tmp_path, SCRIPT, "other", states)
    screen = upload(open_page(f"{server}/load-data?eps=0.5"), tmp_path)
    page = screen.page
    state(page, name=SCRIPT, budget="2", unit=SCRIPT, records="400")
    tick(page, "Synthetic records too")
    accept(page, f"{SCRIPT} is fine, see www.example.org and *me@example.org*")
    page.get_by_text("one passes for a written reason. ").wait_for()
    shown = screen.text(".st-key-check_risk_reason").replace("\u2060", "")
    assert f"{SCRIPT} is fine, see www.example.org and *me@example.org*" in shown
    assert page.locator(".st-key-check_risk_reason a").count() == 0
    expect(page.locator(".view.plan").first).to_contain_text(SCRIPT)
    frame = page.locator("iframe.paper-frame")
    assert frame.get_attribute("sandbox") == ""
    reasons = page.frame_locator("iframe.paper-frame").locator("p.reason")
    expect(reasons.filter(has_text=f"{SCRIPT} is fine")).to_have_count(1)
    confirm(page, "0.5")
    page.locator(".st-key-release_spend button").click()
    page.locator(".st-key-released").wait_for()

    (tmp_path / "dossier.html").write_bytes(download(page, "dossier.html"))
    paper = open_page((tmp_path / "dossier.html").as_uri())
    assert SCRIPT in paper.page.locator("body").inner_text()
    assert paper.page.locator("script").count() == 0
    for name in ("model.bif", "model.json"):
        loaded = read_network(name, download(page, name))
        assert loaded.network.names == (SCRIPT, "other")
        assert loaded.network.variables[0].states == states
    csv = download(page, "records.csv")
    assert b"\n=cmd" not in csv and b'"=cmd' not in csv and b",=cmd" not in csv
    schema = ("schema.json", (tmp_path / "schema.json").read_bytes())
    back = read_records(("records.csv", csv), schema, missing="refuse", explore=False)
    assert [v.name for v in back.rows.dataset.variables] == [SCRIPT, "other"]
    assert back.rows.dataset.variables[0].states == states
    assert screen.problems == [] and paper.problems == []


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (800, "dark")])
def test_nothing_is_cut_off(open_page, address, width, scheme):
    screen = open_page(f"{address}/review-release", width=width, scheme=scheme).painted()
    page = screen.page
    page.get_by_role("button", name="Audit", exact=True).click()
    page.locator(".audited .caption", has_text="6 pairs in").wait_for()
    expect(page.locator(".st-key-check_risk_note")).to_contain_text("Risk is below the thresholds")
    until(page, lambda: page.evaluate(OVERFLOW) <= 0 and screen.fits())
    for board in page.locator(".board").all():
        assert board.evaluate(CUT) == 0
    assert screen.problems == []
