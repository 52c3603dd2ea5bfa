"""Laws of undirected models."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.markov.belief import marginals
from core.markov.collective import e_step, em_steps
from core.markov.descent import minimise
from core.markov.graph import Field
from core.markov.likelihood import divergence, fit, pseudo_marginals
from core.markov.loopy import loopy_marginals
from core.markov.mobility import Town, generate, people_tables, town_field
from core.markov.synthetic import (
    TrueField,
    population_cliques,
    population_records,
    population_tables,
    random_truth,
)
from core.table import replicates_last
from tests.strategies import REPLICATES, SEEDS, variables
from tests.unit.markov import brute


@st.composite
def fields(draw, *, most=5, most_states=3):
    """Fields of up to three variables a clique, connected or not, some of them shared."""
    found = draw(variables(least=1, most=most, most_states=most_states))
    one = st.lists(st.sampled_from(range(len(found))), min_size=1, max_size=3, unique=True)
    cliques = draw(st.lists(one, min_size=1, max_size=6))
    alone = [(v,) for v in range(len(found)) if not any(v in c for c in cliques)]
    cliques = [*map(tuple, cliques), *alone]
    shapes = [tuple(found[v].cardinality for v in c) for c in cliques]
    shares = [shapes.index(s) if draw(st.booleans()) else k for k, s in enumerate(shapes)]
    return Field(found, tuple(cliques), tuple(shares))


def potentials(field, lead, seed, size=2.0):
    return size * np.random.default_rng(seed).standard_normal((*lead, field.size))


@settings(max_examples=60)
@given(fields(), REPLICATES, SEEDS, st.sampled_from([0.1, 2.0, 300.0]))
def test_belief_propagation_equals_brute_force(field, lead, seed, size):
    theta = potentials(field, lead, seed, size)
    partition, found = marginals(field, theta)
    expected, slow = brute.marginals(field, theta)
    np.testing.assert_allclose(partition, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found, slow, atol=1e-9)


@settings(max_examples=25)
@given(st.integers(2, 5), st.integers(2, 4), REPLICATES, SEEDS)
def test_loopy_propagation_is_exact_on_a_tree(nodes, states, lead, seed):
    rng = np.random.default_rng(seed)
    edges = tuple((int(rng.integers(child)), child) for child in range(1, nodes))
    template = random_variables(nodes, states)
    field = Field(template, edges)
    theta = potentials(field, lead, seed)
    found, moved = loopy_marginals(field, theta, damping=0.3, rounds=80)
    assert moved.max() < 1e-9
    np.testing.assert_allclose(found, marginals(field, theta)[1], atol=1e-8)


def random_variables(nodes, states):
    from core.markov.synthetic import chain_field

    return chain_field(nodes, states).variables


def nearest_on_simplex(values, total):
    """Sorted thresholds, Duchi et al. 2008, Figure 1."""
    ordered = np.sort(values)[::-1]
    excess = (np.cumsum(ordered) - total) / np.arange(1, len(values) + 1)
    last = np.nonzero(ordered > excess)[0][-1]
    return np.maximum(values - excess[last], 0)


@settings(max_examples=40)
@given(fields(), REPLICATES, SEEDS)
def test_projection_equals_the_published_one(field, lead, seed):
    noisy = 30 * np.random.default_rng(seed).standard_normal((*lead, field.size)) + 5
    found = pseudo_marginals(field, noisy, 50.0).reshape(-1, field.size)
    for row, raw in zip(found, (noisy / 50).reshape(-1, field.size), strict=True):
        for where, total in zip(field.slices, field.multiplicity, strict=True):
            expected = nearest_on_simplex(raw[where], total)
            np.testing.assert_allclose(row[where], expected, atol=1e-9)


@settings(max_examples=20)
@given(fields(), SEEDS)
def test_the_likelihood_of_a_models_own_marginals_gives_it_back(field, seed):
    theta = potentials(field, (2,), seed, 1.0)
    _, target = marginals(field, theta)
    found = fit(field, target, penalty=0.0, tolerance=1e-6).theta
    np.testing.assert_allclose(divergence(field, theta, found), 0, atol=1e-6)


@settings(max_examples=25)
@given(fields(most=4), SEEDS, st.sampled_from([0.5, 5.0, 100.0]))
def test_the_e_step_has_no_duality_gap(field, seed, scale):
    """Its tables attain the value of the dual, so both are optimal, whoever solved them."""
    rng = np.random.default_rng(seed)
    records, theta = 200.0, potentials(field, (3,), seed, 1.0)
    noisy = rng.laplace(20.0, scale, (3, field.size))
    bound = np.full((field.size, 3), 1 / scale)
    best = e_step(
        field,
        replicates_last(theta),
        replicates_last(noisy / records),
        bound,
        start=np.zeros(bound.shape),
        tolerance=np.full(3, 1e-7),
    )
    moves = best.point.T
    assert np.abs(moves).max() <= 1 / scale
    partition, mean = marginals(field, theta + moves)
    entropy = partition - ((theta + moves) * mean).sum(axis=-1)
    far = np.abs(noisy - records * mean).sum(axis=-1) / scale
    primal = (theta * mean).sum(axis=-1) + entropy - far / records
    np.testing.assert_allclose(best.value, primal, rtol=1e-5, atol=1e-5)


@settings(max_examples=15)
@given(fields(most=4), SEEDS)
def test_em_never_moves_away_from_the_noisy_tables(field, seed):
    rng = np.random.default_rng(seed)
    records, scale = 300.0, 4.0
    noisy = rng.laplace(30.0, 10.0, (2, field.size))
    far = []
    found = em_steps(field, noisy, records, scale, np.zeros(field.size), share=1e-5)
    for _, learned in zip(range(12), found, strict=False):
        _, mean = marginals(field, learned.theta)
        far.append(np.abs(noisy - records * mean).sum(axis=-1))
    assert (np.diff(far, axis=0) <= 1e-4 * np.array(far[:-1]) + 1e-3).all()


@settings(max_examples=20)
@given(st.integers(1, 8), st.integers(1, 3), st.booleans(), SEEDS)
def test_minima_of_quadratics_equal_a_solver_for_each(cells, replicates, bounded, seed):
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    root = rng.standard_normal((replicates, cells, cells))
    curve = root @ root.transpose(0, 2, 1) + 0.1 * np.eye(cells)
    goal = rng.standard_normal((replicates, cells))
    bound = np.abs(rng.standard_normal((cells, replicates))) if bounded else None

    def function(x, active):
        slope = np.einsum("rij,jr->ir", curve[active], x) - goal[active].T
        return 0.5 * np.einsum("ir,ir->r", x, slope - goal[active].T), slope

    best = minimise(
        function,
        np.zeros((cells, replicates)),
        bound=bound,
        tolerance=np.full(replicates, 1e-9),
        rounds=500,
    )
    for r in range(replicates):
        edges = None if bound is None else [(-b, b) for b in bound[:, r]]
        slow = minimize(
            lambda x, r=r: 0.5 * x @ curve[r] @ x - goal[r] @ x,
            np.zeros(cells),
            jac=lambda x, r=r: curve[r] @ x - goal[r],
            bounds=edges,
            method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-11, "maxiter": 2000},
        )
        assert best.value[r] <= slow.fun + 1e-7 * (1 + abs(slow.fun))


@settings(max_examples=30)
@given(fields(), st.integers(0, 60), SEEDS)
def test_records_of_a_population_have_exactly_its_tables(field, records, seed):
    rng = np.random.default_rng(seed)
    truth = random_truth(field, rng=rng)
    cliques = population_cliques(truth, records, 2, rng=rng)
    tables = population_tables(field, cliques)
    for population in (0, 1):
        codes = population_records(field, cliques, population, rng=rng)
        assert codes.shape == (records, len(field.variables))
        counted = np.zeros(field.size)
        every = brute.features(field)
        shape = tuple(v.cardinality for v in field.variables)
        rows = np.ravel_multi_index(tuple(codes.T), shape)
        counted += every[rows].sum(axis=0)
        np.testing.assert_array_equal(counted, tables[population])


@settings(max_examples=20)
@given(SEEDS, st.integers(1, 4), st.integers(2, 5), st.integers(1, 5))
def test_one_person_more_moves_the_mobility_tables_by_at_most_two(seed, places, slots, segments):
    town = Town(people=8, places=places, slots=slots, segments=segments)
    field = town_field(town)
    days = generate(town, rng=np.random.default_rng(seed))
    with_all = people_tables(field, days)
    for person in range(len(days)):
        moved = with_all - people_tables(field, np.delete(days, person, axis=0))
        expected = 2.0 if days[person].any() else 0.0
        assert np.abs(moved).sum() == pytest.approx(expected, abs=1e-9)


def test_a_truth_is_no_distance_from_itself():
    field = town_field(Town())
    truth = TrueField(field, potentials(field, (), 1))
    assert divergence(field, truth.theta, truth.theta[None])[0] == pytest.approx(0, abs=1e-12)
