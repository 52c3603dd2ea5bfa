"""What Gaussian noise costs: noise multipliers from Google's accountant.

Here and not in ``core/``, which has numpy alone; loaded on first use, because it takes seconds.
"""

from __future__ import annotations

import functools
import math

from core.errors import EquipoiseError
from core.privacy import check_epsilon, check_fraction

DISCRETIZATION = 1e-3
"""Steps of the privacy losses, rounded against us: fine enough to lose less than a percent."""


@functools.lru_cache(maxsize=256)
def noise_multiplier(epsilon: float, delta: float, rate: float, steps: int) -> float:
    """Standard deviation of the noise in units of the clipping norm, for (ε, δ) after all steps.

    Neighbours: a record added or removed. ``rate`` is the Poisson sampling rate of each step; one
    step with rate 1 is a single Gaussian measurement. Zero for an infinite ε.
    """
    check_epsilon(epsilon)
    check_fraction("delta", delta)
    if math.isinf(epsilon):
        return 0.0
    import dp_accounting
    from dp_accounting import pld

    if rate == 1:  # many measurements with the same noise are one with less
        one = dp_accounting.get_sigma_gaussian(epsilon, delta)
        return float(one * math.sqrt(steps))

    def event(multiplier: float) -> dp_accounting.DpEvent:
        gaussian = dp_accounting.GaussianDpEvent(multiplier)
        sampled = dp_accounting.PoissonSampledDpEvent(rate, gaussian)
        return dp_accounting.SelfComposedDpEvent(sampled, steps)

    try:
        calibrated = dp_accounting.calibrate_dp_mechanism(
            lambda: pld.PLDAccountant(value_discretization_interval=DISCRETIZATION),
            event,
            epsilon,
            delta,
            tol=1e-3,
        )
    except ValueError as problem:
        raise EquipoiseError(
            f"no noise gives ({epsilon:g}, {delta:g}) after {steps} steps with rate {rate:g}; "
            "take fewer steps"
        ) from problem
    return float(calibrated)
