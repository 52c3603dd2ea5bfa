"""Locks, weights and the prior as a person sets them on Allocate, and what is done then."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.errors import EquipoiseError
from core.options import PLAIN, Options
from pages.ui.kit import inputs, state

WEIGHT_LIMIT = 1000.0
"""Most a node may count for, in nodes."""

PRIOR_LIMIT = 1000.0
"""Largest pseudo-count, in records for each cell."""

LOCK, WEIGHT = "lock", "importance"
"""The columns of the node table that can be edited."""


@dataclass(frozen=True)
class NodeSetting:
    """What a person asked for one node: at least this share of ε, and this importance."""

    floor: float = 0.0
    weight: float = 1.0


def settings_of(options: Options) -> dict[str, NodeSetting]:
    """Locks and weights by node."""
    floors, weights = dict(options.floors), dict(options.weights)
    return {
        name: NodeSetting(floors.get(name, 0.0), weights.get(name, 1.0))
        for name in {**floors, **weights}
    }


def with_settings(options: Options, changes: Mapping[str, NodeSetting]) -> Options:
    """The options with some nodes set anew; what cannot be raises with its sentence."""
    settings = {**settings_of(options), **changes}
    return replace(
        options,
        floors=tuple((n, s.floor) for n, s in settings.items() if s.floor > 0),
        weights=tuple((n, s.weight) for n, s in settings.items() if s.weight != 1),
    )


def read_edits(
    edited: Mapping[int, Mapping[str, object]], rows: Sequence[str], options: Options
) -> dict[str, NodeSetting]:
    """What the edited cells ask for, by node; a cell that holds no sound number says nothing.

    ``edited`` is by row of the table and by column; an emptied cell is a setting taken back.
    """
    before = settings_of(options)
    changes = {}
    for row, cells in edited.items():
        setting = before.get(rows[row], NodeSetting())
        floor, weight = (
            _floor(cells.get(LOCK, 100 * setting.floor)),
            cells.get(WEIGHT, setting.weight),
        )
        changes[rows[row]] = NodeSetting(
            setting.floor if floor is None else floor,
            setting.weight if (read := _weight(weight)) is None else read,
        )
    return changes


def _floor(per_cent: object) -> float | None:
    number = 0.0 if per_cent is None else _number(per_cent)
    return number / 100 if number is not None and 0 <= number < 100 else None


def _weight(sent: object) -> float | None:
    number = 1.0 if sent is None else _number(sent)
    return number if number is not None and 0 < number <= WEIGHT_LIMIT else None


def _number(sent: object) -> float | None:
    if isinstance(sent, bool) or not isinstance(sent, int | float):
        return None
    return float(sent) if math.isfinite(sent) else None


def change(edited: Mapping[int, Mapping[str, object]], rows: Sequence[str]) -> bool:
    """Nodes were locked, unlocked or weighted; what cannot be is refused with a sentence."""
    options = inputs.chosen().scenario.options
    try:
        _keep(with_settings(options, read_edits(edited, rows, options)))
    except EquipoiseError as problem:
        state.change(message=f"Nothing was changed: {problem}.")
        return False
    return True


def smooth(prior: float) -> None:
    """Another public prior."""
    _keep(replace(_options(), prior=prior))


def unlock() -> None:
    """All locks and weights of this network go; prior and known tables stay."""
    _keep(replace(_options(), floors=(), weights=()))


def explain(method: str) -> None:
    """Another method's plan is to be explained."""
    state.change(explained=method, refresh=True)


def _options() -> Options:
    return state.load().options.get(st.session_state.network, PLAIN)


def _keep(options: Options) -> None:
    """They hold on every page: the sidebar's line follows at once."""
    every = {**state.load().options, st.session_state.network: options}
    state.change(options=every, message="", refresh=True)
