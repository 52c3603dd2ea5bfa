"""Lessons: every step walked through, links followed, and the shell's own answers."""

import pytest

from core.lessons.lesson import judged
from pages.ui.lessons import page as lessons_page
from pages.ui.lessons.lesson_place import TaughtClasses
from release.lessons.course import LESSONS, answered
from tests.doors.conftest import page, same, shell  # noqa: F401 - fixtures
from tests.pages.conftest import ledger, open_app  # noqa: F401 - fixtures

EVERY = [(n, k) for n, lesson in LESSONS.items() for k in range(1, len(lesson.steps) + 1)]


@pytest.fixture
def screen(open_app):  # noqa: F811
    return open_app().visit("teach_lessons")


def at_step(open_app, **query):  # noqa: F811
    return open_app(**query).visit("teach_lessons")


def texts(screen):
    return "\n".join(m.value for m in screen.at.main.markdown).replace("\\", "")


def press(screen, key):
    screen.at.button(key=key).click().run()
    assert not screen.at.exception
    assert not screen.at.error, screen.errors
    return screen


def test_every_step_is_asked_then_revealed_with_its_cause(screen):
    for number, k in EVERY:
        step, answer = LESSONS[number].step(k), answered(number, k)
        place = screen.at.session_state["lesson_place"]
        assert (place.number, place.step) == (number, k)
        reveal = step.reveal.format_map(answer.facts)
        assert reveal not in texts(screen)
        press(screen, "lesson_next")
        assert reveal in texts(screen)
        assert step.cause.format_map(answer.facts) in texts(screen)
        if (number, k) != EVERY[-1]:
            press(screen, "lesson_next")
    assert screen.at.button(key="lesson_next").disabled


def test_a_wrong_prediction_gets_its_reason(screen):
    (slider,) = screen.at.main.slider
    slider.set_value(4.0).run()
    press(screen, "lesson_next")
    (said,) = screen.at.info
    step, answer = LESSONS[1].step(1), answered(1, 1)
    assert said.value.replace("\\", "") == step.wrong[1] == judged(step, answer, (4.0,))


def test_nothing_is_judged_that_was_not_predicted(screen):
    press(screen, "lesson_next")
    assert not screen.at.info


def test_a_link_opens_a_lesson_at_a_step_about_its_scenario(open_app):  # noqa: F811
    screen = at_step(open_app, lesson="4", step="2", **{"with": "asia_500_0.5_3"})
    assert not screen.at.warning
    place = screen.at.session_state["lesson_place"]
    assert (place.number, place.step) == (4, 2)
    assert place.wish.network == "asia"
    assert place.wish.records == 500
    assert screen.at.query_params["with"] in ("asia_500_0.5_3", ["asia_500_0.5_3"])


@pytest.mark.parametrize(
    "query",
    [{"lesson": "99"}, {"lesson": "4", "step": "9"}, {"lesson": "x"},
     {"lesson": "1", "class": "<b>"},
     {"lesson": "1", "with": "nowhere_5"}, {"lesson": "1", "with": "asia_x"},
     {"lesson": "1", "with": "asia___5000000"}],
)  # fmt: skip
def test_a_link_that_leads_nowhere_gets_one_sentence(open_app, query):  # noqa: F811
    screen = at_step(open_app, **query)
    assert len(screen.errors) == 1


def test_the_page_and_the_shell_agree(page, shell):  # noqa: F811
    for number, k in ((2, 2), (5, 2)):
        screen = page(
            "teach_lessons", lesson=str(number), step=str(k), **{"with": "alarm_2000_2_1"}
        )
        screen.at.button(key="lesson_next").click().run()
        assert not screen.at.exception
        view = screen.sheet("answer")["answer"]
        told = shell(dict(view["details"])["Command line"])["steps"][0]
        columns = view["table"]["columns"]
        same(columns[0], [row["name"] for row in told["rows"]])
        for column, key in zip(columns[1:], ("value", "low", "high"), strict=True):
            same(column, [row[key] for row in told["rows"]])
        assert told["reveal"] in texts(screen)


def test_two_visitors_predictions_meet(open_app, monkeypatch):  # noqa: F811
    monkeypatch.setattr(lessons_page, "CLASSROOMS", TaughtClasses())
    for value in (1.0, 3.0):
        screen = at_step(open_app, lesson="1", step="1", **{"class": "abcd"})
        screen.at.main.slider[0].set_value(value or 1.0).run()
        assert screen.at.button(key="lesson_send").disabled is (value == 1.0)
        screen.at.main.slider[0].set_value(value + 0.5).run()
        press(screen, "lesson_send")
    view = screen.sheet("class_predictions")["class"]
    assert view["table"]["columns"][1] == [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]


def test_own_points_change_the_answer(open_app):  # noqa: F811
    screen = at_step(open_app, lesson="3", step="1")
    press(screen, "lesson_next")
    even = texts(screen)
    screen.at.number_input(key="points__0").set_value(20).run()
    assert texts(screen) != even
