"""What the browser sends back, checked before anyone acts on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Edit:
    """A change of the graph asked for on the board; the names are checked to be known ones."""

    operation: Literal["add", "remove", "restore"]
    parent: str
    child: str


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
