"""The verb ``lesson``: the steps of a lesson and the computed answers."""

import argparse
from pathlib import Path

from commands.output import Document, picked, say, write_file, write_lines, write_table
from commands.values import check_idle, filled, number, numbers, options
from release.lessons.course import LESSONS, Wish, document, lesson_of, line_of, sheet
from sources.networks import sample_names


def add(parser: argparse.ArgumentParser) -> None:
    """Which lesson and step, and what is changed of its scenario."""
    told = "1 to 8 (default: list them)"
    parser.add_argument("lesson", nargs="?", type=int, metavar="N", help=told)
    options(parser, ("--step", int, None, "K", "one step alone (default: all)"))
    known = sample_names()
    options(
        parser.add_argument_group("scenario (default: the lesson's own)"),
        ("--network", known, "", "NAME", f"one of {', '.join(known)}"),
        ("--records", int, 0, "N", "records to sample"),
        ("--epsilon", number, 0.0, "E", "ε, the total budget"),
        ("--seed", int, 0, "N", "seed of the noise (default: 0)"),
        ("--points", numbers, [], "A,B",
         "lesson 3: points for every variable, in the network's order"),
    )  # fmt: skip
    options(
        parser,
        ("--sheet", Path, None, "FILE", "write the lesson as HTML to print"),
        ("--answers", bool, False, None, "with the answers on the sheet"),
    )


def run(arguments: argparse.Namespace) -> Document:
    """The steps with their answers; without a number, the lessons."""
    _check_options(arguments)
    wish = filled(Wish, arguments, points=tuple(arguments.points))
    wanted = list(LESSONS) if arguments.lesson is None else [arguments.lesson]
    if arguments.sheet is not None:
        page = sheet(wanted, wish, key=arguments.answers)
        write_file(arguments.sheet, page.encode())
        say(f"sheet: {arguments.sheet}")
    if arguments.lesson is None:
        return {"lessons": [_listed(n) for n in wanted]}
    lesson = lesson_of(arguments.lesson)
    steps = range(1, len(lesson.steps) + 1) if arguments.step is None else [arguments.step]
    told = [document(lesson.number, k, wish) for k in steps]
    lines = [line_of(lesson.number, k, wish) for k in steps]
    return {
        **_listed(lesson.number),
        "steps": [{**one, "command": line} for one, line in zip(told, lines, strict=True)],
    }


def _check_options(arguments: argparse.Namespace) -> None:
    """Refuse what a list of the lessons, or a lesson without a sheet, would ignore."""
    if arguments.lesson is None:
        check_idle(arguments, "is about one lesson: write its number before it", step=None)
        if arguments.sheet is None:
            why = "changes a lesson, and a list shows none: write its number, add --sheet FILE"
            check_idle(arguments, why, network="", records=0, epsilon=0.0, seed=0, points=[])
    if arguments.sheet is None:
        check_idle(arguments, "is about the sheet: add --sheet FILE", answers=False)


def _listed(number: int) -> Document:
    lesson = lesson_of(number)
    titles = [step.title for step in lesson.steps]
    return {"number": number, **picked(lesson, "title", "minutes", "network"), "titles": titles}


def show(document: Document) -> None:
    """As paragraphs, the answer behind its question."""
    if "lessons" in document:
        write_table(("number", "title", "minutes", "network"), document["lessons"])
        return
    write_lines(f"Lesson {document['number']}: {document['title']}")
    for step in document["steps"]:
        write_lines("", f"{step['step']}. {step['title']}", step["ask"])
        write_lines(*(f"  {i}. {name}" for i, name in enumerate(step["options"], start=1)))
        write_lines(
            f"Answer: {step['reveal']}", f"Cause: {step['cause']}", f"Twist: {step['twist']}"
        )
        write_table({"": "name", "value": "value", "low": "low", "high": "high"}, step["rows"])
