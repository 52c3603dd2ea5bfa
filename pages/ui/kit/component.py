"""Our components: declared, mounted and answered in one place.

Streamlit draws every picture in a task of its own that first waits for the component's module, and
does not keep those tasks in order: while a page opens, an older picture can be painted over a newer
one. So each picture carries the moment its data changed, and the browser leaves older ones alone.

Their code is small files joined into one module, style sheet included. Served under its digest it
travels once (:mod:`pages.ui.kit.routes`); where there is no route it goes with the component.
"""

import functools
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from figures import palette
from pages.ui.kit import routes
from pages.ui.kit.messages import Message
from pages.ui.kit.parcels import Parcel, packed, sent

FOLDER = Path(__file__).parent / "browser"

NEWEST = """const drawnLast = new WeakMap();
export default function (given) {
const { data: sent, parentElement } = given;
const data = ArrayBuffer.isView(sent) ? JSON.parse(new TextDecoder().decode(sent)) : sent;
if (data.moment < drawnLast.get(parentElement)) return undefined;
if (!drawnLast.has(parentElement)) dress(parentElement);
drawnLast.set(parentElement, data.moment);
return drawPicture({ ...given, data });
}
function dress(parentElement) {
const sheet = document.createElement("style");
sheet.textContent = STYLE;
parentElement.prepend(sheet);
}
"""
"""What Streamlit calls for every picture: the older of two that overtook each other is left out."""

_IMPORT = re.compile(r"^import\b[^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_DRAW = "export default function ("
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
_INDENT = re.compile(r"^\s+", re.MULTILINE)


@functools.cache
def module(scripts: tuple[str, ...], styles: tuple[str, ...], plotly_path: str) -> str:
    """One module from several files: imports and exports between them fall away.

    The files share one scope once joined: a test holds their top-level names apart.
    """
    joined = "".join(_EXPORT.sub("", _IMPORT.sub("", read(f"{n}.js"))) for n in scripts)
    joined = joined.replace(_DRAW, "function drawPicture(")
    constants = f"const STYLE = {json.dumps(style(styles))};\n"
    constants += f"const PLOTLY_PATH = {json.dumps(plotly_path)};\n"
    return constants + _INDENT.sub("", _COMMENT.sub("", joined)) + NEWEST


def style(names: Iterable[str]) -> str:
    """One style sheet: the palette as custom properties that follow the theme, then the files.

    Streamlit sets ``color-scheme`` on the app, so ``light-dark`` switches without a script.
    """
    rules = "".join(_INDENT.sub("", read(f"{name}.css")) for name in names)
    return f".board,.knob{{{palette.properties()}}}\n{_tones()}{rules}"


def _tones() -> str:
    """Classes ``fill-`` and ``tone-`` for what is drawn and written in a hue."""
    return "".join(
        f".fill-{name}{{fill:var(--{name});background:var(--{name})}}"
        f".board .tone-{name}{{color:var(--{name}-text);fill:var(--{name}-text)}}\n"
        for name in (*palette.METHOD_HUES, "truth", "risk")
    )


def read(file: str) -> str:
    """Text of one asset."""
    return (FOLDER / file).read_text(encoding="utf-8")


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
