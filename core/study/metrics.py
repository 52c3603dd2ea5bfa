"""How far a private model is from the model of the exact counts.

Everything here compares with the truth: it is computed from the private records, for study, and
must not be published. Replicates lead: a model with ``(100, cells)`` gives 100 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.queries import answer, explanations, marginals
from core.knowledge import narrowed, settled, tabled
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
        tables = counts.counts(network.families)
        packed = network.layout.pack([t.values for t in tables])
        return cls(network, packed, counts.records, options)

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
    def row_weights(self) -> Array:
        """Share of the records in each row; one for each variable in total."""
        return self.row_counts / max(self.records, 1)

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


def row_errors(truth: Truth, model: Model) -> Array:
    """L1 distance of each conditional row: ``(*replicates, rows)``."""
    return truth.network.layout.row_totals(np.abs(model.values - truth.model.values))


def l1_row(truth: Truth, model: Model) -> Array:
    """Mean L1 distance over the rows seen in the data."""
    return np.asarray(row_errors(truth, model)[..., truth.seen].mean(axis=-1))


def node_errors(truth: Truth, model: Model) -> Array:
    """L1 distance of each variable's rows, weighted by their probability: ``(..., nodes)``."""
    return _by_node(truth, row_errors(truth, model))


def _by_node(truth: Truth, rows: Array) -> Array:
    """Probability-weighted sum of row values for each variable, in the network's order."""
    layout = truth.network.layout
    starts = [layout.row_slices[i].start for i in layout.memory_order]
    sums = np.add.reduceat(rows * truth.row_weights, starts, axis=-1)
    return np.asarray(sums[..., np.argsort(layout.memory_order)])


def l1_weighted(truth: Truth, model: Model) -> Array:
    """``node_errors``, averaged over the variables."""
    return np.asarray(node_errors(truth, model).mean(axis=-1))


def l1_parameter(truth: Truth, model: Model) -> Array:
    """Mean |difference| of a parameter: every cell of every conditional counts alike."""
    return np.asarray(np.abs(model.values - truth.model.values).mean(axis=-1))


def l1_sum(truth: Truth, model: Model) -> Array:
    """The sum of |difference| over every cell of every conditional."""
    return np.asarray(np.abs(model.values - truth.model.values).sum(axis=-1))


def divergences(private: Array, exact: Array) -> Array:
    """Terms P̃ ln(P̃ / P) of KL(private || truth) in nats; the truth is floored at 1e-6."""
    logs = np.log(np.where(private > 0, private, 1.0) / np.maximum(exact, FLOOR))
    return np.asarray(private * logs)


def row_divergences(truth: Truth, model: Model) -> Array:
    """KL(private || truth) of each conditional row: ``(*replicates, rows)``."""
    return truth.network.layout.row_totals(divergences(model.values, truth.model.values))


def kl_row(truth: Truth, model: Model) -> Array:
    """Mean KL(private || truth) over the rows seen in the data."""
    return np.asarray(row_divergences(truth, model)[..., truth.seen].mean(axis=-1))


def kl_weighted(truth: Truth, model: Model) -> Array:
    """KL(private || truth) of each row, weighted by how common the row is."""
    return np.asarray(_by_node(truth, row_divergences(truth, model)).mean(axis=-1))


def marginal_l1(truth: Truth, model: Model) -> Array:
    """Mean over variables of the L1 distance of P(variable)."""
    pairs = zip(marginals(model), truth.marginals, strict=True)
    return np.asarray(np.mean([np.abs(p - q).sum(axis=-1) for p, q in pairs], axis=0))


Distance = Callable[[Array, Array], Array]
"""Of a private answer from the exact one, cell by cell: the cells are summed."""


def distance(private: Array, exact: Array) -> Array:
    """|P̃ − P|, whose sum is the L1 distance."""
    return np.asarray(np.abs(private - exact))


def answer_errors(truth: Truth, model: Model, some: slice, terms: Distance) -> Array:
    """Mean over some of the fixed questions of a distance of the answers."""
    pairs = zip(truth.answered(model)[some], truth.answers[some], strict=True)
    errors = [terms(p, q).reshape(*model.replicates, -1).sum(axis=-1) for p, q in pairs]
    return np.asarray(np.mean(errors, axis=0))


def query_l1(truth: Truth, model: Model) -> Array:
    """Mean L1 distance of the answers to the twenty fixed questions."""
    return answer_errors(truth, model, slice(None), distance)


def marginal_query_l1(truth: Truth, model: Model) -> Array:
    """Mean L1 distance of the answers to the ten questions without evidence."""
    return answer_errors(truth, model, slice(MARGINAL), distance)


def marginal_query_kl(truth: Truth, model: Model) -> Array:
    """Mean KL(private || truth) of the answers to the ten questions without evidence."""
    return answer_errors(truth, model, slice(MARGINAL), divergences)


def conditional_query_l1(truth: Truth, model: Model) -> Array:
    """Mean L1 distance of the answers to the ten questions with evidence."""
    return answer_errors(truth, model, slice(MARGINAL, None), distance)


def conditional_query_kl(truth: Truth, model: Model) -> Array:
    """Mean KL(private || truth) of the answers to the ten questions with evidence."""
    return answer_errors(truth, model, slice(MARGINAL, None), divergences)


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


METRICS: dict[str, Callable[[Truth, Model], Array]] = {
    metric.__name__: metric
    for metric in (
        l1_row,
        l1_weighted,
        l1_parameter,
        l1_sum,
        kl_row,
        kl_weighted,
        marginal_l1,
        query_l1,
        marginal_query_l1,
        marginal_query_kl,
        conditional_query_l1,
        conditional_query_kl,
        map_accuracy,
        marginal_map_accuracy,
    )
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
