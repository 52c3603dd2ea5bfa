"""Exact inference where findings contradict each other beyond the smallest number there is."""

import math

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.inference.queries import Query, answer, evidence_probability, marginals, query
from core.network import Network
from core.parameters import Model
from core.table import Variable

STATES = ("no", "yes")


def diagnosis(findings, *, prior=0.25):
    """One cause, many findings, and what follows from the cause."""
    names = ("cause", "after", *(f"finding {i}" for i in range(findings)))
    network = Network(
        tuple(Variable(name, STATES) for name in names), ((), *[("cause",)] * (len(names) - 1))
    )
    rows = [np.array([1 - prior, prior]), np.array([[0.9, 0.1], [0.2, 0.8]])]
    rows += [np.array([[0.999, 0.001], [0.001, 0.999]])] * findings
    return Model.from_conditionals(network, rows)


def posterior(against, in_favour, prior=0.25):
    """P(cause = yes) of so many findings, by Bayes's rule in logarithms."""
    logs = math.log(prior / (1 - prior)) + (in_favour - against) * math.log(999)
    return 1 / (1 + math.exp(-logs))


@pytest.mark.parametrize(("against", "in_favour"), [(200, 200), (301, 300), (150, 250), (250, 150)])
def test_contradicting_findings_have_their_answer(against, in_favour):
    model = diagnosis(against + in_favour)
    given = {f"finding {i}": STATES[i >= against] for i in range(against + in_favour)}
    yes = posterior(against, in_favour)
    expected = pytest.approx([1 - yes, yes], rel=1e-9)
    assert query(model, ["cause"], given).values.tolist() == expected
    assert marginals(model, given)[0].tolist() == expected
    assert answer(model, [Query(("cause",), given)])[0].tolist() == expected
    after = pytest.approx(0.1 * (1 - yes) + 0.8 * yes)
    assert query(model, ["after"], given).values[1] == after
    assert marginals(model, given)[1][1] == after
    several = [Query(("after",), given), Query(("cause", "after"), given)]
    alone, both = answer(model, several)
    assert alone[1] == after
    assert both.sum(axis=0)[1] == after


def test_a_finding_that_is_impossible_is_refused_among_unlikely_ones():
    model = diagnosis(400)
    values = model.values.copy()
    values[model.network.layout.slices[1]] = [1.0, 0.0, 1.0, 0.0]
    certain = Model(model.network, values)
    given = {f"finding {i}": STATES[i < 200] for i in range(400)}
    assert query(certain, ["after"], given).values.tolist() == [1.0, 0.0]
    for ask in (
        lambda: query(certain, ["cause"], {**given, "after": "yes"}),
        lambda: marginals(certain, {**given, "after": "yes"}),
        lambda: answer(certain, [Query(("cause",), {**given, "after": "yes"})]),
    ):
        with pytest.raises(EquipoiseError, match="has probability 0"):
            ask()
    assert evidence_probability(certain, {**given, "after": "yes"}) == 0


def test_of_replicates_only_the_impossible_ones_answer_uniform():
    model = diagnosis(400)
    values = np.stack([model.values] * 2)
    values[1, model.network.layout.slices[2]] = [1.0, 0.0, 1.0, 0.0]
    many = Model(model.network, values)
    given = {f"finding {i}": STATES[i < 200] for i in range(400)}
    expected = np.array([[0.75, 0.25], [0.5, 0.5]])
    np.testing.assert_allclose(query(many, ["cause"], given).values, expected)
    np.testing.assert_allclose(marginals(many, given)[0], expected)
