"""What is measured, named once: pages, figures, files and the shell take their words from here.

One quantity has one name everywhere, and two quantities never share one: a row error that counts
every row alike is many times one that weights a row by how common it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Quantity:
    """One measured number: ``key`` in the shell, ``name`` in sentences, ``short`` on axes.

    ``unit`` says what its values mean, ``subject`` what is off or right ("a row ... is off by"),
    ``sentence`` and ``formula`` explain it in full.
    """

    key: str
    name: str
    short: str
    unit: str
    subject: str
    sentence: str
    formula: str
    kind: Literal["error", "share"] = "error"
    needs_answers: bool = True

    @property
    def axis(self) -> str:
        """The title of an axis: the short name with its unit."""
        return f"{self.short} ({self.unit})"


L1 = "0 exact, 2 worst"
NATS = "nats, 0 exact"
ROW_ALIKE = Quantity(
    key="l1_row",
    name="row error, every row counted alike",
    short="row error, rows alike",
    unit=L1,
    subject="a row of a published probability table, every row counted alike, is off by",
    sentence="Mean L1 distance of a row of a published probability table; every row that occurs "
    "in the records counts alike, however rare it is",
    formula="mean over rows seen in the data of Σ_x |P(x | row) − P̃(x | row)|",
    needs_answers=False,
)
ROW_WEIGHTED = Quantity(
    key="l1_weighted",
    name="row error, weighted by how common the row is",
    short="row error, weighted",
    unit=L1,
    subject="a row of a published probability table, weighted by how common it is, is off by",
    sentence="Mean L1 distance of a row of a published probability table; a row counts by the "
    "share of the records that are in it",
    formula="mean over nodes of Σ_rows P(row) · Σ_x |P(x | row) − P̃(x | row)|",
    needs_answers=False,
)
ROW_DIVERGENCE = Quantity(
    key="kl_weighted",
    name="row divergence, weighted by how common the row is",
    short="row divergence, weighted",
    unit=NATS,
    subject="a row of a published probability table, weighted by how common it is, diverges by",
    sentence="Mean Kullback-Leibler divergence of a row of a published probability table; a row "
    "counts by the share of the records that are in it",
    formula="mean over nodes of Σ_rows P(row) · Σ_x P̃(x | row) ln(P̃(x | row) / P(x | row)), the "
    "truth floored at 10⁻⁶",
    needs_answers=False,
)
PARAMETER = Quantity(
    key="l1_parameter",
    name="error of a parameter",
    short="error of a parameter",
    unit="0 exact, 1 worst",
    subject="a parameter of the network is off by",
    sentence="Mean distance of a published probability; every cell of every table counts alike",
    formula="mean over cells of |P(x | row) − P̃(x | row)|",
    needs_answers=False,
)
PARAMETER_SUM = Quantity(
    key="l1_sum",
    name="summed error of all parameters",
    short="summed error",
    unit="0 exact",
    subject="all parameters together are off by",
    sentence="Distances of all probabilities in the published tables, added up",
    formula="Σ over variables, rows and states x of |P(x | row) − P̃(x | row)|",
    needs_answers=False,
)
ROW_ALIKE_DIVERGENCE = Quantity(
    key="kl_row",
    name="row divergence, every row counted alike",
    short="row divergence, rows alike",
    unit=NATS,
    subject="a row of a published probability table, every row counted alike, diverges by",
    sentence="Mean Kullback-Leibler divergence of a row of a published probability table; every "
    "row that occurs in the records counts alike",
    formula="mean over rows seen in the data of Σ_x P̃(x | row) ln(P̃(x | row) / P(x | row)), the "
    "truth floored at 10⁻⁶",
    needs_answers=False,
)
SINGLE_VARIABLES = Quantity(
    key="marginal_l1",
    name="error of single variables",
    short="error of single variables",
    unit=L1,
    subject="the distribution of a single variable is off by",
    sentence="Mean L1 distance of P(variable) over all variables",
    formula="mean over variables X of Σ_x |P(x) − P̃(x)|",
)
PAIRS = Quantity(
    key="pair_l1",
    name="error of pairs of variables",
    short="error of pairs",
    unit=L1,
    subject="the distribution of a pair of variables is off by",
    sentence="Mean L1 distance of P(pair) over all pairs of variables, of synthetic records",
    formula="mean over pairs X, Y of Σ_x,y |P(x, y) − P̃(x, y)|",
)
ANSWERS = Quantity(
    key="query_l1",
    name="error of answers to 20 questions",
    short="error of answers",
    unit=L1,
    subject="the answer to a question is off by",
    sentence="Mean L1 distance over 20 fixed questions: one to three targets, half with evidence",
    formula="mean over questions of Σ |P(targets | evidence) − P̃(targets | evidence)|",
)
MARGINAL_ANSWERS = Quantity(
    key="marginal_query_l1",
    name="error of answers to 10 questions without evidence",
    short="error of marginal answers",
    unit=L1,
    subject="the answer to a question without evidence is off by",
    sentence="Mean L1 distance over the 10 fixed questions without evidence",
    formula="mean over questions without evidence of Σ |P(targets) − P̃(targets)|",
)
MARGINAL_DIVERGENCE = Quantity(
    key="marginal_query_kl",
    name="divergence of answers to 10 questions without evidence",
    short="divergence of marginal answers",
    unit=NATS,
    subject="the answer to a question without evidence diverges by",
    sentence="Mean Kullback-Leibler divergence over the 10 fixed questions without evidence",
    formula="mean over questions without evidence of Σ P̃ ln(P̃ / P), the truth floored at 10⁻⁶",
)
CONDITIONAL_ANSWERS = Quantity(
    key="conditional_query_l1",
    name="error of answers to 10 questions with evidence",
    short="error of conditional answers",
    unit=L1,
    subject="the answer to a question with evidence is off by",
    sentence="Mean L1 distance over the 10 fixed questions with evidence",
    formula="mean over questions with evidence of Σ |P − P̃|, P = P(targets | evidence)",
)
CONDITIONAL_DIVERGENCE = Quantity(
    key="conditional_query_kl",
    name="divergence of answers to 10 questions with evidence",
    short="divergence of conditional answers",
    unit=NATS,
    subject="the answer to a question with evidence diverges by",
    sentence="Mean Kullback-Leibler divergence over the 10 fixed questions with evidence",
    formula="mean over questions with evidence of Σ P̃ ln(P̃ / P), the truth floored at 10⁻⁶",
)
EXPLANATIONS = Quantity(
    key="map_accuracy",
    name="share of explanations that are right",
    short="right explanations",
    unit="share of 20",
    subject="the most probable explanation is right in",
    sentence="Share of 20 most probable explanations equal to those of the exact model",
    formula="mean over 20 sets of evidence of [argmax P̃ = argmax P], all variables at once",
    kind="share",
)
PART_EXPLANATIONS = Quantity(
    key="marginal_map_accuracy",
    name="share of likeliest answers that are right",
    short="right likeliest answers",
    unit="share of 20",
    subject="the likeliest answer to a question is right in",
    sentence="Share of the 20 questions whose likeliest answer is that of the exact model",
    formula="mean over questions of [argmax P̃(targets | evidence) = argmax P(targets | evidence)]",
    kind="share",
)
SINGLE_PROBABILITIES = Quantity(
    key="answer_error",
    name="error that 90 % of single-variable probabilities stay below",
    short="error of 90 % of probabilities",
    unit="0 exact, 1 worst",
    subject="90 % of single-variable probabilities are off by less than",
    sentence="The 90 % quantile of |P(x) − P̃(x)| over the states of all variables and all releases",
    formula="90 % quantile over variables X, states x and releases of |P(x) − P̃(x)|",
)
QUANTITIES = {
    quantity.key: quantity
    for quantity in (
        ROW_ALIKE,
        ROW_WEIGHTED,
        PARAMETER,
        PARAMETER_SUM,
        ROW_ALIKE_DIVERGENCE,
        ROW_DIVERGENCE,
        SINGLE_VARIABLES,
        PAIRS,
        ANSWERS,
        MARGINAL_ANSWERS,
        MARGINAL_DIVERGENCE,
        CONDITIONAL_ANSWERS,
        CONDITIONAL_DIVERGENCE,
        EXPLANATIONS,
        PART_EXPLANATIONS,
        SINGLE_PROBABILITIES,
    )
}
"""By key; every metric has one."""


def legend(keys: Iterable[str]) -> str:
    """What keys stand for, in one line.

    >>> legend(["l1_row"])
    'l1_row (row error, every row counted alike; 0 exact, 2 worst)'
    """
    known = [QUANTITIES[key] for key in dict.fromkeys(keys)]
    return ", ".join(f"{q.key} ({q.name}; {q.unit})" for q in known)


def error(value: float) -> str:
    """An error with two significant digits.

    >>> error(0.02638), error(0.5), error(0.0)
    ('0.026', '0.50', '0')
    """
    if value == 0:
        return "0"
    digits = max(0, 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{digits}f}"


def share(value: float) -> str:
    """A share in per cent: two decimals below 1 %, one below 20 %, else none.

    >>> share(0.0021), share(0.0735), share(0.4)
    ('0.21 %', '7.3 %', '40 %')
    """
    percent = 100 * value
    decimals = 2 if percent < 1 else 1 if percent < 20 else 0
    return f"{percent:.{decimals}f} %"
