"""A question to the exact model and to rehearsed private ones, of some variables or of each.

Compares with the truth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.queries import marginals, most_probable, query
from core.scenario import Scenario
from core.study.bands import Summary, bands, summary
from core.study.experiments import Interval, interval, rehearsals
from core.study.metrics import Truth
from core.table import Array, Variable

LOW, HIGH = 0.05, 0.95
"""Limits within which nine of ten private answers lie."""


@dataclass(frozen=True, eq=False)
class Answered:
    """A distribution: one row for each combination of the targets' states, the last fastest.

    ``private`` is ``(replicates, rows)``.
    """

    variables: tuple[Variable, ...]
    truth: Array
    private: Array

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The targets' states of each row."""
        shape = tuple(v.cardinality for v in self.variables)
        return tuple(
            tuple(v.states[k] for v, k in zip(self.variables, code, strict=True))
            for code in np.ndindex(shape)
        )

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """The private answers to each row, together."""
        return tuple(summary(column) for column in self.private.T)

    @property
    def limits(self) -> tuple[Array, Array]:
        """Quantiles ``LOW`` and ``HIGH`` of the private answers to each row."""
        low, high = np.quantile(self.private, (LOW, HIGH), axis=0)
        return low, high

    @property
    def bands(self) -> Array:
        """Quantiles of the private answers: ``(7, rows)``."""
        return bands(self.private)

    @property
    def off(self) -> Array:
        """L1 distance of each release's answer from the truth."""
        return np.asarray(np.abs(self.private - self.truth).sum(axis=-1))

    @property
    def mean_off(self) -> Interval:
        """Mean of it with its 95 % interval."""
        return interval(self.off)

    @property
    def median_off(self) -> float:
        """Median of it."""
        return float(np.median(self.off))


def answered(
    asked: Query, method: str, truth: Truth, counts: CountSource, scenario: Scenario
) -> Answered:
    """P(targets | evidence) in truth, and in every rehearsal of a method."""
    if not asked.targets:
        raise EquipoiseError("the question names no variable to ask about; name at least one")
    exact = query(truth.model, asked.targets, asked.given)
    private = [
        query(release.model, asked.targets, asked.given).values.reshape(-1, exact.values.size)
        for release in rehearsals(method, truth.network, counts, scenario)
    ]
    return Answered(exact.variables, exact.values.ravel(), np.concatenate(private))


@dataclass(frozen=True, eq=False)
class Explained:
    """Most probable states of all free variables, as positions among their states.

    ``truth`` has one for each of ``variables``; ``private`` is ``(replicates, variables)``.
    """

    variables: tuple[Variable, ...]
    truth: NDArray[np.intp]
    private: NDArray[np.intp]

    @property
    def states(self) -> dict[str, str]:
        """The true explanation."""
        named = zip(self.variables, self.truth.tolist(), strict=True)
        return {v.name: v.states[k] for v, k in named}

    @property
    def agreement(self) -> Array:
        """Share of the releases that name each variable's true state."""
        return np.asarray((self.private == self.truth).mean(axis=0))

    @property
    def hits(self) -> Array:
        """One for each release that names all of them, zero for the others."""
        return np.asarray((self.private == self.truth).all(axis=-1), dtype=np.float64)

    @property
    def whole(self) -> float:
        """Share of the releases that name all of them."""
        return float(self.hits.mean())

    @property
    def as_answer(self) -> Answered:
        """The same as a question with one row: is this the explanation? In truth it is."""
        return Answered((), np.ones(1), self.hits[:, None])


def likeliest(answer: Answered) -> Explained:
    """The likeliest row of an answer as an explanation of its targets; the first of equal ones."""
    shape = tuple(v.cardinality for v in answer.variables)
    truth = np.unravel_index(int(answer.truth.argmax()), shape)
    private = np.stack(np.unravel_index(answer.private.argmax(axis=-1), shape), axis=-1)
    return Explained(answer.variables, np.array(truth, dtype=np.intp), private)


def explained(
    given: Mapping[str, str],
    method: str,
    truth: Truth,
    counts: CountSource,
    scenario: Scenario,
    targets: Sequence[str] = (),
) -> Explained:
    """The most probable explanation of the evidence, in truth and in every rehearsal.

    ``targets`` ask for the likeliest joint state of some variables, the others summed out.
    """
    if targets:
        return likeliest(answered(Query(tuple(targets), given), method, truth, counts, scenario))
    exact, _ = most_probable(truth.model, given)
    free = [i for i, name in enumerate(truth.network.names) if name not in given]
    private = [
        most_probable(release.model, given)[0][..., free]
        for release in rehearsals(method, truth.network, counts, scenario)
    ]
    variables = tuple(truth.network.variables[i] for i in free)
    return Explained(variables, exact[free], np.concatenate(private))


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
