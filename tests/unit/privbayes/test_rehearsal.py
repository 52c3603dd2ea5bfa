"""What page and shell share: runs, their errors, searches that are too large."""

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.errors import EquipoiseError
from core.privbayes import rehearsal
from core.privbayes import rehearsal as rehearsal_module
from core.privbayes.comparison import Plan, compare
from core.privbayes.distances import marginals_of
from core.privbayes.encoding import encoding
from core.privbayes.rehearsal import marginal_sets, rehearse
from core.privbayes.rules import Rules
from core.privbayes.settings import PRIVBAYES, RECIPES, Settings
from core.privbayes.synthesis import synthesise
from core.study.experiments import interval
from core.table import Table, Variable
from sources.study import sampled_study
from tests.wholes import distances


def answers(columns, records=20_000):
    rng = np.random.default_rng(0)
    yes = rng.random((records, columns)) < rng.random((records, 1))
    variables = tuple(Variable(f"q{i}", ("no", "yes")) for i in range(columns))
    return Rows(Dataset(variables, yes.astype(int)))


@pytest.fixture(scope="module")
def asia():
    return Rows(sampled_study("asia", None, records=2_000, seed=0).dataset)


@pytest.mark.parametrize("name", RECIPES)
def test_each_run_has_a_generator_of_its_own(asia, name):
    """Errors and records are those of the runs made one by one."""
    how = encoding("vanilla", asia.dataset.variables)
    settings = Settings(recipe=RECIPES[name])
    found = rehearse(asia, how, settings, seed=3, replicates=3)
    alone = []
    for run in range(3):
        rng = np.random.default_rng([3, run])
        alone.append(synthesise(how.encode(asia), how, settings, rng=rng).draw(rng=rng))
    assert (np.asarray(found.rows.dataset.codes) == np.asarray(alone[0].dataset.codes)).all()
    for ways in (2, 3):
        marginals = marginals_of(asia.dataset.variables, ways)
        errors = np.array([distances(asia, rows, marginals).mean() for rows in alone])
        np.testing.assert_allclose(found.errors[ways], errors, rtol=0, atol=1e-15)
        assert found.intervals[ways] == interval(found.errors[ways])


def test_pairs_are_told_by_name(asia):
    how = encoding("vanilla", asia.dataset.variables)
    found = rehearse(asia, how, Settings(epsilon=5), seed=0)
    assert [pair.name for pair in found.pairs] == [
        found.synthesis.structure.attributes[pair.child].variable.name
        for pair in found.synthesis.structure.pairs
    ]
    earlier = set()
    for pair in found.pairs:
        assert set(pair.parents) <= earlier
        earlier.add(pair.name)


class Uncounted:
    """A source that may be asked for the number of records alone."""

    def counts(self, families):
        assert families == [()], "counted before it was refused"
        return (Table((), np.array(20_000.0)),)


def test_a_search_too_large_is_refused_before_anything_is_counted():
    how = encoding("vanilla", answers(60, 10).dataset.variables)
    settings = Settings(epsilon=2.0, recipe=PRIVBAYES)
    with pytest.raises(EquipoiseError, match="allow fewer parents, raise theta"):
        synthesise(Uncounted(), how, settings, rng=np.random.default_rng(0))


def test_the_size_of_a_search_is_foretold():
    rows = Rows(sampled_study("alarm", None, records=5_000, seed=0).dataset)
    how = encoding("vanilla", rows.dataset.variables)
    settings = Settings(recipe=PRIVBAYES, epsilon=1.0)
    ahead = Rules.of(how.attributes, settings, rows.records).pairs_ahead()
    found = rehearse(rows, how, settings, seed=0)
    compared = sum(pair.candidates for pair in found.pairs[1:])
    assert ahead == pytest.approx(compared, rel=0.5)


def test_a_refused_point_leaves_the_others_of_a_curve():
    rows = answers(40, 5_000)
    how = encoding("vanilla", rows.dataset.variables)
    plan = Plan(methods=("privbayes", "uniform"), epsilons=(0.05, 10.0))
    settings = Settings(recipe=PRIVBAYES)
    found = {(m.method, m.epsilon): m for m in compare(rows, how, settings, plan)}
    refused = found.pop(("privbayes", 10.0))
    assert "more than 200,000 pairs" in refused.refused
    assert refused.values.shape == (0, 1)
    assert all(m.refused == "" and m.values.shape == (1, 1) for m in found.values())


def test_marginals_of_too_many_cells_together_are_left_out_from_the_last(monkeypatch):
    columns = tuple(Variable(n, tuple("abcd")) for n in "uvwxyz")
    monkeypatch.setattr(rehearsal, "HELD", 6 * 16)
    assert {ways: len(sets) for ways, sets in marginal_sets(columns).items()} == {2: 6, 3: 1}
    monkeypatch.setattr(rehearsal, "HELD", 63)
    assert list(marginal_sets(columns)) == [2]


def test_what_is_compared_in_part_is_said(monkeypatch):
    columns = [Variable(f"c{i}", ("0", "1")) for i in range(5)]
    assert rehearsal_module.partly(columns) == {}
    monkeypatch.setattr(rehearsal_module, "HELD", 40)
    told = rehearsal_module.partly(columns)
    assert list(told) == [3] and "first 5 of 10 sets of columns" in told[3]
