"""The bounded descent: hundreds of random problems, degenerate ones, and an independent solver.

Values are compared to 1e-9 of their size. They can be: a point whose projected gradient is at most
t in every cell has a value above the minimum by at most t times the L1 size of the box, which for
tolerances of 1e-10 and the boxes here is below that, and evaluating a value rounds at 1e-15.
"""

import itertools

import numpy as np
import pytest
from scipy import optimize, special

from core.markov.belief import marginals
from core.markov.collective import e_step
from core.markov.descent import minimise
from core.markov.graph import Field
from core.markov.likelihood import fit
from core.markov.synthetic import chain_field
from core.table import replicates_last
from tests.unit.markov import brute

TRIANGLE = Field(chain_field(3, 2).variables, ((0, 1), (1, 2), (0, 2)))


def noisy_triangle(scale, records=100.0, seed=0):
    rng = np.random.default_rng(seed)
    theta = rng.standard_normal((2, TRIANGLE.size))
    noisy = records * marginals(TRIANGLE, theta)[1] + rng.laplace(0, scale, theta.shape)
    return theta, noisy


@pytest.mark.parametrize(
    ("scale", "seeds"), [(0.1, 20), (0.3, 60), (0.5, 60), (4.0, 10), (30.0, 10)]
)
def test_the_e_step_equals_a_generic_convex_solver(scale, seeds):
    """Less noise means a wider box and a longer way: a clipped step once ended in 13 of 600."""
    table = brute.features(TRIANGLE)
    drawn = [noisy_triangle(scale, seed=seed) for seed in range(seeds)]
    theta, noisy = (np.concatenate(both) for both in zip(*drawn, strict=True))
    bound = np.full((TRIANGLE.size, len(theta)), 1 / scale)
    best = e_step(
        TRIANGLE,
        replicates_last(theta),
        replicates_last(noisy / 100),
        bound,
        start=np.zeros(bound.shape),
        tolerance=np.full(len(theta), 1e-9),
    )
    assert best.converged.all()
    for k in range(len(theta)):

        def slow(g, k=k):
            weights = np.exp(table @ (theta[k] + g))  # at most e^(3 / 0.1 + 9)
            mass, wanted = weights.sum(), noisy[k] / 100
            return np.log(mass) - g @ wanted, weights @ table / mass - wanted

        other = generic(slow, bound[:, k])
        assert best.value[k] <= other + 1e-9 * max(1, abs(other)), k // 2


def generic(function, bound):
    """The least value that scipy's L-BFGS-B finds in the box."""
    return optimize.minimize(
        function,
        np.zeros(len(bound)),
        jac=True,
        bounds=list(zip(-bound, bound, strict=True)),
        method="L-BFGS-B",
        options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 50_000, "maxfun": 500_000},
    ).fun


def projected(x, slope, bound):
    """Largest cell of x - clip(x - slope): zero at a minimum and nowhere else."""
    return np.abs(x - np.clip(x - slope, -bound, bound)).max(axis=0, initial=0)


def solve(function, start, bound, tolerance=1e-10, rounds=3000):
    """Minima, checked to be inside the box and called converged only where they are."""
    count = start.shape[1]
    best = minimise(
        function, start, bound=bound, tolerance=np.full(count, tolerance), rounds=rounds
    )
    assert (np.abs(best.point) <= bound).all()
    value, slope = function(best.point, np.arange(count))
    np.testing.assert_allclose(value, best.value, rtol=1e-13)  # sums in another order
    assert (projected(best.point, slope, bound)[best.converged] <= tolerance + 1e-15).all()
    np.testing.assert_array_equal(best.converged, best.residual <= tolerance)
    return best


def quadratics(rng, cells, count, condition):
    """Convex quadratics whose curvatures run from 1 / condition to 1, in random directions."""
    basis = np.linalg.qr(rng.standard_normal((count, cells, cells)))[0]
    curvatures = condition ** -rng.random((count, cells))
    curve = np.einsum("rij,rj,rkj->rik", basis, curvatures, basis)
    goal = rng.standard_normal((count, cells))

    def function(x, active):
        slope = np.einsum("rij,jr->ir", curve[active], x) - goal[active].T
        return 0.5 * np.einsum("ir,ir->r", x, slope - goal[active].T), slope

    return function


def partitions(rng, cells, count):
    """Log-sums of exponentials, less a linear function, as in learning: flat in directions."""
    features = rng.random((count, 3 * cells, cells)).round()
    goal = features[:, 0] * 0.7 + features[:, 1] * 0.3

    def function(x, active):
        scores = np.einsum("rsi,ir->rs", features[active], x)
        mean = np.einsum("rs,rsi->ir", special.softmax(scores, axis=1), features[active])
        wanted = goal[active].T
        return special.logsumexp(scores, axis=1) - (x * wanted).sum(axis=0), mean - wanted

    return function


def only(function, k):
    """One of many functions, as a generic solver wants it."""

    def one(x):
        value, slope = function(x[:, None], np.array([k]))
        return float(value[0]), slope[:, 0]

    return one


KINDS = {
    "quadratics": lambda rng, cells, count: quadratics(rng, cells, count, 10.0),
    "ill-conditioned quadratics": lambda rng, cells, count: quadratics(rng, cells, count, 1e4),
    "log-sums": partitions,
}


@pytest.mark.parametrize("size", [0.01, 0.3, 3.0])
@pytest.mark.parametrize("kind", KINDS)
def test_random_problems_reach_the_value_of_a_generic_solver(kind, size):
    rng = np.random.default_rng(7)
    for cells in (1, 2, 5, 12):
        count = 12
        function = KINDS[kind](rng, cells, count)
        bound = size * rng.random((cells, count))
        bound[rng.random(bound.shape) < 0.1] = 0  # some cells cannot move
        start = bound * rng.choice([-1.0, 0.0, 1.0, 2.0], bound.shape)  # also from outside
        best = solve(function, start, bound)
        assert best.converged.all()
        for k in range(count):
            other = generic(only(function, k), bound[:, k])
            assert best.value[k] <= other + 1e-9 * max(1, abs(other))


def test_a_minimum_exactly_in_a_corner_is_found_and_left_when_it_is_none():
    rng = np.random.default_rng(1)
    cells, count = 8, 40
    corner = rng.choice([-1.0, 1.0], (cells, count))

    def function(x, active):
        away = x - corner[:, active]  # the free minimum is the corner itself: no gradient is left
        return 0.5 * (away**2).sum(axis=0), away

    for start in (np.zeros((cells, count)), corner, -corner):
        best = solve(function, start, np.ones((cells, count)))
        assert best.converged.all()
        np.testing.assert_allclose(best.point, corner, atol=1e-9)


def test_a_box_without_room_is_solved_at_once():
    function = quadratics(np.random.default_rng(2), 6, 5, 10.0)
    best = solve(function, np.ones((6, 5)), np.zeros((6, 5)))
    assert best.converged.all()
    assert (best.evaluations == 1).all()
    assert not best.point.any()


def test_cells_that_do_not_matter_stay_and_the_others_are_solved():
    rng = np.random.default_rng(3)
    inner = quadratics(rng, 4, 30, 100.0)

    def function(x, active):
        value, slope = inner(x[:4], active)
        return value, np.concatenate([slope, np.zeros((3, len(active)))])

    bound = np.full((7, 30), 0.4)
    start = np.full((7, 30), 0.2)
    best = solve(function, start, bound)
    assert best.converged.all()
    np.testing.assert_array_equal(best.point[4:], start[4:])


def test_infinite_bounds_are_none():
    function = quadratics(np.random.default_rng(4), 6, 20, 100.0)
    start = np.zeros((6, 20))
    wide = solve(function, start, np.full(start.shape, np.inf))
    free = minimise(function, start, tolerance=np.full(20, 1e-10), rounds=3000)
    assert wide.converged.all() and free.converged.all()
    np.testing.assert_allclose(wide.value, free.value, rtol=1e-12)


def test_stopping_early_is_not_convergence():
    function = quadratics(np.random.default_rng(5), 12, 20, 1e4)
    bound = np.full((12, 20), 5.0)
    start = np.zeros(bound.shape)
    values = [solve(function, start, bound, rounds=rounds) for rounds in (0, 3, 20)]
    assert not values[0].converged.any()
    assert not values[1].converged.all()
    for less, more in itertools.pairwise(values):
        assert (more.value <= less.value).all()


def test_a_tolerance_below_rounding_is_reported_and_not_claimed():
    """The gradient rounds at about 1e-16 of its terms: no point is known to be flat to 1e-30."""
    function = quadratics(np.random.default_rng(6), 9, 30, 100.0)
    bound = np.full((9, 30), 1.0)
    best = solve(function, np.zeros(bound.shape), bound, tolerance=1e-30)
    assert not best.converged.all()
    assert best.residual.max() < 1e-13  # and yet as near as rounding lets it be
    loose = solve(function, np.zeros(bound.shape), bound, tolerance=1e-13)
    assert loose.converged.all()


def test_a_gradient_that_lies_is_not_called_a_minimum():
    """Where no step lowers the value the descent gives up, and says so."""

    def function(x, active):
        return np.abs(x).sum(axis=0), np.full(x.shape, -1.0)

    best = minimise(
        function, np.zeros((3, 4)), bound=np.ones((3, 4)), tolerance=np.full(4, 1e-9), rounds=50
    )
    assert not best.converged.any()
    assert best.value.max() < 1e-9


def test_a_likelihood_flat_next_to_a_probability_of_zero_is_no_crawl():
    """Five cliques of one table: the first step ends where the gradient is all but gone."""
    field = Field(chain_field(2, 2).variables[:1], ((0,),) * 6, (0, 1, 0, 0, 0, 0))
    theta = np.concatenate([np.random.default_rng(k).standard_normal((2, 4)) for k in range(12)])
    _, target = marginals(field, theta)
    assert target.min() < 1e-6
    learned = fit(field, target, penalty=0.0, tolerance=1e-6)
    assert learned.converged.all()
    alone = fit(field, target[9:10], penalty=0.0, tolerance=1e-6)  # whoever else is under way
    np.testing.assert_allclose(alone.theta, learned.theta[9:10], rtol=1e-9)
