"""Intervals with a release: they cover, they follow from public files, the shell tells them."""

import json

import numpy as np
import pytest

from benchmarks.intervals import coverage, data
from cli import main
from core.inference.evidence import Query
from core.inference.queries import query
from core.methods.method import packed_counts
from core.parameters import fit
from core.scenario import Scenario
from core.study.pivot import STEPS, MeasuredTable, Pivot, RowIntervals, _at_most
from core.table import cells
from release import uncertainty
from release.dossier.sections import intervals_section
from release.measurements import MEASUREMENTS, rebuilt
from release.publish import publish
from release.uncertainty import INTERVALS, ask
from tests.release.ordering import here, order


@pytest.mark.parametrize("last_bit", [-1, 0, 1])
def test_limits_are_rounded_outwards_and_no_last_bit_moves_one(last_bit):
    """Processors add in different orders, and a limit is often a share of few replicates."""
    exact = np.array([0.0, 0.095, 0.375, 0.5, 1.0])
    moved = np.clip(exact + last_bit * 2e-15, 0, 1)
    found = uncertainty.outwards(RowIntervals(moved, moved))
    assert found.low.tolist() == found.high.tolist() == exact.tolist()
    between = np.array([0.00001, 0.12341, 0.12349, 0.99999])
    found = uncertainty.outwards(RowIntervals(between, between))
    assert found.low.tolist() == [0, 0.1234, 0.1234, 0.9999]
    assert found.high.tolist() == [0.0001, 0.1235, 0.1235, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "method", "epsilon", "releases"),
    [
        ("asia", "uniform", 0.3, 40),
        ("sachs", "equipoise", 1.0, 20),
        ("child", "equipoise-zcdp", 0.3, 12),
        ("alarm", "equipoise", 1.0, 6),
    ],
)
def test_nine_in_ten_are_covered(name, method, epsilon, releases):
    network, counts = data(name)
    found = coverage(network, counts, method, Scenario(epsilon=epsilon), releases)
    assert 0.85 <= found.rows <= 0.95
    assert 0.85 <= found.questions <= 0.95
    assert found.rows_bootstrap < 0.85  # why the released model is not where they start


def tables_of(study, scale):
    """One exact table for each family, said to have noise of that scale."""
    families = study.network.families
    counted = study.counts.counts(families)
    names = [tuple(v.name for v in family) for family in families]
    pairs = zip(names, counted, strict=True)
    return [MeasuredTable(own, t.values.ravel(), scale, gaussian=False) for own, t in pairs]


def exact_of(study):
    return fit(study.network, packed_counts(study.network, study.counts).copy())


def test_without_noise_the_interval_is_the_value(study):
    """Limit: noise of scale zero leaves one value for every row that somebody fills."""
    exact = exact_of(study)
    found = Pivot.of(exact, tables_of(study, 1e-9), replicates=100, rng=np.random.default_rng(0))
    rows, totals = found.rows(), study.network.layout.row_totals
    lengths = np.concatenate(
        [np.full(b.rows.stop - b.rows.start, b.cardinality) for b in study.network.layout.blocks]
    )
    filled = np.repeat(totals(packed_counts(study.network, study.counts)), lengths) > 0
    assert np.allclose(rows.low[filled], exact.values[filled])
    assert np.allclose(rows.high[filled], exact.values[filled])
    assert (rows.low[~filled] <= 0.01).all()
    assert (rows.high[~filled] >= 0.99).all()  # nobody is there: anything may be
    told, low, high = found.answers(Query(("lung",), {"xray": "yes"}))
    assert np.allclose(low, told) and np.allclose(high, told)


def test_one_row_against_every_value_tried_by_hand(study):
    """Twin: a root's row, each value left out where the noise would be in an outer twentieth."""
    rng, name = np.random.default_rng(3), study.network.names[0]
    own = study.network.families[0]
    assert len(own) == 1
    (counted,) = study.counts.counts([own])
    noisy = counted.values.ravel() + rng.laplace(scale=30, size=cells(own)).round()
    table = MeasuredTable((name,), noisy, 30.0, gaussian=False)
    drawn = table.again(4000, rng=rng)
    y, total = noisy[0], noisy.sum()
    kept = [
        theta
        for theta in np.linspace(0, 1, 2001)
        if np.quantile(drawn[:, 0] - theta * drawn.sum(axis=1), 0.05)
        <= y - theta * total
        <= np.quantile(drawn[:, 0] - theta * drawn.sum(axis=1), 0.95)
    ]
    released = exact_of(study)
    found = Pivot.of(released, [table], replicates=4000, rng=rng).rows()
    where = study.network.layout.slices[0]
    least = min(kept[0], released.values[where][0])
    most = max(kept[-1], released.values[where][0])
    assert found.low[where][0] == pytest.approx(least, abs=0.004)
    assert found.high[where][0] == pytest.approx(most, abs=0.004)


def test_files_and_questions_come_from_the_release_alone(study, ledger, tmp_path, capsys):
    folder = publish(order(study), ledger, tmp_path, workers=here()).directory
    again = rebuilt((folder / MEASUREMENTS).read_bytes())
    assert (folder / INTERVALS).read_bytes() == again[INTERVALS]
    model = (folder / "model.json").read_bytes()
    told = ask(model, (folder / MEASUREMENTS).read_bytes(), Query(("lung",), {"smoke": "yes"}))
    assert main(["query", "--model", str(folder / "model.json"), "--target", "lung",
                 "--given", "smoke=yes", "--json"]) == 0  # fmt: skip
    said = json.loads(capsys.readouterr().out)
    assert said["answers"] == told.rows
    assert all(row["low"] <= row["probability"] <= row["high"] for row in said["answers"])
    rows = {v["name"]: v for v in json.loads((folder / INTERVALS).read_bytes())["variables"]}
    for v in json.loads(model)["variables"]:
        low, high = np.array(rows[v["name"]]["low"]), np.array(rows[v["name"]]["high"])
        assert (low <= v["conditional"]).all() and (high >= v["conditional"]).all()


def test_files_of_two_releases_are_refused(study, ledger, tmp_path, capsys):
    one, two = (
        publish(order(study, token=t), ledger, tmp_path, workers=here()).directory for t in "ab"
    )
    (one / MEASUREMENTS).write_bytes((two / MEASUREMENTS).read_bytes())
    assert main(["query", "--model", str(one / "model.json"), "--target", "lung"]) == 2
    assert "two releases" in capsys.readouterr().err
    whole = json.loads((two / MEASUREMENTS).read_text())
    for changed in ({"values": []}, {"variables": [[]]}):
        rows = [{**whole["measurements"][0], **changed}, *whole["measurements"][1:]]
        (two / MEASUREMENTS).write_text(json.dumps({**whole, "measurements": rows}))
        assert main(["query", "--model", str(two / "model.json"), "--target", "lung"]) == 2
        assert "take it as released" in capsys.readouterr().err
    (one / MEASUREMENTS).write_bytes(b"{}")
    assert main(["query", "--model", str(one / "model.json"), "--target", "lung"]) == 2
    assert "not of a release" in capsys.readouterr().err


def test_a_known_table_has_no_interval(study):
    """What was stated is as it was stated: no table holds it."""
    exact = exact_of(study)
    name = study.network.names[-1]
    own = {v.name for v in study.network.families[-1]}
    some = [t for t in tables_of(study, 5.0) if not own <= set(t.names)]
    found = Pivot.of(exact, some, replicates=100, rng=np.random.default_rng(0))
    where = study.network.layout.slices[study.network.index(name)]
    assert (found.rows().low[where] == exact.values[where]).all()
    assert (found.rows().high[where] == exact.values[where]).all()
    told, low, high = found.answers(Query((name,), {}))
    assert np.allclose(told, query(exact, (name,)).values)
    assert (low <= told).all() and (told <= high).all()


def test_where_there_are_none_the_dossier_says_why(study, ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(uncertainty, "MOST", 1000)
    outcome = publish(order(study), ledger, tmp_path, workers=here())
    assert not (outcome.directory / INTERVALS).exists()
    told = intervals_section({"intervals": uncertainty.described(outcome.published)})
    assert "more than 10 cells, too many to draw again" in told


@pytest.mark.parametrize("whole", [True, False])
def test_rows_that_perhaps_nobody_fills_are_placed_as_the_definition_says(whole):
    """Ties, zeros and negative totals are common: noisy counts are whole numbers near zero."""
    rng = np.random.default_rng(3)
    some = rng.integers(-4, 5, (40, 6, 3)) if whole else rng.normal(0, 2, (40, 6, 3))
    of = np.where(rng.random((40, 6, 1)) < 0.1, 0, some.sum(axis=-1, keepdims=True))
    expected = [(some <= theta * of).sum(axis=0) for theta in STEPS]
    assert np.array_equal(_at_most(some.astype(float), of.astype(float)), expected)
