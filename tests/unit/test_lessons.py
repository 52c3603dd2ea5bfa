"""Lessons: numbers against what was expected and other verbs, words, predictions, the sheet."""

import itertools
import json
import math
import string

import pytest

from cli import main
from core.errors import EquipoiseError
from core.lessons.lesson import Answer, Bar, LessonStep, checked, judged, tallied
from pages.ui.lessons.lesson_place import CLASSES, ENTRIES, STEPS, TaughtClasses, new_code
from release.lessons.course import LESSONS, Wish, answered, document, lesson_of, sheet
from sources.networks import sample_names

EVERY = [(n, k) for n, lesson in LESSONS.items() for k in range(1, len(lesson.steps) + 1)]
MOST_WORDS = 120


def facts(number, step, **wish):
    return answered(number, step, Wish(**wish)).facts


@pytest.mark.parametrize(
    ("number", "step", "fact", "expected", "near"),
    [
        (1, 1, "ratio", 1.93, 0.03),
        (1, 1, "before", 0.0042, 0.0001),
        (1, 1, "after", 0.0081, 0.0001),
        (1, 3, "ratio", 1.47, 0.03),
        (2, 1, "least", 45, 0),
        (2, 1, "most", 7567, 0),
        (3, 2, "uniform", 0.0060, 0.0001),
        (3, 2, "data", 0.0117, 0.0002),
        (3, 2, "equipoise", 0.0025, 0.0001),
        (4, 1, "pure", 2.7, 0.05),
        (4, 2, "right", 2, 0.7),
        (4, 3, "pure", 55, 0.5),
        (5, 1, "complexity", 509, 0),
        (5, 1, "auc", 0.563, 0.001),
        (5, 2, "published", 2.1, 0.05),
        (5, 2, "leverage", 4.0, 0.05),
        (5, 2, "attack", 4.0, 0.6),
        (5, 3, "alone", 57, 0),
        (6, 1, "ratio", math.sqrt(2), 0.03),
        (8, 2, "many", 1.94, 0.06),
        (8, 3, "many", 0.95, 0.05),
    ],
)
def test_numbers_are_those_expected(number, step, fact, expected, near):
    assert facts(number, step)[fact] == pytest.approx(expected, abs=near + 1e-9)


def test_what_the_lessons_conclude():
    assert answered(2, 1).truth == (3, 2, 1, 0)
    assert answered(3, 2).truth == (2, 0, 1)
    assert facts(5, 2)["verdict"] == "more"
    assert facts(7, 2)["better"] == "Independent columns are"
    assert facts(7, 3)["verdict"] == "does not beat"
    assert "has 0 left" in facts(6, 3)["sentence"]
    assert facts(5, 1, network="asia", records=100)["auc"] == pytest.approx(0.62, abs=0.01)


def verb(capsys, *line):
    assert main([*line, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_other_verbs_say_the_same(capsys):
    for epsilon, fact in ((1.0, "before"), (0.5, "after")):
        line = ["allocate", "--network", "asia", "--epsilon", str(epsilon)]
        told = verb(capsys, *line)["error"]["l1_weighted"]["mean"]
        assert facts(1, 1)[fact] == pytest.approx(told, rel=1e-12)
    risk = verb(capsys, "risk", "--network", "alarm", "--neighbours", "replace", "--method",
                "equipoise", "--alpha", "0.01")  # fmt: skip
    assert facts(4, 1)["pure"] == pytest.approx(100 * risk["power"][0]["pure_epsilon"], rel=1e-12)
    assert facts(4, 1)["composed"] == pytest.approx(100 * risk["power"][0]["composed"], rel=1e-12)
    attack = verb(capsys, "attack", "--network", "alarm", "--records", "10000", "--pools", "5",
                  "--alpha", "0.001")  # fmt: skip
    assert facts(5, 2)["attack"] == pytest.approx(1000 * attack["power"][0]["mean"], rel=1e-12)
    audit = verb(capsys, "audit", "--trials", "1000", "--planted", "half-noise", "--no-power",
                 "--seed", "2")  # fmt: skip
    assert facts(8, 2)["few"] == pytest.approx(audit["lower_bound"], rel=1e-12)


@pytest.mark.parametrize(("number", "step"), EVERY)
def test_a_step_has_few_words_and_every_fact(number, step):
    told = document(number, step)
    texts = [told[name] for name in ("title", "ask", "reveal", "cause", "twist")]
    texts += [*told["options"], max(told["wrong"], key=lambda text: len(text.split()))]
    assert sum(len(text.split()) for text in texts) <= MOST_WORDS
    assert told["cause"].count(". ") == 0
    wrong = {"number": 2, "band": 3}.get(told["kind"], 1)
    assert len(told["wrong"]) == wrong


def test_a_text_types_no_number_that_is_computed():
    """Numbers in the words of an answer come from facts: the texts hold none but rates of 100."""
    for lesson in LESSONS.values():
        for step in lesson.steps:
            literal = "".join(part for part, *_ in string.Formatter().parse(step.reveal))
            digits = {
                word.strip(".,:;()") for word in literal.split() if any(map(str.isdigit, word))
            }
            assert digits <= {"100"}, step.title


@pytest.mark.parametrize("name", sample_names())
def test_another_network_changes_the_answer_key(name):
    """But for the audit, whose domains are small ones of its own."""
    wish, changed = Wish(network=name, records=1000), 0
    for number, step in EVERY:
        if name == LESSONS[number].network or number in (7, 8):
            continue
        try:
            told = document(number, step, wish)
        except EquipoiseError as problem:
            assert "choose another" in str(problem)
            continue
        changed += told["rows"] != document(number, step)["rows"]
    assert changed >= 4


def step_of(kind, wrong=("low", "high", "off")):
    return LessonStep("t", kind, "", "", "", "", wrong, lambda room: None)


def answer_of(truth, options=(), span=(0.0, 10.0, 0.1)):
    return Answer(truth, {}, (Bar("a", 1.0),), "", span, options)


@pytest.mark.parametrize(
    ("kind", "truth", "sent", "said"),
    [
        ("number", (5.0,), (1.0,), "low"),
        ("number", (5.0,), (9.0,), "high"),
        ("number", (5.0,), (5.4,), "Close to what is computed."),
        ("band", (4.0, 6.0), (4.9, 5.2), "low"),
        ("band", (4.0, 6.0), (0.0, 9.0), "high"),
        ("band", (4.0, 6.0), (7.0, 9.0), "off"),
        ("band", (4.0, 6.0), (4.2, 6.1), "About as wide as it is."),
        ("choice", (1.0,), (0.0,), "low"),
        ("choice", (1.0,), (1.0,), "Right."),
        ("order", (1.0, 0.0), (0.0, 1.0), "low"),
    ],
)
def test_a_prediction_is_answered_with_a_reason(kind, truth, sent, said):
    assert judged(step_of(kind), answer_of(truth, ("a", "b")), sent) == said


@pytest.mark.parametrize(
    ("kind", "sent"),
    [("number", (11.0,)), ("number", (math.nan,)), ("band", (5.0, 4.0)), ("band", (1.0,)),
     ("choice", (2.0,)), ("choice", (0.5,)), ("order", (0.0, 0.0))],
)  # fmt: skip
def test_what_is_no_prediction_is_refused(kind, sent):
    with pytest.raises(EquipoiseError, match="predict again"):
        checked(step_of(kind), answer_of((1.0,), ("a", "b")), sent)


def test_predictions_are_counted():
    number = tallied(step_of("number"), answer_of((1.0,)), [(0.0,), (9.95,), (10.0,), (5.5,)])
    assert [count for _, count in number] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 2]
    band = tallied(step_of("band"), answer_of((1.0, 2.0)), [(1.5, 3.5), (3.2, 3.3)])
    assert [count for _, count in band] == [0, 1, 1, 2, 0, 0, 0, 0, 0, 0]
    order = tallied(step_of("order"), answer_of((1.0, 0.0), ("a", "b")), [(1.0, 0.0)])
    assert order == [("a", 0), ("b", 1)]
    assert sum(c for _, c in tallied(step_of("band"), answer_of((1.0, 2.0)), [])) == 0


def test_classes_are_bounded_and_apart():
    classes = TaughtClasses()
    for i in range(CLASSES + 5):
        classes.send(f"code{i:03d}", (1, 1), (1.0,))
    assert classes.sent("code000", (1, 1)) == ()
    last = f"code{CLASSES + 4:03d}"
    assert classes.sent(last, (1, 1)) == ((1.0,),)
    assert classes.sent(last, (1, 2)) == ()
    for step in range(STEPS + 5):
        classes.send(last, (2, step), (1.0,))
    assert classes.sent(last, (2, 0)) == ()
    for _ in range(ENTRIES):
        classes.send("full", (1, 1), (2.0,))
    with pytest.raises(EquipoiseError, match="begin a new one"):
        classes.send("full", (1, 1), (2.0,))
    for bad in ("", "abc", "ABCD", "a" * 13, "ab cd"):
        with pytest.raises(EquipoiseError, match="class code"):
            classes.send(bad, (1, 1), (1.0,))
    assert len({new_code() for _ in range(20)}) == 20


def test_the_sheet_has_a_page_a_lesson_with_room_and_no_answers():
    paper = sheet(list(LESSONS))
    assert paper.count("<section>") == len(LESSONS)
    assert paper.count('class="room"') == len(EVERY)
    assert document(4, 1)["reveal"] not in paper
    assert document(4, 1)["ask"] in paper
    key = sheet([4], key=True)
    assert document(4, 1)["reveal"] in key
    assert "cli.py lesson 4 --step 1" in key


@pytest.mark.parametrize(
    ("line", "said"),
    [(["9"], "no lesson 9"), (["4", "--step", "7"], "no step 7"),
     (["1", "--records", "7"], "50 to"),
     (["1", "--epsilon", "99"], "0.01 to 20"), (["3", "--points", "1,2"], "8 positive numbers")],
)  # fmt: skip
def test_bad_input_gets_one_sentence(capsys, line, said):
    assert main(["lesson", *line]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_the_shell_prints_lessons_steps_and_a_sheet(capsys, tmp_path):
    assert main(["lesson"]) == 0
    listed = capsys.readouterr().out
    assert all(lesson.title in listed for lesson in LESSONS.values())
    assert main(["lesson", "4", "--sheet", str(tmp_path / "four.html")]) == 0
    out = capsys.readouterr().out
    assert [f"{k}. {s.title}" in out for k, s in enumerate(lesson_of(4).steps, 1)] == [True] * 3
    assert "What an attacker finds" in (tmp_path / "four.html").read_text(encoding="utf-8")


def test_lessons_take_about_ten_minutes_and_are_numbered():
    assert list(LESSONS) == list(range(1, 9))
    assert all(8 <= lesson.minutes <= 12 for lesson in LESSONS.values())
    titles = [lesson.title for lesson in LESSONS.values()]
    assert all(a != b for a, b in itertools.combinations(titles, 2))
