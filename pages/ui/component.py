"""Our components: declared, mounted and answered in one place.

Streamlit draws every picture in a task of its own that first waits for the component's module, and
does not keep those tasks in order: while a page opens, an older picture can be painted over a newer
one. So each picture carries the moment its data changed, and the browser leaves older ones alone.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui import palette
from pages.ui.assets import script, style

Data = dict[str, Any]
Read = Callable[[object], Any]
"""What the browser sent, checked; none when it sent something else."""

Answers = Mapping[str, tuple[Read, Callable[[Any], None]]]
"""What the browser may answer: how each answer is read, and what is done with it."""


@dataclass(frozen=True)
class Component:
    """The parts of one component; ``root`` is the element that its script fills."""

    name: str
    root: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    scope: str = ".board"

    def mount(self, data: Data, *, key: str, answers: Answers | None = None) -> None:
        """Draw it; an answer that reads as one is acted on before the next rerun."""
        handlers = {
            f"on_{name}_change": functools.partial(_answer, key, name, *pair)
            for name, pair in (answers or {}).items()
        }
        _declare(self)(key=key, data=_stamped(data, key), **handlers)


@functools.cache
def _declare(component: Component) -> Callable[..., Any]:
    return st.components.v2.component(
        component.name,
        html=component.root,
        css=palette.css(component.scope) + palette.tones() + style("board", component.styles),
        js=script("board", component.scripts),
    )


def _answer(key: str, name: str, read: Read, act: Callable[[Any], None]) -> None:
    found = read(st.session_state[key].get(name))
    if found is not None:
        act(found)


def _stamped(data: Data, key: str) -> Data:
    """The data with the moment it changed; the same data keeps its moment and is not sent again."""
    drawn: dict[str, tuple[Data, float]] = st.session_state.setdefault("drawn", {})
    before, moment = drawn.get(key, ({}, 0.0))
    if before != data:
        moment = max(time.time(), moment + 1e-3)
        drawn[key] = (data, moment)
    return {**data, "moment": moment}
