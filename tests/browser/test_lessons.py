"""Lessons in a real browser: walked with the keyboard, opened cold, and answered by two."""

import secrets

import pytest
from playwright.sync_api import expect

from release.lessons.course import LESSONS, document
from tests.browser.screen import OVERFLOW, at_rest, press, tab_to, until
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
        press(page, room.get_by_role("slider").first, "ArrowRight")
    elif kind == "choice":
        press(page, room.get_by_role("radio").first, "Space")
    else:
        at_rest(page)
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
        page.get_by_text("Your prediction is noted.").wait_for()
        press(page, page.get_by_role("button", name="Reveal", exact=True), "Enter")
        page.get_by_text(document(number, 1)["reveal"]).wait_for()
        page.locator(".view.answer .barlayer .point").first.wait_for()
        expect(page.get_by_test_id("stAlert")).to_have_count(1)  # what is said to the prediction
        if number < len(LESSONS):
            at_rest(page)
            page.get_by_role("combobox", name="Lesson").focus()
            page.keyboard.type(LESSONS[number + 1].title)
            page.keyboard.press("Enter")
    assert screen.problems == []
    assert screen.outside == []


def test_a_step_is_walked_by_the_tab_key_alone(open_page, address):
    page = open_page(f"{address}/teach-lessons?lesson=1&step=1").page
    asked(page, 1, 1)
    at_rest(page)
    tab_to(page, ".st-key-lesson_step [data-testid=stSlider] input, [role=slider]")
    page.keyboard.press("ArrowRight")
    at_rest(page)
    tab_to(page, ".st-key-lesson_next button")
    page.keyboard.press("Enter")
    page.get_by_text(document(1, 1)["reveal"]).wait_for()


def test_a_deep_link_opens_on_a_cold_server_and_arrow_keys_present_it(open_page):
    with served() as cold:
        screen = open_page(f"{cold}/teach-lessons?lesson=4&step=2&present=1")
        page = screen.page
        asked(page, 4, 2)
        expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
        at_rest(page)
        page.keyboard.press("ArrowRight")
        page.get_by_text(document(4, 2)["reveal"]).wait_for()
        at_rest(page)
        page.keyboard.press("ArrowRight")
        asked(page, 4, 3)
        until(page, lambda: screen.parameter("step") == "3")
        at_rest(page)
        page.keyboard.press("ArrowLeft")
        expect(page.locator(HEADING)).to_have_text("4.2 Accusations")
        until(page, lambda: page.evaluate(OVERFLOW) <= 0)
        assert screen.problems == []


def test_predictions_of_two_browsers_meet_in_one_histogram(open_page, address):
    link = f"{address}/teach-lessons?lesson=6&step=2&class={secrets.token_hex(3)}"
    pages = [open_page(link).page, open_page(link).page]
    for page, option in zip(pages, ("The one whole", "The two halves"), strict=True):
        asked(page, 6, 2)
        page.get_by_text(option, exact=True).click()
        page.get_by_role("button", name="Send to the class").click()
        page.get_by_text("The class predicts").wait_for()
    for page in pages:  # the first, too, without a click
        page.get_by_text("2 predictions", exact=True).wait_for()
