"""Our components: declared, mounted and answered in one place.

Streamlit draws every picture in a task of its own that first waits for the component's module, and
does not keep those tasks in order: while a page opens, an older picture can be painted over a newer
one. So each picture carries the moment its data changed, and the browser leaves older ones alone.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.kit import routes
from pages.ui.kit.assets import module
from pages.ui.kit.messages import Message
from pages.ui.kit.parcels import Parcel, packed, sent

Sent = dict[str, Any]
"""A message with its moment, parts of it as digests."""

Read = Callable[[object], Any]
"""What the browser sent, checked; none when it sent something else."""

Answers = Mapping[str, tuple[Read, Callable[[Any], None]]]
"""What the browser may answer: how each answer is read, and what is done with it."""


class LastPicture(NamedTuple):
    """The last picture of a component: its data, their parts, and what was sent."""

    data: Mapping[str, Any]
    parts: Mapping[str, Parcel]
    message: Sent


LOADER = """
const module = await import(new URL("{path}", window.location.origin).href);
export default module.default;
"""


@dataclass(frozen=True)
class Component:
    """The parts of one component; ``root`` is the element that its script fills."""

    name: str
    root: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]

    def mount(self, data: Message, *, key: str, answers: Answers | None = None) -> None:
        """Draw it; an answer that reads as one is acted on before the next rerun."""
        handlers = {
            f"on_{name}_change": functools.partial(_answer, key, name, *pair)
            for name, pair in (answers or {}).items()
        }
        handlers["on_missing_change"] = functools.partial(_forget, key)
        message = _sent(data, key)
        served = routes.served()
        _declare(self, served)(key=key, data=_packed(message) if served else message, **handlers)


@functools.cache
def _declare(component: Component, served: bool) -> Callable[..., Any]:
    path = routes.from_root(routes.plotly_path()) if served else ""
    code = module(component.scripts, component.styles, path)
    if served:
        code = LOADER.format(path=routes.from_root(routes.offer(component.name, code)))
    return st.components.v2.component(component.name, html=component.root, js=code)


def _packed(message: Sent) -> bytes:
    """JSON without spaces and escapes, a tenth smaller than the one that Streamlit writes."""
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def _answer(key: str, name: str, read: Read, act: Callable[[Any], None]) -> None:
    answer = read(st.session_state[key].get(name))
    if answer is not None:
        act(answer)


def _forget(key: str) -> None:
    """The browser lacks a part of this picture: all of it is sent again."""
    for kept in ("parcels", "drawn"):
        st.session_state.get(kept, {}).pop(key, None)


def _sent(data: Message, key: str) -> Sent:
    """What goes to the browser: parts it has as digests, and the moment the data changed.

    The same data gives the same message, which Streamlit does not send again. Each picture has
    parts of its own: the browser may skip one of several, and draws them in no order.
    """
    drawn: dict[str, LastPicture] = st.session_state.setdefault("drawn", {})
    before = drawn.get(key, LastPicture({}, {}, {}))
    if before.data == data and before.message:
        return before.message
    known: dict[str, None] = st.session_state.setdefault("parcels", {}).setdefault(key, {})
    moment = max(time.time(), before.message.get("moment", 0.0) + 1e-3)
    parts = {k: packed(v, before.parts.get(k)) for k, v in data.items()}
    message = {**{k: sent(part, known) for k, part in parts.items()}, "moment": moment}
    drawn[key] = LastPicture(data, parts, message)
    return message
