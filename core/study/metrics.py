"""How far a private model is from the model of the exact counts.

Everything here compares with the truth: it is computed from the private records, for study, and
must not be published. Replicates lead: a model with ``(100, cells)`` gives 100 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.inference.evidence import Query
from core.inference.queries import answer, explanations, marginals
from core.inference.sampling import sample
from core.knowledge import narrowed, settled, tabled
from core.network import Network
from core.options import PLAIN, Options
from core.parameters import Model, fit
from core.table import Array

FLOOR = 1e-6
QUERY_SEED = 20_20
"""Seed of the fixed set of questions, the same for every method, ε and session."""


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
        return _questions(self.model)

    @cached_property
    def answers(self) -> tuple[Array, ...]:
        """The exact model's answers to the questions."""
        return answer(self.model, self.questions)

    @cached_property
    def marginals(self) -> tuple[Array, ...]:
        """The exact model's distribution of each single variable."""
        return marginals(self.model)

    @cached_property
    def explanations(self) -> tuple[tuple[dict[str, str], NDArray[np.intp]], ...]:
        """Evidence and the exact model's most probable explanation, twenty times."""
        evidence = _evidence(self.model, 20)
        likeliest = explanations(self.model, evidence)
        return tuple((given, codes) for given, (codes, _) in zip(evidence, likeliest, strict=True))


def _evidence(model: Model, size: int) -> list[dict[str, str]]:
    """One to three variables each, at states of a record drawn from the model."""
    rng = np.random.default_rng([QUERY_SEED, 1])
    drawn = sample(model, size, rng=rng)
    deck = _deck(len(drawn.variables), rng=rng)
    given = []
    for record in np.asarray(drawn.codes):
        count = min(int(rng.integers(1, 4)), len(drawn.variables) - 1)
        chosen = _dealt(deck, count, ())
        given.append(
            {drawn.variables[j].name: drawn.variables[j].states[record[j]] for j in chosen}
        )
    return given


def _questions(model: Model) -> tuple[Query, ...]:
    """Variables are dealt from a shuffled deck, so that all are asked about equally often."""
    rng = np.random.default_rng([QUERY_SEED, 2])
    names, position = model.network.names, model.network.position
    evidence: list[dict[str, str]] = [{}] * 10 + _evidence(model, 10)
    deck = _deck(len(names), rng=rng)
    questions = []
    for given in evidence:
        count = min(int(rng.integers(1, 4)), len(names) - len(given))
        targets = _dealt(deck, count, [position[name] for name in given])
        questions.append(Query(tuple(names[j] for j in targets), given))
    return tuple(questions)


def _deck(size: int, *, rng: np.random.Generator) -> Iterator[int]:
    """All numbers below ``size`` in random order, again and again."""
    while True:
        yield from rng.permutation(size).tolist()


def _dealt(deck: Iterator[int], count: int, held: Collection[int]) -> list[int]:
    """The next numbers of a deck that differ from each other and from those held."""
    dealt: list[int] = []
    while len(dealt) < count:
        card = next(deck)
        if card not in held and card not in dealt:
            dealt.append(card)
    return dealt


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


def kl_weighted(truth: Truth, model: Model) -> Array:
    """KL(private || truth) of each row, weighted alike; the truth is floored at 1e-6. Nats."""
    private = model.values
    floored = np.maximum(truth.model.values, FLOOR)
    terms = private * np.log(np.where(private > 0, private, 1.0) / floored)
    return np.asarray(_by_node(truth, truth.network.layout.row_totals(terms)).mean(axis=-1))


def marginal_l1(truth: Truth, model: Model) -> Array:
    """Mean over variables of the L1 distance of P(variable)."""
    pairs = zip(marginals(model), truth.marginals, strict=True)
    return np.asarray(np.mean([np.abs(p - q).sum(axis=-1) for p, q in pairs], axis=0))


def query_l1(truth: Truth, model: Model) -> Array:
    """Mean L1 distance of the answers to the twenty fixed questions."""
    errors = [
        np.abs(private - exact).reshape(*model.replicates, -1).sum(axis=-1)
        for private, exact in zip(answer(model, truth.questions), truth.answers, strict=True)
    ]
    return np.asarray(np.mean(errors, axis=0))


def map_accuracy(truth: Truth, model: Model) -> Array:
    """Share of the twenty most probable explanations that equal the exact model's."""
    evidence, exact = zip(*truth.explanations, strict=True)
    hits = [
        (codes == known).all(axis=-1)
        for (codes, _), known in zip(explanations(model, evidence), exact, strict=True)
    ]
    return np.asarray(np.mean(hits, axis=0))


METRICS: dict[str, Callable[[Truth, Model], Array]] = {
    "l1_row": l1_row,
    "l1_weighted": l1_weighted,
    "kl_weighted": kl_weighted,
    "marginal_l1": marginal_l1,
    "query_l1": query_l1,
    "map_accuracy": map_accuracy,
}

RISING = {"map_accuracy"}
"""Metrics that rise with ε: more is better."""
