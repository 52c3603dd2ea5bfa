"""Lessons in a real browser: walked with the keyboard, opened cold, and answered by two."""

import pytest
from playwright.sync_api import expect

from release.lessons.course import LESSONS, document
from tests.browser.screen import OVERFLOW, until
from tests.browser.serving import served

pytestmark = pytest.mark.browser
HEADING = ".st-key-lesson_step [data-testid=stHeading] h2"


def asked(page, number, step):
    """The step's question is on show, and its answer is not."""
    title = LESSONS[number].step(step).title
    expect(page.locator(HEADING)).to_have_text(f"{number}.{step} {title}")
    expect(page.locator(".st-key-lesson_next button")).to_contain_text("Reveal")


def predict(page, kind):
    """By keyboard alone, whatever is asked for."""
    room = page.locator(".st-key-lesson_step")
    if kind in ("number", "band"):
        room.get_by_role("slider").first.focus()
        page.keyboard.press("ArrowRight")
    elif kind == "choice":
        room.get_by_role("radio").first.focus()
        page.keyboard.press("Space")
    else:
        room.get_by_role("combobox").focus()
        for name in document(2, 1)["options"]:
            page.keyboard.type(name)
            page.keyboard.press("Enter")
            room.locator("[data-tag]", has_text=name).wait_for()
        page.keyboard.press("Escape")


def test_each_lesson_is_walked_from_prediction_to_reveal(open_page, address):
    """One page for all eight; the first step of each, by the keyboard."""
    screen = open_page(f"{address}/teach-lessons?lesson=1&step=1")
    page = screen.page
    for number, lesson in LESSONS.items():
        asked(page, number, 1)
        kind = lesson.step(1).kind
        predict(page, kind)
        expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning")
        page.get_by_role("button", name="Reveal", exact=True).focus()
        page.keyboard.press("Enter")
        page.get_by_text(document(number, 1)["reveal"]).wait_for()
        page.locator(".view.answer .barlayer .point").first.wait_for()
        expect(page.get_by_test_id("stAlert")).to_have_count(1)  # what is said to the prediction
        if number < len(LESSONS):
            box = page.get_by_role("combobox", name="Lesson")
            box.focus()
            page.keyboard.type(LESSONS[number + 1].title)
            page.keyboard.press("Enter")
    assert screen.problems == []
    assert screen.outside == []


def test_a_deep_link_opens_on_a_cold_server_and_arrow_keys_present_it(open_page):
    with served() as cold:
        screen = open_page(f"{cold}/teach-lessons?lesson=4&step=2&present=1")
        page = screen.page
        asked(page, 4, 2)
        expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
        page.keyboard.press("ArrowRight")
        page.get_by_text(document(4, 2)["reveal"]).wait_for()
        page.keyboard.press("ArrowRight")
        asked(page, 4, 3)
        until(page, lambda: screen.parameter("step") == "3")
        page.keyboard.press("ArrowLeft")
        expect(page.locator(HEADING)).to_have_text("4.2 Accusations")
        until(page, lambda: page.evaluate(OVERFLOW) <= 0)
        assert screen.problems == []


def test_predictions_of_two_browsers_meet_in_one_histogram(open_page, address):
    link = f"{address}/teach-lessons?lesson=6&step=2&class=meet2"
    pages = [open_page(link).page, open_page(link).page]
    for page, option in zip(pages, ("The one whole", "The two halves"), strict=True):
        asked(page, 6, 2)
        page.get_by_text(option, exact=True).click()
        page.get_by_role("button", name="Send to the class").click()
        page.get_by_text("The class predicts").wait_for()
    for page in pages:  # the first, too, without a click
        page.get_by_text("2 predictions", exact=True).wait_for()
