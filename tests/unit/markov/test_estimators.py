"""Learning undirected models: against generic solvers, the linear programme, and by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, special

from core.errors import EquipoiseError
from core.markov.belief import marginals
from core.markov.collective import collective, em_steps
from core.markov.dpsgd import Training, record_cells, train
from core.markov.families import trained_field
from core.markov.graph import Field, moral_field
from core.markov.likelihood import divergence, fit, naive, penalty
from core.markov.printed import Damping, nonlinear_belief, printed_em
from core.markov.synthetic import chain_field, network_truth, random_truth
from core.network import Network
from core.table import Variable
from core.undirected.sample import Setting, draw, synthetic
from sources.networks import sample
from tests.unit.markov import brute


def nearest_in_polytope(field, noisy, records):
    """The least L1 distance of the noisy tables to tables of any distribution, by simplex."""
    table = brute.features(field)
    states, cells = table.shape
    cost = np.concatenate([np.zeros(states), np.ones(cells)])
    mean = records * table.T
    inequalities = np.block([[mean, -np.eye(cells)], [-mean, -np.eye(cells)]])
    found = optimize.linprog(
        cost,
        A_ub=inequalities,
        b_ub=np.concatenate([noisy, -noisy]),
        A_eq=np.concatenate([np.ones(states), np.zeros(cells)])[None],
        b_eq=[1.0],
    )
    return found.fun


def test_the_limit_of_em_is_the_nearest_point_of_the_marginal_polytope():
    """It does not depend on b, which only says how far one step may go."""
    truth = network_truth(sample("asia").model)
    rng = np.random.default_rng(0)
    records = 1000.0
    noisy = records * marginals(truth.field, truth.theta)[1]
    noisy = noisy + rng.laplace(0, 16.0, noisy.shape)
    steps = em_steps(truth.field, noisy, records, 1.0, np.zeros(truth.field.size), share=0.01)
    theta = next(itertools.islice(steps, 40, None)).theta
    far = np.abs(noisy - records * marginals(truth.field, theta)[1]).sum()
    least = nearest_in_polytope(truth.field, noisy, records)
    assert least * (1 - 1e-9) <= far <= least * 1.001


def test_a_step_moves_every_potential_by_at_most_one_over_b():
    truth = synthetic("chain", 5, 3, seed=1)
    one = draw(truth, Setting(epsilon=0.05, records=500, populations=1, repeats=2))
    for steps in (1, 4):
        moved = collective(truth.field, one.noisy, 500, one.scale, start=np.zeros(1), steps=steps)
        assert np.abs(moved.theta).max() <= steps / one.scale * (1 + 1e-12)
    still = collective(truth.field, one.noisy, 500, one.scale, start=truth.theta, steps=0).theta
    np.testing.assert_array_equal(still, np.broadcast_to(truth.theta, still.shape))


def test_the_naive_fit_equals_a_generic_solver():
    truth = synthetic("random", 4, 2, density=0.7, seed=2)
    target = np.random.default_rng(3).dirichlet(np.ones(4), len(truth.field.tables)).ravel()
    found = fit(truth.field, target, penalty=0.01, tolerance=1e-9).theta
    table = brute.features(truth.field)
    slow = optimize.minimize(
        lambda t: special.logsumexp(table @ t) - target @ t + 0.01 * t @ t,
        np.zeros(truth.field.size),
        method="BFGS",
        options={"gtol": 1e-6},
    )
    np.testing.assert_allclose(found, slow.x, atol=1e-3)


def test_printed_algorithms_agree_with_the_dual_when_they_converge():
    truth = synthetic("chain", 4, 3, seed=0)
    one = draw(truth, Setting(epsilon=1.0, records=2000, populations=1, repeats=1))
    noisy, scale = one.noisy, one.scale
    zero = np.zeros(noisy.shape)
    best = next(em_steps(truth.field, noisy, 2000, scale, zero, share=1e-4))
    exact = 2000 * marginals(truth.field, best.theta)[1]

    def error(damping, decay, rounds):
        damped = Damping(damping, decay, rounds)
        found = nonlinear_belief(truth.field, zero, noisy, 2000, scale, damped)
        return np.abs(found - exact).sum() / np.abs(exact).sum()

    constant = [error(damping, 0.0, 200) for damping in (1.0, 0.5, 0.1)]
    assert constant == sorted(constant, reverse=True)  # it jumps around, less with less damping
    assert error(0.1, 0.1, 3000) < min(0.01, constant[0] / 5)
    printed = printed_em(truth.field, noisy, 2000, scale, start=zero, steps=2, rounds=2000)
    ours = collective(truth.field, noisy, 2000, scale, start=zero, steps=2).theta
    assert divergence(truth.field, ours[0, 0], printed[0])[0] < 0.02


def test_dp_sgd_without_noise_and_clipping_is_gradient_ascent():
    truth = synthetic("chain", 3, 2, seed=0)
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (2, 40, 3))
    cells = record_cells(truth.field, codes)
    training = Training(steps=5, rate=1.0, clip=100.0, pace=0.5, momentum=0.0)
    found = train(truth.field, cells, 0.0, [training] * 2, records=40, rng=rng)
    exact = np.stack([np.bincount(c.ravel(), minlength=truth.field.size) for c in cells]) / 40
    theta = np.zeros(exact.shape)
    for step in range(5):
        pace = 0.5 * 0.5 * (1 + math.cos(math.pi * step / 5))
        theta += pace * (exact - marginals(truth.field, theta)[1])
    np.testing.assert_allclose(found, theta, atol=1e-12)


def test_clipping_bounds_what_one_record_moves():
    truth = synthetic("chain", 4, 3, seed=0)
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (1, 30, 4))
    training = Training(steps=1, rate=1.0, clip=0.4, pace=1.0, momentum=0.0)
    moved = [
        train(
            truth.field,
            record_cells(truth.field, some),
            0.0,
            [training],
            records=30,
            rng=np.random.default_rng(0),
        )[0]
        * 30
        for some in (codes, codes[:, :-1])
    ]
    norm = 0.4 * math.sqrt(len(truth.field.tables))
    assert np.linalg.norm(moved[0] - moved[1]) == pytest.approx(norm)


def test_bad_training_is_refused():
    with pytest.raises(EquipoiseError, match="rate 0 "):
        Training(rate=0.0)
    with pytest.raises(EquipoiseError, match="clipping norm 0"):
        Training(clip=0.0)


def test_a_shared_table_is_the_sum_of_its_cliques():
    own = chain_field(4, 3, order=1)
    shared = Field(own.variables, own.cliques, (0, 0, 0))
    theta = np.random.default_rng(0).standard_normal((2, 9))
    _, apart = marginals(own, np.tile(theta, 3))
    _, together = marginals(shared, theta)
    np.testing.assert_allclose(together, apart.reshape(2, 3, 9).sum(axis=1), atol=1e-12)


def grid(side, states):
    labels = tuple(map(str, range(states)))
    names = [[f"v{r}{c}" for c in range(side)] for r in range(side)]
    variables = tuple(Variable(name, labels) for row in names for name in row)
    parents = tuple(
        tuple(names[i][j] for i, j in ((r - 1, c), (r, c - 1)) if i >= 0 and j >= 0)
        for r in range(side)
        for c in range(side)
    )
    return Network(variables, parents)


def test_a_model_too_large_is_refused_with_what_would_fit():
    with pytest.raises(EquipoiseError) as refusal:
        _ = chain_field(10, 40).tree
    assert str(refusal.value) == (
        "exact training needs a junction tree of 17,920,000 cells; at most 2,097,152 are allowed, "
        "so merge states: with at most 23 for each variable it needs 1,958,887 cells and fits"
    )
    small = chain_field(10, 20)
    assert small.tree.cells == small.predicted_cells == 1_120_000
    with pytest.raises(EquipoiseError, match=r"moral graph of this network is too large: .* fits"):
        trained_field(grid(5, 9))
    wide = Network(
        tuple(Variable(f"v{i}", ("0", "1")) for i in range(23)),
        (*((),) * 21, tuple(f"v{i}" for i in range(21)), ()),
    )
    with pytest.raises(EquipoiseError, match="remove edges until no clique"):
        trained_field(wide)


def test_impossible_structures_are_refused():
    two = chain_field(2, 2).variables
    with pytest.raises(EquipoiseError, match=r"clique \(0, 2\)"):
        Field(two, ((0, 2),))
    with pytest.raises(EquipoiseError, match="no clique holds 'x2'"):
        Field(two, ((0,),))
    with pytest.raises(EquipoiseError, match="only cliques of one shape"):
        Field(two, ((0,), (0, 1)), (0, 0))


def test_the_moral_field_is_packed_as_the_network():
    model = sample("sachs").model
    field = moral_field(model.network)
    assert [field.slices[place] for place in range(len(field.slices))] == [
        model.network.layout.slices[i] for i in model.network.layout.memory_order
    ]
    truth = network_truth(model)
    partition, _ = marginals(truth.field, truth.theta)
    assert partition == pytest.approx(0, abs=1e-3)  # conditionals multiply to one, but for zeros


def test_naive_and_cgm_know_replicates_of_different_size():
    truth = random_truth(chain_field(4, 2), rng=np.random.default_rng(0))
    sizes, scales = np.array([200.0, 2000.0]), np.array([[12.0], [3.0]])
    noisy = sizes[:, None] * marginals(truth.field, truth.theta)[1]
    noisy = noisy + scales * np.random.default_rng(1).laplace(size=noisy.shape)
    both = naive(truth.field, noisy, sizes, scales, penalty=penalty(scales, sizes)).theta
    more = collective(truth.field, noisy, sizes, scales, start=both, steps=2).theta
    for k in range(2):
        weight = penalty(float(scales[k, 0]), sizes[k])
        scale = float(scales[k, 0])
        alone = naive(truth.field, noisy[k], sizes[k], scale, penalty=weight).theta
        np.testing.assert_allclose(both[k], alone, atol=1e-6)
        later = collective(truth.field, noisy[k], sizes[k], scale, start=alone, steps=2)
        np.testing.assert_allclose(more[k], later.theta, atol=1e-6)
