"""What each parameter of a link does to the session, or why it cannot be used."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from core.errors import EquipoiseError
from core.methods.registry import METHODS
from core.network import Network
from core.options import PLAIN, Options
from pages.ui.kit import builder, state
from pages.ui.kit import link_text as text
from pages.ui.kit.acting import SHOWN

LIMITS = len(state.Session().limits)


@dataclass(frozen=True)
class On:
    """The network a link speaks of, as it was loaded."""

    name: str
    loaded: Network

    def shown(self, session: state.Session) -> Network:
        """With the edits of the session."""
        return session.edits.get(self.name, self.loaded)


def _method(value: str, session: state.Session, on: On) -> state.Session:
    return replace(session, method=_one_of(value, list(SHOWN)))


def _plan(value: str, session: state.Session, on: On) -> state.Session:
    private = [name for name, method in METHODS.items() if method.guarantee.private]
    return replace(session, explained=_one_of(value, private))


def _node(value: str, session: state.Session, on: On) -> state.Session:
    return replace(session, selected=_one_of(value, on.loaded.names))


def _edges(value: str, session: state.Session, on: On) -> state.Session:
    return replace(session, edits={**session.edits, on.name: text.read_edges(value, on.loaded)})


def _asking(session: state.Session, on: On, change: Callable[[Options], Options]) -> state.Session:
    options = change(session.options.get(on.name, PLAIN))
    return replace(session, options={**session.options, on.name: options})


def _locks(value: str, session: state.Session, on: On) -> state.Session:
    floors = text.read_named(value, on.loaded)
    return _asking(session, on, lambda options: replace(options, floors=floors))


def _weights(value: str, session: state.Session, on: On) -> state.Session:
    weights = text.read_named(value, on.loaded)
    return _asking(session, on, lambda options: replace(options, weights=weights))


def _prior(value: str, session: state.Session, on: On) -> state.Session:
    prior = text.read_number(value)
    return _asking(session, on, lambda options: replace(options, prior=prior))


def _limits(value: str, session: state.Session, on: On) -> state.Session:
    limits = tuple(text.read_number(part) for part in value.split("_"))
    if len(limits) != LIMITS or not all(0 < limit < 1 for limit in limits):
        raise EquipoiseError(f"it is not {LIMITS} numbers between 0 and 1")
    return replace(session, limits=limits)


def _ask(value: str, session: state.Session, on: On) -> state.Session:
    network = on.shown(session)
    builder.put(text.read_query(value, network), network)
    return session


def _showing(value: str, session: state.Session, on: On) -> state.Session:
    known: tuple[str, ...] = get_args(state.Showing)
    return replace(session, showing=cast("state.Showing", _one_of(value, known)))


def _evidence(value: str, session: state.Session, on: On) -> state.Session:
    given = text.read_given(value, on.shown(session))
    return replace(session, evidence={**session.evidence, on.name: given})


def _look(value: str, session: state.Session, on: On) -> state.Session:
    if not re.fullmatch(r"[a-z-]+\.\d(_[a-z-]+\.\d)*", value):
        raise EquipoiseError("it is not a list like graph.1_error.1")
    return session  # the browser reads it


READERS: dict[str, Callable[[str, state.Session, On], state.Session]] = {
    "method": _method, "plan": _plan, "node": _node, "edges": _edges, "locks": _locks,
    "weights": _weights, "prior": _prior, "limits": _limits, "ask": _ask, "showing": _showing,
    "evidence": _evidence, "look": _look,
}  # fmt: skip


def _one_of(value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise EquipoiseError(unknown(value, known))
    return value


def unknown(value: str, known: Sequence[str]) -> str:
    """What there is instead: the likely one, or all while they are few."""
    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(value.lower(), folded, 1)
    if close:
        return f"there is no such value (perhaps {folded[close[0]]} is meant)"
    few = f"; there are {', '.join(known)}" if len(known) <= 12 else ""
    return f"there is no such value{few}"
