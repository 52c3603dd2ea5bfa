"""A shared server: who is logged in signs what they release, and nobody else sees it."""

import html
import json
import re

import pytest
from playwright.sync_api import expect

from release.ledger.book import Ledger
from tests.browser.provider import providing
from tests.browser.serving import running
from tests.browser.test_release import confirm, download, files, state, upload

pytestmark = pytest.mark.browser

ADA, BOB = "ada@example.org", "bob@example.org"
JOINED = "\u2060"
"""Stands before the sign of an address, so that no link is made of it."""

NAME = "clinic of the signed release"
REASON = "small table, agreed with the officer"


@pytest.fixture
def provider():
    with providing() as one:
        yield one


@pytest.fixture
def ledgers(tmp_path):
    return tmp_path / "ledgers"


@pytest.fixture
def enter(open_page, provider, ledgers):
    """A window of its own in which somebody has logged in and opened Load data."""
    place = {"EQUIPOISE_LEDGER": str(ledgers / "ledger.sqlite")}
    with running(secrets=provider.secrets, environment=place) as (address, _):

        def come(person):
            provider.person = {"email": person, "email_verified": True, "sub": person}
            screen = open_page(address)
            screen.page.get_by_role("button", name="Log in").click()
            expect(screen.page.locator(".st-key-visitor")).to_contain_text(shown(person))
            screen.page.goto(f"{address}/load-data?eps=0.5")
            return screen

        yield come


def shown(person):
    return person.replace("@", f"{JOINED}@")


def reviewed(screen, folder, name):
    """The same records and statements, and the reason for the line about the risk."""
    page = upload(screen, folder).page
    page.get_by_text("no budget for these data is stated yet").first.wait_for()
    state(page, name=name, budget="2", unit="person", records="400")
    expect(page.get_by_label("Reasons are signed by", exact=True)).to_have_count(0)
    field = page.get_by_role("textbox", name="Reason: Risk is below the thresholds")
    field.fill(REASON)
    field.press("Enter")
    page.locator(".st-key-check_risk_reason").wait_for()
    return page


def test_a_release_is_signed_by_who_is_logged_in_and_seen_by_nobody_else(enter, ledgers, tmp_path):
    files(tmp_path, "smokes", "coughs", ("never", "often"))
    page = reviewed(enter(ADA), tmp_path, NAME)
    expect(page.get_by_text(f"Reasons are signed by {shown(ADA)}")).to_be_visible()
    confirm(page, "0.5")
    page.locator(".st-key-release_spend button").click()
    page.locator(".st-key-released").wait_for()
    dossier, paper = (download(page, f"dossier.{kind}").decode() for kind in ("json", "html"))
    [entry] = json.loads(dossier)["ledger"]["entries"]
    assert entry["signed"] == ADA
    words = " ".join(re.sub("<[^>]*>", " ", html.unescape(paper)).split())
    assert f"signed by: {ADA}" in words and f"{REASON} (signed: {ADA})" in words, words
    [kept] = ledgers.rglob("ledger.sqlite")
    [account] = Ledger(kept, create=False).accounts()
    assert (account.name, [line.signed for line in account.lines]) == (NAME, [ADA])

    other = reviewed(enter(BOB), tmp_path, "a guess")
    other.get_by_text(f"{shown(BOB)} is not in this server's list of who may sign").wait_for()
    expect(other.locator(".st-key-release_spend button")).to_be_disabled()
    seen = other.content() + other.frame_locator("iframe.paper-frame").locator("body").inner_html()
    seen = seen.replace(JOINED, "")
    assert BOB in seen
    for secret in (NAME, ADA, entry["id"]):
        assert secret not in seen
    assert [*ledgers.rglob("ledger.sqlite")] == [kept]
    assert len(Ledger(kept, create=False).accounts()[0].lines) == 1
