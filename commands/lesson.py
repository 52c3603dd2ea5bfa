"""The verb ``lesson``: the steps of a lesson and the computed answers."""

from __future__ import annotations

import argparse
from pathlib import Path

from commands.output import Document, say, write_file, write_lines, write_table
from commands.values import number, numbers
from release.lessons.course import LESSONS, Wish, document, lesson_of, line_of
from release.lessons.worksheet import sheet
from sources.networks import sample_names


def add(parser: argparse.ArgumentParser) -> None:
    """Which lesson and step, and what is changed of its scenario."""
    parser.add_argument(
        "lesson", nargs="?", type=int, metavar="N", help="1 to 8 (default: list them)"
    )
    parser.add_argument("--step", type=int, metavar="K", help="one step alone (default: all)")
    add = parser.add_argument_group("scenario (default: the lesson's own)").add_argument
    add("--network", default="", choices=sample_names(), metavar="NAME",
        help=f"one of {', '.join(sample_names())}")  # fmt: skip
    add("--records", type=int, default=0, metavar="N", help="records to sample")
    add("--epsilon", type=number, default=0.0, metavar="E", help="ε, the total budget")
    add("--seed", type=int, default=0, metavar="N", help="seed of the noise (default: 0)")
    add("--points", type=numbers, default=[], metavar="A,B",
        help="lesson 3: points for every variable, in the network's order")  # fmt: skip
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write the lesson as HTML to print"
    )
    parser.add_argument("--answers", action="store_true", help="with the answers on the sheet")


def run(arguments: argparse.Namespace) -> Document:
    """The steps with their answers; without a number, the lessons."""
    wish = Wish(
        arguments.network, arguments.records, arguments.epsilon, arguments.seed,
        tuple(arguments.points),
    )  # fmt: skip
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


def _listed(number: int) -> Document:
    lesson = lesson_of(number)
    return {
        "number": number,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "network": lesson.network,
        "titles": [step.title for step in lesson.steps],
    }


def show(document: Document) -> None:
    """As paragraphs, the answer behind its question."""
    if "lessons" in document:
        keys = ("number", "title", "minutes", "network")
        write_table(keys, [[one[k] for k in keys] for one in document["lessons"]])
        return
    write_lines(f"Lesson {document['number']}: {document['title']}")
    for step in document["steps"]:
        write_lines("", f"{step['step']}. {step['title']}", step["ask"])
        write_lines(*(f"  {i}. {name}" for i, name in enumerate(step["options"], start=1)))
        write_lines(
            f"Answer: {step['reveal']}", f"Cause: {step['cause']}", f"Twist: {step['twist']}"
        )
        rows = [[row[key] for key in ("name", "value", "low", "high")] for row in step["rows"]]
        write_table(("", "value", "low", "high"), rows)
