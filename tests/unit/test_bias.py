"""Appendix J.4 with its control: is the excess about the person or about the group?"""

import numpy as np
import pytest

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.inference.sampling import sample as draw_people
from core.membership.bias import BiasedSelection, Tracing, about_whom
from core.membership.demonstrations import DEMONSTRATIONS, OPPONENTS, DemonstrationSetting
from core.membership.population import Draw, ModelPopulation, TablePopulation
from core.study.experiments import Interval
from core.table import Variable
from sources.networks import sample
from sources.study import sampled_study

TARGET = 2
"""smoke, of which about half of asia's people have either state."""


def shown(population, counts, records=1_000, pools=8):
    setting = DemonstrationSetting(population, counts, records, pools=pools)
    return DEMONSTRATIONS["J.4 biased sampling"](setting, rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def child():
    study = sampled_study("child", None, records=5_000, seed=0)
    population = ModelPopulation(sample("child").model, outsiders=4_000, reference=50_000)
    return shown(population, study.counts)


def column(demonstration, name, who):
    place = demonstration.head.index(name)
    return [row[place] for row in demonstration.rows if row[1] == who]


def test_bias_raises_the_attack_above_the_bound(child):
    assert column(child, "bias", "anyone") == [0.0, 0.3, 0.6, 0.9]
    bound = column(child, "published", "anyone")[0]
    assert column(child, "AUC", "anyone")[0] < bound < column(child, "low", "anyone")[-1]
    found = column(child, "found at 5 %", "anyone")
    assert found[0] < column(child, "from", "anyone")[-1]


@pytest.mark.parametrize("who", OPPONENTS[1:])
def test_outsiders_of_the_same_group_take_the_excess_away(child, who):
    fair = column(child, "high", who)[0]
    assert max(column(child, "low", who)) <= fair
    assert max(column(child, "from", who)) <= column(child, "to", who)[0]
    assert "about the group that was selected, not about the person" in child.sentence


def test_without_bias_everyone_is_of_the_group(child):
    assert len({row[2:] for row in child.rows if row[0] == 0.0}) == 1


def test_a_table_of_people_is_its_own_control():
    study = sampled_study("child", None, records=6_000, seed=0)
    found = shown(TablePopulation(study.dataset), study.counts)
    assert column(found, "AUC", "anyone")[-1] > 0.7
    for who in OPPONENTS[1:]:
        assert column(found, "low", who)[-1] <= column(found, "high", "anyone")[0]


def drawn(people=8_000, pools=2, records=1_000):
    everyone = draw_people(sample("asia").model, people, rng=np.random.default_rng(0))
    return TablePopulation(everyone).draw(pools, records, rng=np.random.default_rng(1))


def share(people):
    return float((np.asarray(people.codes)[:, TARGET] == 0).mean())


@pytest.mark.parametrize("bias", [0.5, 0.9])
def test_members_outsiders_and_reference_are_selected_alike(bias):
    draw, rng = drawn(people=40_000, records=12_000), np.random.default_rng(2)
    selection = BiasedSelection(TARGET, 0, bias)
    before = share(draw.outsiders)
    expected = before * (1 - bias) / (before * (1 - bias) + 1 - before)
    chosen = selection.outsiders(draw, rng=rng)
    assert chosen.shape[0] == draw.pools
    alike = np.asarray(draw.outsiders.codes)[chosen.ravel(), TARGET] == 0
    assert alike.mean() == pytest.approx(expected, abs=0.02)
    assert share(selection.members(draw, 4_000, rng=rng).members) == pytest.approx(
        expected, abs=0.02
    )
    assert share(selection.reference(draw, rng=rng).reference) == pytest.approx(expected, abs=0.02)


def test_selection_keeps_each_pool_apart():
    """Members of a pool stay its own: pool p holds only people whose number is p."""
    number = Variable("pool", ("0", "1", "2"))
    other = Variable("x", ("0", "1"))
    codes = np.column_stack([np.repeat([0, 1, 2], 40), np.tile([0, 1], 60)])
    people = Dataset((number, other), codes)
    draw = Draw(people, people, people, 3, 3)
    selection = BiasedSelection(1, 0, 1.0)
    cut = selection.members(draw, 15, rng=np.random.default_rng(0)).members.codes
    assert np.asarray(cut)[:, 0].tolist() == np.repeat([0, 1, 2], 15).tolist()
    assert (np.asarray(cut)[:, 1] == 1).all()
    known = selection.reference(draw, rng=np.random.default_rng(0)).reference.codes
    assert np.asarray(known)[:, 0].tolist() == np.repeat([0, 1, 2], 20).tolist()


def test_a_pool_that_selection_empties_is_refused():
    selection = BiasedSelection(TARGET, 0, 1.0)
    with pytest.raises(EquipoiseError, match="are left after selection with bias 1"):
        selection.members(drawn(), 999, rng=np.random.default_rng(2))
    number = Variable("x", ("0", "1"))
    nobody = Dataset((number,), np.zeros((6, 1), dtype=int))
    draw = Draw(nobody, nobody, nobody, 2, 1)
    with pytest.raises(EquipoiseError, match="a pool has no outsider left"):
        BiasedSelection(0, 0, 1.0).outsiders(draw, rng=np.random.default_rng(0))
    with pytest.raises(EquipoiseError, match="nobody of the reference is left"):
        BiasedSelection(0, 0, 1.0).reference(draw, rng=np.random.default_rng(0))


def test_an_attack_that_knows_persons_is_not_explained_away():
    """Members score higher than anyone, of their group or not: the words must say so."""
    rng = np.random.default_rng(0)
    fair = Tracing.of(rng.normal(0, 1, (9, 500)), rng.normal(0, 1, (9, 500)), 0.05)
    inside = rng.normal(1, 1, (9, 500))
    anyone = Tracing.of(inside, rng.normal(0, 1, (9, 500)), 0.05)
    group = Tracing.of(inside, rng.normal(0, 1, (9, 500)), 0.05)
    partly = Tracing.of(inside, rng.normal(0.5, 1, (9, 500)), 0.05)
    alike = Tracing.of(inside, rng.normal(1, 1, (9, 500)), 0.05)
    assert anyone.area.mean == pytest.approx(0.76, abs=0.01)
    assert anyone.power.mean == pytest.approx(0.26, abs=0.03)
    said = about_whom(fair.area, anyone.area, group.area)
    assert "about the person, not about the group" in said
    said = about_whom(fair.area, anyone.area, partly.area)
    assert "so much of the excess is inference about the person, the rest" in said
    said = about_whom(fair.area, anyone.area, alike.area)
    assert "about the group that was selected, not about the person" in said


def test_no_excess_is_not_explained():
    wide = Interval(0.6, 0.5, 0.7)
    assert "nothing to explain" in about_whom(wide, Interval(0.61, 0.55, 0.67), wide)
