"""How far a private model is from the model of the exact counts.

Everything here compares with the truth: it is computed from the private records, for study, and
must not be published. Replicates lead: a model with ``(100, cells)`` gives 100 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.queries import answer, explanations, marginals
from core.knowledge import narrowed, settled, tabled
from core.methods.method import packed_counts
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import Model, fit
from core.study.fixed_questions import MARGINAL, fixed_evidence, fixed_questions
from core.table import Array

FLOOR = 1e-6
"""What a true probability counts as at least where a logarithm is taken of it."""


@dataclass(frozen=True, eq=False)
class Truth:
    """The exact counts of a network's families, and what errors are measured against. Private."""

    network: Network
    counts: Array
    records: int
    options: Options = PLAIN

    @classmethod
    def of(cls, network: Network, counts: CountSource, options: Options = PLAIN) -> Truth:
        """Counted once from a source; ``options`` say which tables are known."""
        return cls(network, packed_counts(network, counts), counts.records, options)

    @cached_property
    def model(self) -> Model:
        """The maximum-likelihood model."""
        return self.fitted(self.counts.copy())

    @cached_property
    def measured(self) -> Truth:
        """The same without the tables that are known: what a release can tell about the records."""
        part = tabled(self.network, self.options.known)
        if part is self.network:
            return self
        return Truth(part, narrowed(self.counts, self.network, part), self.records)

    def fitted(self, counts: Array) -> Model:
        """The model of packed counts, with what is known put in; they are overwritten."""
        model, options = fit(self.network, counts), self.options
        if not options.informed:
            return model
        values = settled(model.values.copy(), self.network, options.known, options.possible)
        return Model(self.network, values)

    @cached_property
    def row_counts(self) -> Array:
        """Records in each row of each conditional."""
        return self.network.layout.row_totals(self.counts)

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Rows with at least one record."""
        return self.row_counts > 0

    @cached_property
    def questions(self) -> tuple[Query, ...]:
        """Ten marginal and ten conditional queries, one to three targets, fixed by a seed."""
        return fixed_questions(self.model)

    @cached_property
    def answers(self) -> tuple[Array, ...]:
        """The exact model's answers to the questions."""
        return answer(self.model, self.questions)

    @cached_property
    def _answered(self) -> dict[str, tuple[Model, tuple[Array, ...]]]:
        return {}

    def answered(self, model: Model) -> tuple[Array, ...]:
        """A model's answers to the questions; the last model's are kept for the next metric."""
        kept = self._answered.get("last")
        if kept is None or kept[0] is not model:
            kept = self._answered["last"] = (model, answer(model, self.questions))
        return kept[1]

    @cached_property
    def marginals(self) -> tuple[Array, ...]:
        """The exact model's distribution of each single variable."""
        return marginals(self.model)

    @cached_property
    def explanations(self) -> tuple[tuple[dict[str, str], NDArray[np.intp]], ...]:
        """Evidence and the exact model's most probable explanation, twenty times."""
        evidence = fixed_evidence(self.model, 20)
        likeliest = explanations(self.model, evidence)
        return tuple((given, codes) for given, (codes, _) in zip(evidence, likeliest, strict=True))


Distance = Callable[[Array, Array], Array]
"""Of private numbers from the exact ones, cell by cell: the cells are summed."""


def distance(private: Array, exact: Array) -> Array:
    """|P̃ − P|, whose sum is the L1 distance."""
    return np.asarray(np.abs(private - exact))


def divergences(private: Array, exact: Array) -> Array:
    """Terms P̃ ln(P̃ / P) of KL(private || truth) in nats; the truth is floored at 1e-6."""
    logs = np.log(np.where(private > 0, private, 1.0) / np.maximum(exact, FLOOR))
    return np.asarray(private * logs)


def row_errors(truth: Truth, model: Model, terms: Distance = distance) -> Array:
    """How far off each conditional row is: ``(*replicates, rows)``."""
    return truth.network.layout.row_totals(terms(model.values, truth.model.values))


def seen_rows(truth: Truth, model: Model, terms: Distance) -> Array:
    """Mean over the rows seen in the data."""
    return np.asarray(row_errors(truth, model, terms)[..., truth.seen].mean(axis=-1))


def node_errors(truth: Truth, model: Model, terms: Distance = distance) -> Array:
    """Each variable's row errors, weighted by the rows' probability: ``(..., nodes)``."""
    layout = truth.network.layout
    starts = [layout.row_slices[i].start for i in layout.memory_order]
    shares = truth.row_counts / max(truth.records, 1)
    sums = np.add.reduceat(row_errors(truth, model, terms) * shares, starts, axis=-1)
    return np.asarray(sums[..., np.argsort(layout.memory_order)])


def weighted_rows(truth: Truth, model: Model, terms: Distance = distance) -> Array:
    """``node_errors``, averaged over the variables."""
    return np.asarray(node_errors(truth, model, terms).mean(axis=-1))


def cells_mean(truth: Truth, model: Model, terms: Distance) -> Array:
    """Mean over parameters: every cell of every conditional counts alike."""
    return np.asarray(terms(model.values, truth.model.values).mean(axis=-1))


def cells_sum(truth: Truth, model: Model, terms: Distance) -> Array:
    """The sum over every cell of every conditional."""
    return np.asarray(terms(model.values, truth.model.values).sum(axis=-1))


def marginal_l1(truth: Truth, model: Model) -> Array:
    """Mean over variables of the L1 distance of P(variable)."""
    pairs = zip(marginals(model), truth.marginals, strict=True)
    return np.asarray(np.mean([np.abs(p - q).sum(axis=-1) for p, q in pairs], axis=0))


def answer_errors(truth: Truth, model: Model, some: slice, terms: Distance) -> Array:
    """Mean over some of the fixed questions of a distance of the answers."""
    pairs = zip(truth.answered(model)[some], truth.answers[some], strict=True)
    errors = [terms(p, q).reshape(*model.replicates, -1).sum(axis=-1) for p, q in pairs]
    return np.asarray(np.mean(errors, axis=0))


def query_l1(truth: Truth, model: Model) -> Array:
    """Mean L1 distance of the answers to the twenty fixed questions."""
    return answer_errors(truth, model, slice(None), distance)


def marginal_map_accuracy(truth: Truth, model: Model) -> Array:
    """Share of the twenty questions whose likeliest joint state of the targets is the exact one.

    The first of several equally likely states counts, in both.
    """
    pairs = zip(truth.answered(model), truth.answers, strict=True)
    hits = [p.reshape(*model.replicates, -1).argmax(axis=-1) == q.argmax() for p, q in pairs]
    return np.asarray(np.mean(hits, axis=0))


def map_accuracy(truth: Truth, model: Model) -> Array:
    """Share of the twenty most probable explanations that equal the exact model's."""
    evidence, exact = zip(*truth.explanations, strict=True)
    hits = [
        (codes == known).all(axis=-1)
        for (codes, _), known in zip(explanations(model, evidence), exact, strict=True)
    ]
    return np.asarray(np.mean(hits, axis=0))


_MARGINAL, _CONDITIONAL = slice(MARGINAL), slice(MARGINAL, None)
"""Those of the fixed questions without evidence, and those with it."""

METRICS: dict[str, Callable[[Truth, Model], Array]] = {
    "l1_row": partial(seen_rows, terms=distance),
    "l1_weighted": weighted_rows,
    "l1_parameter": partial(cells_mean, terms=distance),
    "l1_sum": partial(cells_sum, terms=distance),
    "kl_row": partial(seen_rows, terms=divergences),
    "kl_weighted": partial(weighted_rows, terms=divergences),
    "marginal_l1": marginal_l1,
    "query_l1": query_l1,
    "marginal_query_l1": partial(answer_errors, some=_MARGINAL, terms=distance),
    "marginal_query_kl": partial(answer_errors, some=_MARGINAL, terms=divergences),
    "conditional_query_l1": partial(answer_errors, some=_CONDITIONAL, terms=distance),
    "conditional_query_kl": partial(answer_errors, some=_CONDITIONAL, terms=divergences),
    "map_accuracy": map_accuracy,
    "marginal_map_accuracy": marginal_map_accuracy,
}

USUAL = ("l1_row", "l1_weighted", "kl_weighted", "marginal_l1", "query_l1", "map_accuracy")
"""What is measured where nobody names a metric."""

RISING = {"map_accuracy", "marginal_map_accuracy"}
"""Metrics that rise with ε: more is better."""


def check_metrics(names: Sequence[str]) -> None:
    """Refuse names that are no metric."""
    for name in names:
        if name not in METRICS:
            raise EquipoiseError(f"no metric {name!r}; there are {', '.join(METRICS)}")
