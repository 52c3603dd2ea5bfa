"""Whatever can fail fails before money moves: after any failure the ledger holds no spend."""

import json
import os
import time
from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cli import main
from commands import release as release_verb
from core.errors import EquipoiseError
from core.scenario import Scenario
from core.table import Table
from release import files
from release import preview as release_preview
from release.files import read_published
from release.ledger.book import Ledger
from release.meter import Meter
from release.preview import preview, run
from release.process import SECONDS
from release.publish import publish, tidy
from release.rationals import decimal
from release.worker import ExactSampler
from sources.named_numbers import number_text
from tests.release.ordering import here, order

BYTES = os.fsdecode(b"w\xe4rd 7")
"""A name in Latin-1, as a shell hands it over."""

SURE = ("--override", "the board agreed", "--signed", "A. Kim", "--unit", "person")


@pytest.fixture
def quick(monkeypatch):
    """Exact noise without a process of its own."""

    def drawn_here(*arguments, **named):
        return publish(*arguments, workers=lambda: nullcontext(ExactSampler()), **named)

    monkeypatch.setattr(release_verb, "publish", drawn_here)


def graph(folder, names, states):
    """A file with these variables, each on its own, with probabilities to sample records from."""
    equal = [[1 / len(states)] * len(states)]
    variables = [{"name": n, "states": states, "parents": [], "conditional": equal} for n in names]
    (folder / "graph.json").write_text(json.dumps({"variables": variables}))


def ordered(folder, capsys, *words, out="out"):
    """One release: its exit code, what it said, what the ledger holds and which files are there."""
    ledger = folder / "ledger.db"
    ledger.unlink(missing_ok=True)
    code = main(["release", "--ledger", str(ledger), "--out", str(folder / out), "--budget", "9",
                 *SURE, *words, "--json"])  # fmt: skip
    said = capsys.readouterr()
    lines = []
    if ledger.exists():
        lines = [line for account in Ledger(ledger).accounts() for line in account.lines]
    return code, said, lines


def check(code, said, lines, folder):
    """All or nothing: complete files for what was paid, or one sentence and nothing paid."""
    assert code in (0, 2), said.err
    if code:
        assert lines == [], said.err
        assert said.out == ""
        assert said.err.count("\n") == 1
        return
    (line,) = lines
    assert line.state == "complete"
    assert read_published(folder / "out" / line.id, line.files).id == line.id


REFUSED = {
    "half of a character in a name": ("--dag", "graph.json", "--records", "50"),
    "bytes of another encoding as a name": ("--network", "asia", "--name", BYTES),
    "as a unit": ("--network", "asia", "--unit", BYTES),
    "as a reason": ("--network", "asia", "--override", BYTES),
    "as a token": ("--network", "asia", "--token", BYTES),
    "as a directory": ("--network", "asia", "--out", BYTES),
    "a rate of many digits": ("--network", "asia", "--method", "data-dependent-icml", "--rate",
                              "0.0012345678901234567"),
    "a very small rate": ("--network", "asia", "--method", "data-dependent-icml", "--rate",
                          "1e-20"),
    "an ε that no table can be measured with": ("--network", "asia", "--epsilon", "1e-12"),
    "the same where the records decide": ("--network", "asia", "--method", "data-dependent-icml",
                                          "--epsilon", "1e-9"),
    "a floor that nothing has": ("--network", "asia", "--floors", "nobody=0.2"),
    "a path that is a file": ("--network", "asia", "--out", "graph.json"),
    "a path that is too long": ("--network", "asia", "--out", "x" * 300),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_in_one_sentence_and_nothing_is_spent(case, tmp_path, capsys, monkeypatch):
    """Through the real worker."""
    monkeypatch.chdir(tmp_path)
    graph(tmp_path, ["a", "\ud800"], ["yes", "no"])
    code, said, lines = ordered(tmp_path, capsys, *REFUSED[case])
    assert (code, lines, said.out) == (2, [], "")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


TEXTS = st.text(min_size=1, max_size=8)  # halves of characters included
SHORT = settings(max_examples=30, deadline=None,
                 suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip


@SHORT
@given(
    names=st.lists(TEXTS, min_size=1, max_size=3, unique=True),
    states=st.lists(TEXTS, min_size=1, max_size=3, unique=True),
    name=TEXTS.filter(lambda text: "\0" not in text),
)
@example(names=["a", "\ud800"], states=["yes", "no"], name="x")
@example(names=["a"], states=["yes", "\udfff"], name="x")
@example(names=["a"], states=["yes"], name=BYTES)
def test_names_and_states_of_all_kinds(quick, tmp_path, capsys, names, states, name):
    """Any text as a variable, a state, the name of the data: refused in time, or released."""
    graph(tmp_path, names, states)
    check(*ordered(tmp_path, capsys, "--dag", str(tmp_path / "graph.json"), "--records", "50",
                   f"--name={name}", "--synthetic", "9"), tmp_path)  # fmt: skip


@SHORT
@given(
    method=st.sampled_from(["equipoise", "uniform", "data-dependent-icml", "equipoise-zcdp"]),
    epsilon=st.one_of(st.floats(1e-13, 1e-6), st.floats(0.05, 9)),
    split=st.floats(1e-12, 1, exclude_max=True),
    rate=st.floats(1e-22, 1, exclude_max=True),
    floor=st.floats(1e-300, 1, exclude_max=True),
    weight=st.floats(1e-300, 1e300),
    prior=st.one_of(st.just(0.0), st.floats(0, 1e300)),
    synthetic=st.sampled_from([(), ("--synthetic", "7")]),
)
@example(method="data-dependent-icml", epsilon=1.0, split=0.1, rate=0.0012345678901234567,
         floor=0.1, weight=1.0, prior=0.0, synthetic=())  # fmt: skip
def test_knobs_of_all_sizes(
    quick, tmp_path, capsys, method, epsilon, split, rate, floor, weight, prior, synthetic
):
    words = [f"--{name}={number_text(value)}" for name, value in (
        ("epsilon", epsilon), ("split", split), ("rate", rate), ("pseudo-count", prior),
    )]  # fmt: skip
    words += ["--floors", f"smoke={number_text(floor)}", "--weights", f"lung={number_text(weight)}"]
    check(*ordered(tmp_path, capsys, "--network", "asia", "--records", "40", "--method", method,
                   *words, *synthetic), tmp_path)  # fmt: skip


def test_a_first_stage_that_looks_at_every_record_is_released(study, ledger, tmp_path):
    """γ = 1 is a rate that is allowed: nothing is thinned, and nothing is charged less."""
    wish = order(study, method="data-dependent-icml", scenario=Scenario(epsilon=0.5, rate=1.0))
    published = publish(wish, ledger, tmp_path, workers=here()).published
    assert {m.rate for m in published.measurements} == {1}
    assert published.cost == sum(m.budget for m in published.measurements) <= Fraction(1, 2)


@SHORT
@given(st.text(st.characters(exclude_characters="\0/"), min_size=1, max_size=300))
def test_paths_of_all_kinds(quick, tmp_path, capsys, path):
    if path in (".", ".."):
        return
    code, said, lines = ordered(tmp_path, capsys, "--network", "asia", "--records", "40", out=path)
    if code:
        assert (code, lines, said.err.count("\n")) == (2, [], 1)
    else:
        (line,) = lines
        assert read_published(tmp_path / path / line.id, line.files).id == line.id


def test_a_trial_leaves_nothing_and_one_that_was_killed_is_removed(study, ledger, tmp_path):
    out = tmp_path / "out"
    left = files.trial(out, "0123456789abcdef")
    left.mkdir(parents=True)
    publish(order(study), ledger, out, workers=here())
    assert left.is_dir()  # it may be under way
    long_ago = time.time() - SECONDS - 1
    os.utime(left, (long_ago, long_ago))
    tidy(ledger, out)
    assert [path.name[0] for path in out.iterdir()] != []
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def test_as_many_synthetic_records_are_tried_as_are_ordered(study, ledger, tmp_path, monkeypatch):
    """A machine that can write a hundred may not be able to write them all."""
    written = files.records_csv

    def small(rows, *arguments, **named):
        if rows.records > 500:
            raise MemoryError
        return written(rows, *arguments, **named)

    monkeypatch.setattr(files, "records_csv", small)
    with pytest.raises(EquipoiseError, match=r"MemoryError.*nothing was spent"):
        publish(order(study, synthetic=501), ledger, tmp_path / "out", workers=here())
    assert ledger.accounts() == ()
    publish(order(study, synthetic=500), ledger, tmp_path / "out", workers=here())


def test_more_cells_than_can_be_drawn_are_refused_from_public_facts(study, monkeypatch):
    monkeypatch.setattr(release_preview, "DRAWN", 40)
    with pytest.raises(EquipoiseError, match=r"'uniform' have 5. cells in all; at most 40"):
        preview(study.network, "uniform", Scenario(epsilon=1.0))


class Crowd:
    """A thousand million records in every cell of some families, and none in the others."""

    def counts(self, families):
        crowded = (any(v.name == "smoke" for v in family) for family in families)
        shapes = ([v.cardinality for v in family] for family in families)
        return tuple(
            Table(family, np.full(shape, 1e9 * full))
            for family, shape, full in zip(families, shapes, crowded, strict=True)
        )


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("kept", [1e-1, 1e-3, 1e-5, 1e-6, 1e-7, 3e-8])
def test_what_is_planned_on_zeros_can_be_measured_on_any_records(study, epsilon, kept):
    """Where the first stage decides, a table may get far less than it would get of zeros."""
    scenario = Scenario(epsilon=epsilon, split=1 - kept)
    try:
        preview(study.network, "data-dependent-icml", scenario)
    except EquipoiseError:
        return
    meter = Meter(decimal(epsilon), Fraction(0), scenario.neighbours, Zeros())
    run(study.network, Crowd(), "data-dependent-icml", scenario, meter)
    assert meter.left >= 0


class Zeros(ExactSampler):
    """No noise, so that the first stage sees every count."""

    def noise(self, kind, scales, cells):
        return np.zeros(sum(cells), dtype=np.int64)

    def thinned(self, counts, rate):
        return counts
