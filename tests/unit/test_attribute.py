"""The attack on one value: a twin, a bound that holds, and something to be found."""

import math

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.inference.queries import query
from core.inference.sampling import sample as draw
from core.membership.population import ModelPopulation, TablePopulation
from core.membership.value_attack import AttributeAttack, guess, guessing
from core.scenario import Scenario
from sources.networks import sample


@pytest.fixture(scope="module")
def asia():
    return sample("asia").model


def test_a_guess_is_the_likeliest_state_given_all_others(asia):
    """Twin: exact inference with every other variable as evidence."""
    names, people = asia.network.names, draw(asia, 30, rng=np.random.default_rng(1))
    for name in ("smoke", "bronc", "asia"):
        target = asia.network.index(name)
        states = asia.network.variables
        for row, guessed in zip(people.codes, guess(asia, people, target), strict=True):
            given = {n: states[i].states[row[i]] for i, n in enumerate(names) if i != target}
            chances = query(asia, (name,), given).values
            assert chances[int(guessed)] == pytest.approx(chances.max())


def last(population, network, **changes):
    asked = AttributeAttack(**{"release": "uniform", "target": "bronc", "records": 50, "pools": 40}
                            | changes)  # fmt: skip
    *_, found = guessing(population, network, asked, Scenario(epsilon=2.0))
    return found


def test_a_record_alone_gives_itself_away_without_noise(asia):
    people = ModelPopulation(asia, outsiders=50, reference=50)
    found = last(people, asia.network, release="exact", records=12, pools=150)
    assert found.gain.low > 0
    assert found.bound == 1
    assert found.attack.mean - found.control.mean == pytest.approx(found.gain.mean)


@pytest.mark.slow
def test_the_bound_is_never_exceeded(asia):
    """100,000 guesses at each ε, with a control that has as many."""
    people = ModelPopulation(asia, outsiders=125, reference=0)
    for epsilon in (0.5, 4.0):
        asked = AttributeAttack("uniform", "bronc", 125, 400)
        *_, found = guessing(people, asia.network, asked, Scenario(epsilon=epsilon))
        trials = 2 * asked.records * asked.pools
        spread = 4 * math.sqrt(0.25 / trials)
        assert trials == 100_000
        assert found.attack.mean - spread <= found.bound < 1
        assert found.gain.low <= found.gain.mean <= found.gain.high


def test_a_table_needs_enough_other_people(asia):
    people = TablePopulation(draw(asia, 90, rng=np.random.default_rng(0)))
    assert last(people, asia.network, records=40, pools=2).pools == 2
    from core.errors import EquipoiseError

    with pytest.raises(EquipoiseError, match="at most half"):
        last(people, asia.network, records=60, pools=1)


@pytest.mark.parametrize("pools", [0, -1, 1_001])
def test_a_number_of_pools_that_is_none_is_refused(pools):
    with pytest.raises(EquipoiseError, match="the number of pools is"):
        AttributeAttack("uniform", "bronc", 50, pools)
