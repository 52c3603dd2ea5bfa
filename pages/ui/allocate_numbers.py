"""What Allocate asks of the engine, and locks and weights as the board sets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.counts import CountSource
from core.options import Options
from core.scenario import Scenario
from core.study.allocated import ROW_ERROR, Allocated, allocated
from core.study.metrics import Truth
from pages.ui.allocate_board import Setting


def planned(method: str, truth: Truth, counts: CountSource, scenario: Scenario) -> Allocated:
    """The plan of a method with its trace and the row error that follows. Study only."""
    return allocated(method, truth, counts, scenario, (ROW_ERROR,))


def asked(options: Options) -> dict[str, Setting]:
    """Locks and weights by node."""
    floors, weights = dict(options.floors), dict(options.weights)
    return {
        name: Setting(floors.get(name, 0.0), weights.get(name, 1.0))
        for name in {**floors, **weights}
    }


def with_setting(options: Options, node: str, setting: Setting) -> Options:
    """The options with one node's setting changed; an impossible one raises with its sentence."""
    return _with(options, {**asked(options), node: setting})


def _with(options: Options, settings: Mapping[str, Setting]) -> Options:
    """The options with these settings instead of its own; what is not asked for is left out."""
    return replace(
        options,
        floors=tuple((n, s.floor) for n, s in settings.items() if s.floor > 0),
        weights=tuple((n, s.weight) for n, s in settings.items() if s.weight != 1),
    )
