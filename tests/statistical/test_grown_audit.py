"""The audit of methods that choose and measure tables in turn, and the bugs it must catch."""

import numpy as np
import pytest

from core.privacy import Neighbours
from core.scenario import Scenario
from core.synthesis.measuring import Bench, NoisyTable
from release.audit.auditing import Ask, audit
from release.audit.grown import LEAK
from release.worker import ExactSampler

METHODS = ("adaptive", "adaptive-zcdp")


def asked(method, neighbours, bug="", **more):
    knobs = {"trials": 2_000, "power": False, **more}
    return Ask(
        method=method, scenario=Scenario(epsilon=4.0, neighbours=neighbours), bug=bug, **knobs
    )


@pytest.mark.parametrize(
    ("method", "neighbours"),
    [("adaptive", Neighbours.REPLACE), ("adaptive-zcdp", Neighbours.ADD_REMOVE),
     ("views", Neighbours.ADD_REMOVE)],
)  # fmt: skip
def test_nothing_is_found_and_one_record_shows(method, neighbours):
    result = audit(asked(method, neighbours))
    assert result.verdict == "none found" and 0 < result.lower_bound < result.tested.epsilon
    tables = {part.table for shown in result.pairs for part in shown.tables}
    assert {"all tables", "all that is no draw"} <= tables
    assert ("choice 1" in tables) == (method != "views")


@pytest.mark.parametrize(
    ("method", "neighbours"),
    [("adaptive", Neighbours.ADD_REMOVE), ("adaptive-zcdp", Neighbours.REPLACE)],
)
@pytest.mark.parametrize(
    ("bug", "blamed"),
    [("best-choice", "choice 1"), ("half-score", "choice 1"), ("half-choice", "choice 1"),
     ("half-tables", "all tables")],
)  # fmt: skip
def test_planted_bugs_are_caught_where_they_are(bug, blamed, method, neighbours):
    result = audit(asked(method, neighbours, bug))
    parts = [part for shown in result.pairs for part in shown.tables]
    broken = {part.table for part in parts if part.lower_bound > part.claim.epsilon}
    assert result.violated and blamed in broken
    assert ("all tables" in broken) == (blamed == "all tables")


def test_a_table_that_is_used_without_noise_is_caught(monkeypatch):
    """Not drawn, so no chance shows it: both sides must make the same of the same noisy tables."""
    measure = Bench.measure

    def peeking(self, sets, amount, priors=()):
        measure(self, sets, amount, priors)
        last = self.tables[-1]
        (exact,) = self.exact([last.columns])
        self.tables[-1] = NoisyTable(last.columns, np.maximum(exact, 0.5), last.variance)

    monkeypatch.setattr(Bench, "measure", peeking)
    result = audit(asked("adaptive", Neighbours.REPLACE, trials=400))
    parts = [part for shown in result.pairs for part in shown.tables]
    assert {p.table for p in parts if p.lower_bound == LEAK} == {"all that is no draw"}
    assert result.violated


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_runs_drawn_as_a_release_draws_them(method):
    ask = asked(method, Neighbours.REPLACE, "best-choice", trials=400)
    assert audit(ask, ExactSampler()).violated
