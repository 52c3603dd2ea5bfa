"""What every variable is believed to be once some are known. Compares with the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.counts import CountSource
from core.inference.queries import marginals
from core.scenario import Scenario
from core.study.bands import bands
from core.study.experiments import rehearsals
from core.study.metrics import Truth
from core.table import Array


@dataclass(frozen=True, eq=False)
class Beliefs:
    """P(variable | evidence) of every variable, in the network's order.

    ``truth[i]`` is ``(states,)``, by the exact counts; ``private[i]`` is ``(7, states)``: quantiles
    over rehearsed releases.
    """

    truth: tuple[Array, ...]
    private: tuple[Array, ...]


def beliefs(
    given: Mapping[str, str], method: str, truth: Truth, counts: CountSource, scenario: Scenario
) -> Beliefs:
    """All variables at once, in truth and in every rehearsal of a method.

    Evidence that is impossible by the exact counts is refused; a release in which noise made it
    impossible answers with the uniform distribution.
    """
    exact = marginals(truth.model, given)
    parts = [marginals(r.model, given) for r in rehearsals(method, truth.network, counts, scenario)]
    private = (bands(np.concatenate(blocks)) for blocks in zip(*parts, strict=True))
    return Beliefs(exact, tuple(private))
