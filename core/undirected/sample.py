"""Settings of a study, and the populations drawn for one.

Study only: exact tables are known.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import EquipoiseError, brief
from core.markov.collective import STEPS
from core.markov.dpsgd import Training
from core.markov.likelihood import FAMILY_PENALTY, PENALTY, penalty
from core.markov.synthetic import (
    DENSITY,
    TrueField,
    chain_field,
    network_truth,
    population_cliques,
    population_tables,
    random_field,
    random_truth,
)
from core.methods.noise import standard_laplace
from core.parameters import Model
from core.privacy import Neighbours, check_epsilon
from core.scenario import check_seed
from core.table import Array

MOST_STEPS = 10_000
"""Steps of EM that a study takes at most."""

LEAST_PENALTY = 1e-9
"""λ when none is asked for: less is rounding."""


class Accountant(Protocol):
    """The noise multiplier for (ε, δ), given sampling rate and steps: ``sources.accounting``."""

    def __call__(self, epsilon: float, delta: float, rate: float, steps: int) -> float:
        """Standard deviation of the noise over the clipping norm."""


@dataclass(frozen=True)
class Setting:
    """One point of a study. All public.

    ``share`` is λ in units of b/N (``strength`` fixes λ itself instead); ``steps`` are the EM
    steps of CGM, from the naive solution or from ``zero``; ``populations`` times ``repeats``
    (noise draws on each) are averaged over; δ is 1/N unless given; DP-SGD is tuned unless told how
    to train.
    """

    epsilon: float = 1.0
    records: int = 10_000
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    share: float = PENALTY
    strength: float | None = None
    steps: int = STEPS
    zero: bool = False
    projected: bool = True
    populations: int = 5
    repeats: int = 2
    seed: int = 0
    delta: float | None = None
    training: Training | None = None

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_seed("the seed", self.seed)
        for name in ("records", "populations", "repeats"):
            if getattr(self, name) < 1:
                raise EquipoiseError(f"{name} is {getattr(self, name)}; it must be at least 1")
        strong = self.strength is None or 0 < self.strength < math.inf
        if not (0 <= self.steps <= MOST_STEPS and 0 <= self.share < math.inf and strong):
            raise EquipoiseError(
                f"CGM with {brief(str(self.steps))} steps and a penalty of {self.share:g} b/N "
                f"cannot run; take up to {MOST_STEPS:,} steps and a penalty that is not negative"
            )

    @property
    def leak(self) -> float:
        """δ of the (ε, δ) estimators."""
        return 1 / max(self.records, 2) if self.delta is None else self.delta


@dataclass(frozen=True, eq=False)
class Sample:
    """Populations of one setting: exact tables ``(populations, 1, cells)`` and standard noise.

    The noise depends on seed and N alone and is stretched by ε. Private in real life.
    """

    truth: TrueField
    setting: Setting
    cliques: list[NDArray[np.int64]]
    exact: Array
    noise: Array

    @property
    def scale(self) -> float:
        """Laplace scale b of a cell."""
        return noise_scale(self.truth, self.setting)

    @property
    def noisy(self) -> Array:
        """Tables with Laplace noise, ``(populations, repeats, cells)``. Bernstein et al., Eq. 3."""
        return np.asarray(self.exact + self.scale * self.noise)


def noise_scale(truth: TrueField, setting: Setting) -> float:
    """Laplace scale b = sensitivity / ε: every record is in one cell of each table."""
    return setting.neighbours.l1_over(len(truth.field.tables)) / setting.epsilon


def strength(scale: float, setting: Setting) -> float:
    """The setting's λ for noise of this scale; 1/N without noise, so that a solution exists."""
    if setting.strength is not None:
        return setting.strength
    if scale == 0:
        return 1 / setting.records
    return max(float(penalty(scale, setting.records, setting.share)), LEAST_PENALTY)


SHAPES = ("chain", "random")
"""Third-order chains and connected random graphs."""


def synthetic(
    shape: str, nodes: int, states: int, *, density: float = DENSITY, seed: int
) -> TrueField:
    """A model with random potentials; ``density`` is that of a random graph."""
    rng = np.random.default_rng(seed)
    if shape == "chain":
        return random_truth(chain_field(nodes, states), rng=rng)
    if shape == "random":
        return random_truth(random_field(nodes, states, density, rng=rng), rng=rng)
    raise EquipoiseError(f"no shape {shape!r}; there are {', '.join(SHAPES)}")


def draw(truth: TrueField, setting: Setting) -> Sample:
    """The populations of a setting and their noise: the same for every estimator and every ε."""
    rng = np.random.default_rng([setting.seed, setting.records])
    cliques = population_cliques(truth, setting.records, setting.populations, rng=rng)
    exact = population_tables(truth.field, cliques)[:, None]
    shape = (setting.populations, setting.repeats)
    noise = standard_laplace((math.prod(shape), truth.field.size), rng=rng)
    return Sample(truth, setting, cliques, exact, noise.reshape(*shape, -1))


MORAL = "moral"
"""The moral graph of a Bayesian network, beside the synthetic shapes."""

KINDS = (*SHAPES, MORAL)


@dataclass(frozen=True)
class Shape:
    """Which model is the truth; nodes, states and density do not matter for a moral graph."""

    kind: str
    nodes: int = 10
    states: int = 5
    density: float = DENSITY

    @property
    def share(self) -> float:
        """λ in units of b/N unless another is asked for."""
        return FAMILY_PENALTY if self.kind == MORAL else PENALTY


def true_model(shape: Shape, *, seed: int, model: Model | None = None) -> TrueField:
    """The true model; refused with its sentence when it is too large to be trained.

    A moral graph is that of ``model``, whose probabilities are the truth.
    """
    if shape.kind != MORAL:
        truth = synthetic(shape.kind, shape.nodes, shape.states, density=shape.density, seed=seed)
    elif model is None:
        raise EquipoiseError(
            "the network has no probabilities, so there is no truth to compare with; give a "
            "network file with probabilities"
        )
    else:
        truth = network_truth(model)
    _ = truth.field.tree  # refuses here, before anything is measured
    return truth
