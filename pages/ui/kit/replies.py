"""What the browser sends back, checked before anyone acts on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Edit:
    """A change of the graph asked for on the board; the names are checked to be known ones."""

    operation: Literal["add", "remove", "restore"]
    parent: str
    child: str


@dataclass(frozen=True)
class Observation:
    """A variable is in a state, or no longer known where ``state`` is empty."""

    node: str
    state: str = ""


def one_of(value: object, known: set[str]) -> str | None:
    """A name the browser sent, or none when it is not one of the known ones."""
    return value if isinstance(value, str) and value in known else None


def read_edit(value: object, names: set[str]) -> Edit | None:
    """The edit asked for, or none when the browser sent something else."""
    match value:
        case {"op": "restore"}:
            return Edit("restore", "", "")
        case {"op": "add" | "remove" as operation, "parent": str(parent), "child": str(child)}:
            return Edit(operation, parent, child) if {parent, child} <= names else None
    return None


def read_observation(value: object, states: Mapping[str, tuple[str, ...]]) -> Observation | None:
    """What was observed, or none when the browser sent something else; no node clears all."""
    match value:
        case {"node": "", "state": ""}:
            return Observation("")
        case {"node": str(node), "state": str(state)} if node in states:
            return Observation(node, state) if state in ("", *states[node]) else None
    return None
