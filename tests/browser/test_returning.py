"""F5 in a real browser: upload, lock, statement and looks come back, and to nobody else."""

import pytest
from playwright.sync_api import expect

from pages.ui.kit.visits import COOKIE
from tests.browser.screen import DEADLINE, until, use_data
from tests.browser.serving import choose
from tests.browser.test_allocate import GRID, LOCK, asked, type_into
from tests.unit.test_cli_files import PAIR

pytestmark = pytest.mark.browser

YOURS = "Your data: d.csv, n.bif: 100 records, 2 columns with states declared, 1 edge"


def forgets(sent):
    """A table that shows new numbers says that nothing is typed: a page left before is blank."""
    return b'"edited_rows":{}' in (sent if isinstance(sent, bytes) else sent.encode())


def told(page):
    return page.locator(".st-key-in_use").inner_text().replace("\n", " ")


def worked(screen, folder):
    """Records and a network uploaded, one statement, one lock, a look at the exact rows."""
    (folder / "d.csv").write_text("a,b\n" + "yes,no\n" * 70 + "no,yes\n" * 30, encoding="utf-8")
    (folder / "n.bif").write_text(PAIR, encoding="utf-8")
    page = screen.page
    choose(page, "data_file", folder / "d.csv")
    page.get_by_text("2 used, 0 left out").wait_for()
    choose(page, "dag_file", folder / "n.bif")
    page.get_by_text("100 records, 2 columns understood").wait_for()
    use_data(page)
    page.get_by_text("In use: 100 records").wait_for()
    screen.visit("Release")
    field = page.get_by_label("One record is about one", exact=True)
    field.fill("patient")
    field.press("Enter")
    page.locator(".st-key-check_unit_pass").wait_for()
    screen.visit("Allocate")
    page.locator(GRID).wait_for()
    with screen.socket.expect_event("framesent", forgets, timeout=DEADLINE):
        type_into(page, 0, LOCK, "40")
        asked(page, "1 node locked, at least 40 % of ε")
    screen.visit("Explore").painted()
    screen.visit("Data")
    return told(page)


def test_a_reload_keeps_everything_and_another_browser_gets_nothing(open_page, address, tmp_path):
    screen = open_page(f"{address}/load-data")
    page, before = screen.page, worked(screen, tmp_path)
    assert before.startswith(f"{YOURS}; 1 lock; ") and "at the exact rows so far" in before

    page.reload()
    page.get_by_text("Your work is back").wait_for()
    until(page, lambda: told(page) == before)
    sidebar = page.locator("[data-testid=stSidebar]")
    expect(sidebar).to_contain_text("your upload (2 nodes, 1 edge)")
    screen.visit("Release")
    unit = page.get_by_label("One record is about one", exact=True)
    expect(unit).to_have_value("patient")
    looks = before.partition(" at the exact rows")[0].rpartition("; ")[2]
    seen = page.locator("[class*=st-key-check_rehearsed]").first
    expect(seen).to_contain_text(looks.replace("look", "study run"))

    stranger = open_page(f"{address}/load-data?network=your+upload")
    shown = stranger.page.locator(".st-key-in_use")
    expect(shown).to_contain_text("Data on show: asia, a sample network")
    stranger.page.get_by_text("not in this server's memory").wait_for()
    second = page.context.new_page()  # its tab is open: a second one begins anew
    second.goto(f"{address}/load-data")
    expect(second.locator(".st-key-in_use")).to_contain_text("Data on show: asia")
    second.close()
    hidden(page)

    screen.visit("Data")
    page.get_by_role("button", name="Forget this data").click()
    page.get_by_text("Nothing of yours is here").wait_for()
    page.reload()
    page.get_by_text("Nothing of yours is here").wait_for()
    assert screen.problems == []


def hidden(page):
    """No script, no storage and no address has the token or a word of the upload."""
    (cookie,) = [c for c in page.context.cookies() if c["name"] == COOKIE]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["expires"] == -1
    stored = page.evaluate("() => JSON.stringify([localStorage, sessionStorage, document.cookie])")
    for secret in (cookie["value"], "d.csv", "n.bif", "patient"):
        assert secret not in page.url and secret not in stored
