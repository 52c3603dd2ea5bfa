"""The table of nodes: locks and importance to be set, which is done then, all else to be read."""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ButtonColumnResult, ColumnConfig

from core.errors import EquipoiseError
from core.options import PLAIN, Options
from figures.palette import PALETTE, hue
from pages.ui.allocate import words as say
from pages.ui.allocate.compared import NodeOrder, Plans, quantities, restart
from pages.ui.kit import inputs, state, words
from pages.ui.kit.acting import edited, select
from pages.ui.kit.markdown import refuse

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
        per_cent = _number(cells.get(LOCK, 100 * setting.floor), 0.0)
        weight = _number(cells.get(WEIGHT, setting.weight), 1.0)
        changes[rows[row]] = NodeSetting(
            per_cent / 100 if 0 <= per_cent < 100 else setting.floor,
            weight if 0 < weight <= WEIGHT_LIMIT else setting.weight,
        )
    return changes


def _number(sent: object, emptied: float) -> float:
    """What a cell holds, NaN if that is no number."""
    if sent is None:
        return emptied
    return float(sent) if isinstance(sent, int | float) and not isinstance(sent, bool) else math.nan


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


def _options() -> Options:
    return state.load().options.get(st.session_state.network, PLAIN)


def _keep(options: Options) -> None:
    every = {**state.load().options, st.session_state.network: options}
    state.change(options=every, message="", refresh=True)


ROW = 30
"""Pixels of a row."""

MOST = 16
"""Rows on show at once; the others are scrolled to."""

PICK = "allocate_pick"
UNASKED = "Nothing is locked. Type a share or an importance into a node's row."
HELP = {
    "node": "Click a name to pick the node out in the chart and on the graph.",
    LOCK: "At least this share of the budget of the released tables, in per cent; the other nodes "
    "share the rest in their own proportions. Empty: not locked.",
    WEIGHT: "How much the node's error counts, in nodes: 2 counts for two.",
    "table": "Nodes that share a table share its ε.",
}


@st.fragment
def nodes(plans: Plans, rows: NodeOrder, selected: str) -> None:
    """One row for each node; a lock redraws the page, and no row moves."""
    if edited():
        st.rerun()  # the sidebar names the locks
    _settings(plans)
    frame = listed(plans, rows, selected)
    st.data_editor(
        frame,
        key=rows.key,
        hide_index=True,
        column_config=_configured(plans, rows),
        disabled=[name for name in frame.columns if name not in (LOCK, WEIGHT)],
        height=ROW * min(MOST, len(rows.order)) + 40,
        row_height=ROW,
        placeholder="",
        on_change=functools.partial(_edit, rows),
        alt="Nodes with their locks, importance, budgets and what these follow from",
    )
    st.caption(
        "Nodes that share a table share one ε. Height, out-degree and sensitivity are public "
        "constants of the graph; of the data-dependent weights only δ reads the records."
    )


def _settings(plans: Plans) -> None:
    """What is asked for, in a line that is always there: the table below stays in its place."""
    options, message = plans.choice.scenario.options, state.load().message
    said = words.summary(options, len(plans.network.names))
    with st.container(horizontal=True, vertical_alignment="center", key="allocate_locks"):
        if message:
            refuse(message, icon=":material/lock:")
        else:
            st.markdown(f":material/lock: {said or UNASKED}")
        st.button("Unlock all", key="allocate_unlock", on_click=_unlock, disabled=not said)


def listed(plans: Plans, rows: NodeOrder, selected: str) -> pd.DataFrame:
    """The rows in their order."""
    traced, order = plans.chosen.trace.nodes, list(rows.order)
    floors = np.array([100 * node.floor for node in traced])
    columns = {
        "node": [f"▸ {name}" if name == selected else name for name in plans.network.names],
        LOCK: np.where(floors > 0, floors.round(6), np.nan),
        WEIGHT: np.array([node.importance for node in traced], dtype=float),
        **{p.method: p.epsilon for p in plans.shown if p is not plans.shown[-1]},
        "table": [f"t{table + 1}" for table in plans.tables],
        **{q.name: q.values for q in quantities(plans)},
    }
    return pd.DataFrame(columns).iloc[order].reset_index(drop=True)


def _configured(plans: Plans, rows: NodeOrder) -> dict[str, ColumnConfig | ButtonColumnResult]:
    kinds = st.column_config
    dark = int(st.context.theme.type == "dark")
    bars = plans.shown[:-1]
    most = max(float(plan.epsilon.max()) for plan in bars)
    return {
        "node": kinds.ButtonColumn(
            help=HELP["node"], pinned=True, alignment="left", type="tertiary",
            on_click=functools.partial(_pick, rows), key=PICK,
        ),
        LOCK: kinds.NumberColumn(
            "lock, at least", help=HELP[LOCK], min_value=0, max_value=99, step=0.1, format="%g %%"
        ),
        WEIGHT: kinds.NumberColumn(
            help=HELP[WEIGHT], min_value=0.1, max_value=WEIGHT_LIMIT, step=0.1, format="× %g"
        ),
        **{
            plan.method: kinds.ProgressColumn(
                f"{say.short(plan.method)} ε", help=say.formula(plan.method), width="medium",
                format="%.3g", min_value=0, max_value=most, color=PALETTE[hue(plan.method)][dark],
            )
            for plan in bars
        },
        "table": kinds.TextColumn(help=HELP["table"], width=60),
        **{
            q.name: kinds.NumberColumn(help=q.formula, format=q.form) for q in quantities(plans)
        },
    }  # fmt: skip


def _edit(rows: NodeOrder) -> None:
    """Cells were edited; what is refused does not stay in the table.

    A table that shows new numbers forgets what was typed, and says so: that is no edit.
    """
    cells = st.session_state[rows.key]["edited_rows"]
    if cells and not change(cells, rows.names):
        restart()
        state.change(refresh=True)


def _pick(rows: NodeOrder) -> None:
    clicked = st.session_state.get(PICK)
    if clicked is not None:
        select(rows.names[clicked["row"]])
        state.change(refresh=True)


def _unlock() -> None:
    """All locks and weights of this network go; prior and known tables stay."""
    _keep(replace(_options(), floors=(), weights=()))
    restart()
