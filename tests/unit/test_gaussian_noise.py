"""Budgets of Gaussian noise: an independent accountant agrees, and less noise is spent."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from core.errors import EquipoiseError
from core.gaussian_noise import CONCENTRATED, KAPPA, GaussianBudget, gaussian_budget
from core.methods.noise import discrete_gaussian_chances
from core.privacy import concentrated

SHARES = (0.5, 0.2, 0.2, 0.05, 0.05)


def composed(deviations):
    """The losses of discrete Gaussian tables together, rounded against us."""
    whole = None
    for deviation in deviations:
        one = pld.from_discrete_gaussian_mechanism(deviation, 1, value_discretization_interval=1e-3)
        whole = one if whole is None else whole.compose(one)
    return whole


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-6), (1.0, 1e-6), (2.0, 1e-9), (3.0, 1e-3)])
def test_the_losses_of_discrete_tables_keep_epsilon_and_delta(epsilon, delta):
    budget = gaussian_budget(epsilon, delta)
    deviations = [budget.deviation(1, share * budget.rho) for share in SHARES]
    found = composed(deviations).get_delta_for_epsilon(epsilon + 2e-3)  # its own rounding
    assert found <= delta
    # and little is given away: a tenth less noise would break the promise
    if budget.exact:
        less = composed([0.9 * d for d in deviations]).get_delta_for_epsilon(epsilon)
        assert less > delta


def test_it_is_never_more_noise_than_concentrated_privacy_for_a_tenth_of_the_budget():
    for epsilon in (0.01, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 10.0):
        for delta in (1e-9, 1e-6, 1e-3):
            budget, rho = gaussian_budget(epsilon, delta), concentrated(epsilon, delta)
            own = budget.deviation(1, budget.rho / 10)
            assert own <= GaussianBudget(rho, 0, 0.125).deviation(1, rho / 10) * (1 + 1e-12)
            assert budget.exact == (rho <= CONCENTRATED)
    assert gaussian_budget(math.inf, 1e-6) == GaussianBudget(math.inf, 0, 0.125)
    with pytest.raises(EquipoiseError, match="delta is 0"):
        gaussian_budget(1.0, 0.0)


@pytest.mark.parametrize(("epsilon", "delta"), [(8e-5, 1e-6), (1e-4, 1e-6), (4.0, 1e-6)])
def test_what_discrete_noise_takes_of_a_tiny_budget_is_left_to_concentrated_privacy(epsilon, delta):
    assert gaussian_budget(epsilon, delta) == GaussianBudget(concentrated(epsilon, delta), 0, 0.125)


@pytest.mark.parametrize("deviation", [1.2, 3.0, 20.0])
def test_rounded_continuous_noise_has_discrete_chances(deviation):
    """The proof's mixture, by integration on a fine grid."""
    reach = math.ceil(9 * deviation)
    whole = np.arange(-reach, reach + 1)
    w = np.linspace(-reach - 6, reach + 6, 60 * (2 * reach + 12) + 1)
    around = np.arange(math.floor(w[0]) - 8, math.ceil(w[-1]) + 9)
    theta = np.exp(-((around[:, None] - w) ** 2) / 2).sum(axis=0)
    least = deviation**2 - 1
    density = np.exp(-(w**2) / (2 * least)) / math.sqrt(2 * math.pi * least) * (w[1] - w[0])
    near = np.abs(whole) <= 5 * deviation
    mixed = np.exp(-((whole[near, None] - w) ** 2) / 2) @ (density / theta)
    ratio = np.log(mixed / discrete_gaussian_chances(deviation, reach)[near])
    assert np.abs(ratio).max() <= KAPPA
    assert np.ptp(theta) / theta.mean() > 1e-9  # what the bound is about


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0])
def test_a_choice_is_no_worse_than_its_gaussian_cost(epsilon):
    """Two outcomes whose losses are ε apart are the worst; any place of the interval."""
    normal = NormalDist()
    logits = np.linspace(-12, 12, 400) - epsilon / 2
    far = [
        normal.inv_cdf(1 / (1 + math.exp(-x - epsilon))) - normal.inv_cdf(1 / (1 + math.exp(-x)))
        for x in logits.tolist()
    ]
    assert max(far) ** 2 / 2 <= gaussian_budget(1.0, 1e-6).choice * epsilon**2
