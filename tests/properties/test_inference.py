"""Exact inference equals enumeration of the whole joint, and obeys the laws of probability."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import EquipoiseError
from core.inference import queries as inference
from core.inference.queries import (
    Query,
    answer,
    evidence_probability,
    marginals,
    most_probable,
    query,
)
from core.network import Network
from core.parameters import Model
from tests import brute_force
from tests import strategies as own

TOLERANCE = {"rtol": 1e-9, "atol": 1e-12}


@st.composite
def questions(draw, **sizes):
    """A model, up to three targets and evidence on other variables."""
    model = draw(own.models(**sizes))
    names = model.network.names
    targets = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    evidence = draw(own.evidence(model.network))
    return model, tuple(targets), {n: s for n, s in evidence.items() if n not in targets}


def expected(model, targets, evidence):
    """Enumerated conditional; uniform where the evidence is impossible."""
    joint, mass = brute_force.query(model, targets, evidence)
    mass = np.reshape(mass, (*mass.shape, *(1 for _ in targets)))
    size = np.prod([model.network.variables[model.network.index(t)].cardinality for t in targets])
    return np.where(mass > 0, joint / np.where(mass > 0, mass, 1.0), 1 / size)


@given(own.models())
def test_marginals_equal_enumeration(model):
    found = marginals(model)
    for name, values in zip(model.network.names, found, strict=True):
        np.testing.assert_allclose(values, expected(model, [name], {}), **TOLERANCE)


@given(questions())
def test_query_equals_enumeration(question):
    model, targets, evidence = question
    mass = brute_force.query(model, targets, evidence)[1]
    if not model.replicates and mass == 0:
        with pytest.raises(EquipoiseError, match="probability 0"):
            query(model, targets, evidence)
        return
    found = query(model, targets, evidence)
    assert found.names == targets
    assert found.replicates == model.replicates
    np.testing.assert_allclose(found.values, expected(model, targets, evidence), **TOLERANCE)


@given(questions())
def test_probability_of_evidence_equals_enumeration(question):
    model, _, evidence = question
    found = evidence_probability(model, evidence)
    mass = brute_force.query(model, (), evidence)[1]
    np.testing.assert_allclose(found, mass, **TOLERANCE)


@given(own.models(), st.data())
def test_many_queries_equal_one_by_one(model, data):
    queries = []
    for _ in range(data.draw(st.integers(0, 5))):
        targets = data.draw(st.lists(st.sampled_from(model.network.names), max_size=3, unique=True))
        drawn = data.draw(own.evidence(model.network))
        evidence = {n: s for n, s in drawn.items() if n not in targets}
        if model.replicates or brute_force.query(model, (), evidence)[1] > 0:
            queries.append(Query(tuple(targets), evidence))
    for limit in (0, 2**40):  # each alone; all in one pass
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(inference, "TOGETHER_CELLS", limit)
            found = answer(model, queries)
        for one, values in zip(queries, found, strict=True):
            np.testing.assert_allclose(values, expected(model, one.targets, one.given), **TOLERANCE)


@given(questions(), st.data())
def test_a_list_of_evidence_equals_a_loop(question, data):
    model, targets, evidence = question
    assume(evidence)
    size = data.draw(st.integers(1, 4))
    network = model.network
    lists = {}
    for name in evidence:
        states = st.sampled_from(network.variables[network.index(name)].states)
        lists[name] = data.draw(st.lists(states, min_size=size, max_size=size))
    rows = [{name: lists[name][k] for name in lists} for k in range(size)]
    assume(model.replicates or all(brute_force.query(model, (), row)[1] > 0 for row in rows))
    together = query(model, targets, lists).values
    lead = len(model.replicates)
    assert together.shape[lead] == size
    for k, row in enumerate(rows):
        one = query(model, targets, row).values
        np.testing.assert_allclose(together.take(k, axis=lead), one, **TOLERANCE)


@given(questions())
def test_most_probable_attains_the_maximum(question):
    model, _, evidence = question
    joint = brute_force.given(model, evidence)
    lead = model.replicates
    best = joint.reshape(*lead, -1).max(axis=-1)
    if not lead and best == 0:
        with pytest.raises(EquipoiseError, match="probability 0"):
            most_probable(model, evidence)
        return
    codes, log_probability = most_probable(model, evidence)
    assert codes.shape == (*lead, len(model.network.variables))
    np.testing.assert_allclose(np.exp(log_probability), best, **TOLERANCE)
    for name, state in evidence.items():
        node = model.network.index(name)
        assert (codes[..., node] == model.network.variables[node].code(state)).all()
    for where in np.ndindex(*lead):
        attained = joint[(*where, *codes[where])]
        np.testing.assert_allclose(attained, best[where], **TOLERANCE)


@given(own.models(zeros=False, least=3))
def test_chain_rule(model):
    a, b, c = model.network.names[:3]
    joint = query(model, (a, b, c)).values
    first = query(model, (a,)).values
    lead = len(model.replicates)
    for k, state in enumerate(model.network.variables[0].states):
        rest = query(model, (b, c), {a: state}).values
        np.testing.assert_allclose(
            joint.take(k, axis=lead), first.take(k, axis=lead)[..., None, None] * rest, **TOLERANCE
        )


@given(questions(), st.permutations(range(6)))
def test_the_order_of_variables_does_not_matter(question, permutation):
    """Another order of variables gives another elimination order and the same answer."""
    model, targets, evidence = question
    assume(model.replicates or brute_force.query(model, (), evidence)[1] > 0)
    network = model.network
    order = [i for i in permutation if i < len(network.variables)]
    other = Network(
        tuple(network.variables[i] for i in order), tuple(network.parents[i] for i in order)
    )
    shuffled = Model.from_conditionals(other, [model.conditional(i).values for i in order])
    np.testing.assert_allclose(
        query(shuffled, targets, evidence).values,
        query(model, targets, evidence).values,
        **TOLERANCE,
    )


@given(own.models(replicates=st.just((3,))), st.data())
def test_blocks_do_not_change_answers(model, data):
    target = data.draw(st.sampled_from(model.network.names))
    evidence = data.draw(own.evidence(model.network))
    evidence.pop(target, None)
    whole = (
        marginals(model),
        query(model, [target], evidence).values,
        most_probable(model, evidence)[0],
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.inference.propagation.BLOCK_CELLS", 1)
        parts = (
            marginals(model),
            query(model, [target], evidence).values,
            most_probable(model, evidence)[0],
        )
    for one, other in zip(whole[0], parts[0], strict=True):
        np.testing.assert_allclose(one, other, **TOLERANCE)
    np.testing.assert_allclose(whole[1], parts[1], **TOLERANCE)
    np.testing.assert_array_equal(whole[2], parts[2])
