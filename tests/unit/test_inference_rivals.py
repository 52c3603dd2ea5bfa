"""Exact inference equals pgmpy's on the benchmark networks, and pyAgrum's on larger ones."""

import functools
import gzip
import importlib.util
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.inference.queries import (
    Query,
    answer,
    evidence_probability,
    marginals,
    most_probable,
    query,
    treewidth,
)
from core.inference.sampling import sample
from sources import networks

SAMPLES = Path(__file__).parents[2] / "sample_networks"
SHIPPED = Path(importlib.util.find_spec("pgmpy").origin).parent / "utils" / "example_models"
BENCHMARKS = ["asia", "sachs", "child", "alarm"]


@functools.cache
def elimination(name):
    """The engine of pgmpy for one of the sample networks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.inference import VariableElimination
        from pgmpy.readwrite import BIFReader

        model = BIFReader(str(SAMPLES / f"{name}.bif")).get_model()
        for conditional in model.get_cpds():
            conditional.normalize()  # the files' rows sum to one up to their last digit only
        return VariableElimination(model)


@functools.cache
def shipped(name):
    """A network that the pgmpy package ships, read by our reader."""
    data = gzip.decompress((SHIPPED / f"{name}.bif.gz").read_bytes())
    return networks.read_network(f"{name}.bif", data).model


def lazy_propagation(model):
    """The engine of pyAgrum for a model, and its network, which the engine does not keep."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyagrum
    network = pyagrum.BayesNet()
    for variable in model.network.variables:
        network.add(pyagrum.LabelizedVariable(variable.name, variable.name, variable.states))
    for edge in model.network.edges:
        network.addArc(*edge)
    for table in model.conditionals:
        cells = network.cpt(table.names[-1])
        order = [table.names.index(name) for name in reversed(cells.names)]  # first one fastest
        cells.fillWith(table.values.transpose(order).ravel().tolist())
    return pyagrum.LazyPropagation(network), network


def theirs(name, model, targets, given):
    """Answer of pgmpy, its axes and states in our order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        factor = elimination(name).query(list(targets), dict(given), show_progress=False)
    values = np.asarray(factor.values).transpose([factor.variables.index(t) for t in targets])
    for axis, target in enumerate(targets):
        states = model.network.variables[model.network.index(target)].states
        order = [factor.state_names[target].index(state) for state in states]
        values = values.take(order, axis=axis)
    return values


def questions(model, size):
    """Seeded queries with one to three targets, given states of a drawn record."""
    rng = np.random.default_rng(7)
    variables = model.network.variables
    for record in sample(model, size, rng=rng).codes:
        order = rng.permutation(len(variables))
        targets, seen = order[: rng.integers(1, 4)], order[3 : 3 + rng.integers(0, 4)]
        given = {variables[j].name: variables[j].states[record[j]] for j in seen}
        yield Query(tuple(variables[j].name for j in targets), given)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_marginals_equal_pgmpy(name):
    model = networks.sample(name).model
    for target, found in zip(model.network.names, marginals(model), strict=True):
        np.testing.assert_allclose(found, theirs(name, model, [target], {}), atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_conditionals_equal_pgmpy(name):
    model = networks.sample(name).model
    asked = list(questions(model, 25))
    for one, together in zip(asked, answer(model, asked), strict=True):
        expected = theirs(name, model, one.targets, one.given)
        alone = query(model, one.targets, one.given).values
        np.testing.assert_allclose(alone, expected, atol=1e-9, rtol=0)
        np.testing.assert_allclose(together, expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("name", ["asia", "sachs"])
def test_most_probable_explanation_equals_pgmpy(name):
    """Networks whose whole joint pgmpy can hold: it enumerates all that is not given."""
    model = networks.sample(name).model
    for one in questions(model, 8):
        rest = [n for n in model.network.names if n not in one.given]
        expected = theirs(name, model, rest, one.given)
        codes, log_probability = most_probable(model, one.given)
        own = tuple(codes[model.network.index(n)] for n in rest)
        assert expected[own] == pytest.approx(expected.max(), abs=1e-9)
        joint = math.exp(log_probability) / evidence_probability(model, one.given)
        assert joint == pytest.approx(expected.max(), abs=1e-9)


def log_joint(model, codes):
    """Log probability of full records, one row each."""
    total = np.zeros(len(codes))
    for node, parents in enumerate(model.network.parent_indices):
        rows = tuple(codes[:, p] for p in (*parents, node))
        with np.errstate(divide="ignore"):
            total += np.log(model.conditional(node).values[rows])
    return total


@pytest.mark.parametrize("name", ["child", "alarm"])
def test_no_record_and_no_change_beats_the_most_probable_explanation(name):
    model = networks.sample(name).model
    codes, log_probability = most_probable(model)
    assert log_joint(model, codes[None])[0] == pytest.approx(float(log_probability), rel=1e-9)
    drawn = sample(model, 5_000, rng=np.random.default_rng(0)).codes.astype(int)
    assert log_joint(model, drawn).max() <= log_probability + 1e-9
    changes = []
    for node, variable in enumerate(model.network.variables):
        for state in range(variable.cardinality):
            changes.append(codes.copy())
            changes[-1][node] = state
    assert log_joint(model, np.array(changes)).max() <= log_probability + 1e-9


@pytest.mark.parametrize("name", ["hepar2", "win95pts", "hailfinder", "insurance"])
def test_larger_networks_equal_pyagrum(name):
    """Hepar2 has 70 nodes, win95pts 76."""
    model = shipped(name)
    engine, network = lazy_propagation(model)
    for one in (Query(()), *questions(model, 3)):
        engine.setEvidence(dict(one.given))
        engine.makeInference()
        names = [n for n in model.network.names if n not in one.given]
        found = answer(model, [Query((n,), one.given) for n in names])
        for target, values in zip(names, found, strict=True):
            expected = engine.posterior(target).toarray()
            np.testing.assert_allclose(values, expected, atol=1e-9, rtol=0)
    assert network.size() == len(model.network.variables)


def test_a_network_beyond_the_limit_is_refused_but_answers_where_it_can():
    """Barley needs a clique of 13 million cells; questions about its upper part do not."""
    model = shipped("barley")
    assert treewidth(model.network) == 7
    with pytest.raises(EquipoiseError, match="13,063,680 cells; at most 4,194,304"):
        marginals(model)
    root = model.network.names[model.network.order[0]]
    node = model.network.index(root)
    np.testing.assert_allclose(query(model, [root]).values, model.conditional(node).values)
