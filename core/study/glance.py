"""One release at a glance: what every variable gets, how wrong it becomes, one conditional.

Compares with the truth: study only.
"""

from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.queries import marginals
from core.methods.plans import BudgetPlan
from core.scenario import Scenario
from core.study.bands import bands
from core.study.error_curves import with_overall
from core.study.experiments import rehearsals
from core.study.metrics import Truth, node_errors
from core.study.trace import Trace, traced
from core.table import Array

FAR = 0.9
"""The answer error that nine of ten probabilities stay below."""


@dataclass(frozen=True, eq=False)
class Glance:
    """What one ε gives; quantiles over replicates lead (:data:`core.study.bands.QUANTILES`).

    ``errors`` are those of every variable with the overall one last, ``conditional`` the selected
    variable's rows. ``answer_error`` is none where it was not asked for.
    """

    plan: BudgetPlan
    trace: Trace
    errors: Array
    answer_error: float | None
    conditional: Array

    @property
    def node_epsilon(self) -> Array:
        """Each variable's ε; the median over plans where they depend on the records."""
        return np.array([node.epsilon.median for node in self.trace.nodes])

    @property
    def node_errors(self) -> Array:
        """Quantiles of each variable's row error."""
        return self.errors[:, :-1]

    @property
    def overall(self) -> Array:
        """Quantiles of their mean."""
        return self.errors[:, -1]


def glance(
    method: str,
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    *,
    selected: int,
    answers: bool,
) -> Glance:
    """Errors of a method at one ε; ``answers`` asks for those of single variables too."""
    plans, errors, far, own = [], [], [], []
    for release in rehearsals(method, truth.network, counts, scenario):
        if release.plan is None:
            raise EquipoiseError(f"{method!r} spends no budget; choose a private method")
        plans.append(release.plan)
        errors.append(node_errors(truth, release.model))
        own.append(release.model.conditional(selected).values)
        if answers:
            pairs = zip(marginals(release.model), truth.marginals, strict=True)
            far += [np.abs(p - q).ravel() for p, q in pairs]
    last = truth.network.layout.shapes[selected][-1]
    conditional = bands(np.concatenate(own))
    return Glance(
        plans[0],
        traced(method, truth.network, plans, release.noise, scenario),
        with_overall(np.concatenate(errors)),
        float(np.quantile(np.concatenate(far), FAR)) if far else None,
        conditional.reshape(len(conditional), -1, last),
    )
