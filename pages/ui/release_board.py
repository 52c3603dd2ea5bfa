"""The boards of Release, each one JSON object (built in :mod:`pages.ui.release`).

Top:        ``epsilon``, ``scenario``, ``heading``, ``badge``, ``finding`` as on Explore's board.
Checks:     texts of a view, ``lines`` of ``key``, ``title``, ``state``, ``number``, ``sentence``,
            ``advice``, ``basis``, ``final``, ``reason``, ``refusal`` (why a reason was refused) and
            ``action`` (words, and where on the page to go; or null).
Plan:       ``plan`` (texts, ``rows`` of two texts) and ``meter`` (texts, ``budget``, ``spent`` as a
            list of numbers, ``cost``, ``left``, ``after``; null where no budget is stated).
Tables:     ``views`` of texts, ``head`` and ``rows`` of texts.
Rehearsed:  texts, ``finding``, ``hue``, ``limit``, ``bands`` of ``name`` and ``values``: seven
            quantiles.
Audited:    texts, ``claim``, ``delta``, ``rows`` of ``name`` and ``bound``; ``total`` pairs.
Paper:      ``title`` and ``html``: a document of ours, shown in a frame that runs nothing.

Names come from files: everything is shown with ``textContent``, and the document is made by
:mod:`release.dossier.markup`. The browser answers with ``override`` (``key``, ``reason``),
``withdraw`` (``key``) and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from pages.ui.answers import one_of
from pages.ui.component import Component, Data

STYLES = ("board", "tables", "charts", "room", "utility", "review", "release")
BASE = ("dom", "words", "scale", "view")
TOP_SCRIPTS = ("dom", "top", "release_top")
CHECK_SCRIPTS = (*BASE, "claims", "checks")
PLAN_SCRIPTS = (*BASE, "meter")
TABLE_SCRIPTS = (*BASE, "facts", "notes")
REHEARSED_SCRIPTS = (*BASE, "top", "rehearsed")
AUDITED_SCRIPTS = (*BASE, "audited")
PAPER_SCRIPTS = ("dom", "paper")


def _component(name: str, scripts: tuple[str, ...], painted: str = "") -> Component:
    root = f'<div class="board releaseboard {name}"{painted}></div>'
    return Component(f"equipoise_{name}", root, scripts, STYLES)


TOP = _component("release", TOP_SCRIPTS, ' data-painted="0"')
CHECKS = _component("checks", CHECK_SCRIPTS)
PLAN = _component("plan", PLAN_SCRIPTS)
TABLES = _component("exact", TABLE_SCRIPTS)
REHEARSED = _component("rehearsed", REHEARSED_SCRIPTS)
AUDITED = _component("audited", AUDITED_SCRIPTS)
PAPER = _component("paper", PAPER_SCRIPTS)

LONGEST = 2_000
"""Characters of a reason that are read; the checklist says what is too long."""


def mount_checks(
    data: Data,
    *,
    key: str,
    override: Callable[[tuple[str, str]], None],
    withdraw: Callable[[str], None],
) -> None:
    """Mount the checklist; the callbacks run before the next rerun, with checked values."""
    known = {line["key"] for line in data["lines"]}
    CHECKS.mount(
        data,
        key=key,
        answers={
            "override": (lambda sent: read_override(sent, known), override),
            "withdraw": (lambda sent: one_of(sent, known), withdraw),
        },
    )


def read_override(sent: object, known: set[str]) -> tuple[str, str] | None:
    """The line and the reason, or none when the browser sent something else."""
    match sent:
        case {"key": str(key), "reason": str(reason)} if key in known:
            return key, reason[:LONGEST]
    return None
