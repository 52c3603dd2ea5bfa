"""Matches: the ε that gives the reference's error, and where no such ε means anything."""

import json

import numpy as np
import pytest

from cli import main
from core.study.error_curves import ErrorCurve
from core.study.experiments import Point, match
from pages.ui.utility.words import needed

GRID = (0.1, 0.3, 1.0, 3.0)
DRAWS = np.linspace(0.5, 1.5, 20)


def points(method, metric, *curves):
    return [Point(method, e, metric, values) for e, values in zip(GRID, curves, strict=True)]


def falling(factor):
    """An error of noise: in proportion to 1/ε, the same draws at every ε."""
    return [factor * DRAWS / e for e in GRID]


def test_an_accuracy_at_its_ceiling_is_left_out():
    """All three explanations are right from ε = 1 on, so 1 instead of 3 is no saving."""
    share = [np.full(20, s) for s in (0.4, 0.8, 1.0, 1.0)]
    better = [np.full(20, s) for s in (0.9, 1.0, 1.0, 1.0)]
    both = points("uniform", "map_accuracy", *share) + points("equipoise", "map_accuracy", *better)
    for found in match(both, "uniform", 3.0):
        assert found.saturated
        assert found.epsilon is None and found.ratio is None


def test_an_error_that_noise_alone_decides_is_left_out():
    """The reference goes up and down by chance: any ε would match."""
    rng = np.random.default_rng(0)
    flat = [1.0 + 0.1 * rng.standard_normal(20) for _ in GRID]
    found = match(points("a", "l1_row", *flat) + points("b", "l1_row", *falling(1)), "a", 3.0)
    assert {m.saturated for m in found} == {True}


def test_an_error_that_falls_is_matched_and_the_reference_matches_itself():
    both = points("a", "l1_row", *falling(1)) + points("b", "l1_row", *falling(0.5))
    own, other = match(both, "a", 3.0)
    assert (own.epsilon, own.ratio, own.saturated) == (3.0, 1.0, False)
    assert other.epsilon == pytest.approx(1.5) and other.ratio == pytest.approx(0.5)
    assert not other.saturated


def test_a_neighbour_on_the_grid_that_is_hardly_less_does_not_count():
    """2.9 and 3 may look alike: the ratio is off by a thirtieth then, and still says something."""
    share = [np.full(20, s) for s in (0.4, 0.8, 0.9, 0.9)]
    near = [
        Point("a", e, "map_accuracy", v) for e, v in zip((0.3, 1.0, 2.9, 3.0), share, strict=True)
    ]
    (own,) = match(near, "a", 3.0)
    assert not own.saturated and own.ratio == pytest.approx(2.9 / 3)


ASIA = [
    "sweep", "--network", "asia", "--records", "10000", "--methods", "uniform,equipoise-filter",
    "--epsilons", "0.3,1,3,10", "--replicates", "20", "--metrics", "l1_row,map_accuracy",
]  # fmt: skip


def test_the_shell_says_which_metric_is_left_out(capsys):
    assert main([*ASIA, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    left_out = {m["metric"] for m in document["matches"] if m["saturated"]}
    assert left_out == {"map_accuracy"}
    assert all(m["ratio"] is None for m in document["matches"] if m["saturated"])
    assert main(ASIA) == 0
    text = capsys.readouterr().out
    assert "map_accuracy: saturated, left out; uniform is no worse with less" in text


def test_the_page_says_so_too():
    share = [np.full(20, 1.0) for _ in GRID]
    (own,) = match(points("uniform", "map_accuracy", *share), "uniform", 3.0)
    assert needed(own, ErrorCurve("uniform", GRID, np.ones((7, 4)))) == "saturated: left out"
