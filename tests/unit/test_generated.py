"""Generated networks have the printed sizes; closed forms and reference sizes are as stated."""

import numpy as np
import pytest

from core.dataset import Dataset
from core.errors import EquipoiseError
from core.membership.gaussian import expected_loss, naive_bayes_variance
from core.membership.generated import STRONG, WEAK, generated_model, released_structure
from core.membership.population import TablePopulation
from core.reproduce.murakonda_printed import DATA
from core.table import Variable


@pytest.mark.parametrize("name", DATA)
def test_structures_have_the_printed_edges_and_parameters(name):
    data = DATA[name]
    rng = np.random.default_rng(0)
    model = generated_model(data.nodes, data.truth, rng=rng)
    assert len(model.network.variables) == data.nodes
    for parents, row in enumerate(data.rows):
        network = released_structure(model.network, row.released)
        assert len(network.edges) == row.edges
        assert network.complexity == row.complexity
        assert max(map(len, network.parents)) == parents
        assert set(network.edges) <= set(model.network.edges)


@pytest.mark.parametrize(("dependence", "low", "high"), [(WEAK, 0.15, 0.85), (STRONG, 0.02, 0.98)])
def test_parameters_stay_within_their_limits(dependence, low, high):
    rng = np.random.default_rng(1)
    values = generated_model(40, (10, 5, 5), dependence=dependence, rng=rng).values
    assert values.min() >= low
    assert values.max() <= high + 1e-12


def test_a_reference_of_given_size_leaves_the_rest_outside():
    variables = (Variable("a", ("0", "1")),)
    people = Dataset(variables, np.zeros((100, 1), dtype=np.uint8))
    draw = TablePopulation(people, 60).draw(3, 20, rng=np.random.default_rng(0))
    assert [d.records // 3 for d in (draw.members, draw.reference, draw.outsiders)] == [20, 60, 20]
    with pytest.raises(EquipoiseError, match="leave at least 92"):
        TablePopulation(people, 90).check(20)


def test_closed_forms_have_their_limits():
    assert expected_loss(1000, 1.0) == pytest.approx(1 / 2000)
    assert expected_loss(100, 0.1) == pytest.approx((1 + 0.9 / 10) / 200)
    assert naive_bayes_variance(100, 1000, 0.5) == pytest.approx(199 / 1000)
    assert naive_bayes_variance(100, 1000, 0.05) == pytest.approx(0.2416, abs=5e-5)
