"""What is measured, named once: pages, figures, files and the shell take their words from here.

One quantity has one name everywhere, and two quantities never share one: a row error that counts
every row alike is many times one that weights a row by how common it is. The
texts are in ``quantities.toml`` beside this file.
"""

import math
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
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


_TEXTS = resources.files("core.study").joinpath("quantities.toml").read_text(encoding="utf-8")
QUANTITIES = {key: Quantity(key, **entry) for key, entry in tomllib.loads(_TEXTS).items()}
"""By key; every metric has one."""

ROW_ALIKE = QUANTITIES["l1_row"]
ROW_WEIGHTED = QUANTITIES["l1_weighted"]
ROW_ALIKE_DIVERGENCE = QUANTITIES["kl_row"]
ROW_DIVERGENCE = QUANTITIES["kl_weighted"]
SINGLE_VARIABLES = QUANTITIES["marginal_l1"]
PAIRS = QUANTITIES["pair_l1"]
ANSWERS = QUANTITIES["query_l1"]
MARGINAL_ANSWERS = QUANTITIES["marginal_query_l1"]
MARGINAL_DIVERGENCE = QUANTITIES["marginal_query_kl"]
CONDITIONAL_ANSWERS = QUANTITIES["conditional_query_l1"]
CONDITIONAL_DIVERGENCE = QUANTITIES["conditional_query_kl"]
EXPLANATIONS = QUANTITIES["map_accuracy"]
PART_EXPLANATIONS = QUANTITIES["marginal_map_accuracy"]
SINGLE_PROBABILITIES = QUANTITIES["answer_error"]


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

    >>> share(0.0021), share(0.0735), share(0.4), share(0.00001), share(1e-9)
    ('0.21 %', '7.3 %', '40 %', '0.001 %', 'below 0.0001 %')
    """
    percent = 100 * value
    if 0 < percent < 0.005:
        return f"{percent:.1g} %" if percent >= 0.0001 else "below 0.0001 %"
    decimals = 2 if percent < 1 else 1 if percent < 20 else 0
    return f"{percent:.{decimals}f} %"
