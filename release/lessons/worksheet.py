"""A lesson on paper: one page with room for predictions, and one with the answers if wanted."""

from __future__ import annotations

from collections.abc import Sequence

from release.dossier.markup import Markup, element
from release.lessons.course import OWN, Wish, document, lesson_of, line_of

STYLE = """
body { font: 11.5pt/1.4 sans-serif; margin: 0 auto; max-width: 178mm; color: #1B2127; }
section { break-after: page; padding: 8mm 0; }
h1 { font-size: 18pt; margin: 0 0 2mm; } h2 { font-size: 13pt; margin: 6mm 0 1mm; }
p { margin: 1mm 0; } code { font-size: 9pt; }
.room { border: 1px solid #8A949C; height: 19mm; margin: 2mm 0; padding: 1.5mm; color: #6E7881; }
.note { color: #6E7881; font-size: 9.5pt; }
"""
ROOM = {
    "number": "My number:",
    "band": "From: … to: …",
    "choice": "My choice:",
    "order": "My order:",
}


def sheet(numbers: Sequence[int], wish: Wish = OWN, *, key: bool = False) -> str:
    """The lessons as one HTML document, a page each; with ``key`` the answers in place of room."""
    pages = [_page(number, wish, key=key) for number in numbers]
    head = element(
        "head", element("meta", charset="utf-8"), element("title", "Lessons"),
        element("style", Markup(STYLE)),
    )  # fmt: skip
    return "<!doctype html>" + element("html", head, element("body", pages), lang="en")


def _page(number: int, wish: Wish, *, key: bool) -> Markup:
    lesson = lesson_of(number)
    parts = [
        element("h1", f"{number}. {lesson.title}"),
        element("p", f"{lesson.minutes} minutes. Predict before you look.", class_="note"),
    ]
    for step in range(1, len(lesson.steps) + 1):
        told = document(number, step, wish)
        parts += [element("h2", f"{step}. {told['title']}"), element("p", told["ask"])]
        if told["options"]:
            parts.append(element("ol", [element("li", name) for name in told["options"]]))
        if key:
            parts += [element("p", element("strong", told["reveal"])), element("p", told["cause"])]
            parts.append(element("p", element("code", line_of(number, step, wish))))
        else:
            parts.append(element("div", ROOM[told["kind"]], class_="room"))
    return element("section", parts)
