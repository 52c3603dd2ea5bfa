"""Which model is the truth of a study: the same for a page and a shell."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import EquipoiseError
from core.markov.likelihood import FAMILY_PENALTY, PENALTY
from core.markov.synthetic import DENSITY, TrueField, network_truth
from core.parameters import Model
from core.undirected.sample import SHAPES, synthetic

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
