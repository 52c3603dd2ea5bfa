"""A shared server: nobody comes in unknown, whatever a provider or a forger says."""

import pytest
from playwright.sync_api import expect

from tests.browser.provider import providing
from tests.browser.serving import served

pytestmark = pytest.mark.browser

ADA = {"email": "ada@example.org", "email_verified": True}


@pytest.fixture(scope="module")
def provider():
    with providing() as one:
        yield one


@pytest.fixture(scope="module")
def shared(provider):
    with served(secrets=provider.secrets) as address:
        yield address


@pytest.fixture
def visit(browser, shared, provider):
    """A fresh browser whose owner the provider knows by these claims."""
    contexts = []

    def come(claims, *, forged=False, path=""):
        provider.person, provider.forged = claims, forged
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.goto(f"{shared}/{path}")
        expect(page.get_by_role("button", name="Log in")).to_be_visible()
        return page

    yield come
    for context in contexts:
        context.close()


@pytest.mark.parametrize("path", ["", "review-release", "load-data?network=asia"])
def test_a_stranger_sees_a_button_and_nothing_else(visit, path):
    page = visit(ADA, path=path)
    assert page.locator("[data-testid=stSidebar]").count() == 0
    assert page.locator("[data-testid=stFileUploader]").count() == 0


@pytest.mark.parametrize(
    ("claims", "forged"),
    [
        (None, False),
        (ADA, True),
        ({**ADA, "aud": "another app"}, False),
        ({**ADA, "exp": 1}, False),
    ],
    ids=["refused", "forged", "for another app", "expired"],
)
def test_who_is_not_let_in_stays_outside(visit, shared, claims, forged):
    page = visit(claims, forged=forged)
    with page.expect_response(lambda answer: "/oauth2callback" in answer.url):
        page.get_by_role("button", name="Log in").click()
    again = page.context.new_page()
    again.goto(shared)
    expect(again.get_by_role("button", name="Log in")).to_be_visible()
    assert again.locator(".st-key-visitor").count() == 0


def test_an_address_that_nobody_has_verified_is_none(visit):
    page = visit({**ADA, "email_verified": False})
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("This account has no verified address")).to_be_visible()


def test_who_is_known_comes_in_and_goes_out_again(visit):
    page = visit(ADA)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".st-key-visitor")).to_contain_text("example.org")
    expect(page.get_by_text("Use your own records").first).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
