"""Acceptance: what the model must be good for, tested privately once it is made.

A steward writes criteria before: tables of some columns, and the share of the records that may be
in the wrong cell of any of them. Each gets a stated ε, charged with the release. Once the model is
drawn, each criterion is drawn as one noisy number; where one fails, nothing is published, and the
budget stays spent. What is published then follows from the model and these numbers, so the
guarantee is their sum, whatever comes out.

**Statistic.** For a table with counts n_c of n records and chances p_c of the model, U = Σ max(0,
n_c - n p_c) is the number of records that would have to change their cell. Over all tables of a
criterion with limit t, V = max U - t n: at most zero where the model is good enough.

**Sensitivity.** A record more in cell a moves n_a - n p_a by 1 - p_a up and every other n_c - n p_c
by p_c down, so U by 1 - p_a at most either way, and the largest U of several tables by no more; V
moves by t as well: 1 + t in all. A record replaced leaves n, takes 1 from one cell and gives it to
another, one term falls by 1 at most and one rises by 1 at most: 1 in all; where the other record
might be left out the order is refused (``release/order.py``). The model was published privately
before and is the same for both. All is in whole steps of ``1 / STEPS`` records, chances rounded to
steps that add up, so this holds to the last digit.

**Noise.** Discrete Laplace in steps, of scale sensitivity / ε; passed where V + noise ≤ 0.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.counts import CountSource
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.inference.queries import answer
from core.parameters import Model
from core.privacy import Neighbours
from core.table import Array, Variable
from release.rationals import amount, decimal, fraction, laplace_scale
from release.words import counted, share, small
from sources.named_numbers import number_text

MOST = 8
"""Most criteria of one release."""

TABLES = 300
"""Most tables of one criterion."""

WAYS = 3
NAMED = 6
"""Columns of a criterion that are named in a sentence; files hold all."""

STEPS = 2**20
Whole = NDArray[np.int64]

Test = Callable[[int, Fraction], tuple[Fraction, int]]
"""Pays for one noisy number of that sensitivity and ε: the scale and the noise (a meter's)."""


@dataclass(frozen=True)
class Criterion:
    """All tables of ``ways`` of these columns, each off by at most ``limit`` of the records."""

    columns: tuple[str, ...]
    ways: int
    limit: Fraction

    def __post_init__(self) -> None:
        if not 1 <= self.ways <= min(WAYS, len(self.columns)):
            raise EquipoiseError(
                f"tables of {self.ways} columns are asked of {len(self.columns)}; ask for tables "
                f"of one to {WAYS}, and name as many columns at least"
            )
        if len(set(self.columns)) < len(self.columns):
            raise EquipoiseError("a criterion names a column twice; name each once")
        if not 0 < self.limit < 1 or math.floor(self.limit * STEPS) == 0:
            raise EquipoiseError(
                f"a criterion allows {float(self.limit):g} of the records in the wrong cell; give "
                "a share above 0.000001 and below 1, such as 0.01"
            )
        if math.comb(len(self.columns), self.ways) > TABLES:
            raise EquipoiseError(
                f"a criterion has {math.comb(len(self.columns), self.ways):,} tables; at most "
                f"{TABLES} are compared, so name fewer columns"
            )

    @property
    def text(self) -> str:
        """As it is typed."""
        return f"{self.ways}:{','.join(self.columns)}<={number_text(float(self.limit))}"

    @property
    def words(self) -> str:
        """As it is read."""
        kind = ("one", "two", "three")[self.ways - 1]
        told = ", ".join(self.columns[:NAMED])
        if len(self.columns) > NAMED:
            told += f" and {counted(len(self.columns) - NAMED, 'more column')}"
        return f"every {kind}-way table of {told} off by at most {share(float(self.limit))}"

    def sensitivity(self, neighbours: Neighbours) -> int:
        """Most steps by which one record moves the statistic."""
        return STEPS + (self._limit if neighbours is Neighbours.ADD_REMOVE else 0)

    @property
    def _limit(self) -> int:
        return math.floor(self.limit * STEPS)

    def families(self, known: Mapping[str, Variable]) -> tuple[tuple[Variable, ...], ...]:
        """The tables; refused where a column is not there."""
        for name in self.columns:
            if name not in known:
                raise EquipoiseError(
                    f"a criterion names the column {name!r}, which the model has not; name one of "
                    f"{', '.join(list(known)[:6])}"
                )
        tables = itertools.combinations(self.columns, self.ways)
        return tuple(tuple(known[name] for name in names) for names in tables)

    def excess(self, tables: Iterable[Array], chances: Iterable[Array]) -> int:
        """V in steps, exactly: how far the worst table is above the limit. Private."""
        worst, records = 0, 0
        for counts, chance in zip(tables, chances, strict=True):
            whole = np.rint(counts.ravel()).astype(np.int64)
            records = int(whole.sum())
            off = whole * STEPS - records * in_steps(chance.ravel())
            worst = max(worst, int(off[off > 0].sum()))
        return worst - self._limit * records

    def failing(self, epsilon: Fraction, neighbours: Neighbours, slack: float) -> float:
        """Chance that noise alone fails a model that is ``slack`` records better than the limit.

        As often it passes one that is as many records worse.
        """
        scale = self.sensitivity(neighbours) / STEPS / float(epsilon)
        return 0.5 * math.exp(-min(slack / scale, 700.0))


def in_steps(chances: Array) -> Whole:
    """Chances as whole steps that add up to ``STEPS``; what is left goes to the largest."""
    steps = np.floor(np.clip(chances, 0, 1) * STEPS).astype(np.int64)
    steps[int(steps.argmax())] += STEPS - int(steps.sum())
    return steps


@dataclass(frozen=True)
class Acceptance:
    """Criteria with the ε that is shared out evenly over them, on top of the model's."""

    criteria: tuple[Criterion, ...] = ()
    epsilon: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        amount("ε of the acceptance", self.epsilon, zero=True)
        if bool(self.criteria) != bool(self.epsilon):
            raise EquipoiseError(
                f"acceptance criteria are {'' if self.criteria else 'not '}stated and "
                f"ε = {float(self.epsilon):g} for them; state both or neither"
            )
        if len(self.criteria) > MOST:
            raise EquipoiseError(
                f"{len(self.criteria)} acceptance criteria are stated; at most {MOST} are tested"
            )

    @property
    def each(self) -> Fraction:
        """ε of one criterion."""
        return self.epsilon / max(len(self.criteria), 1)

    def families(self, variables: Sequence[Variable]) -> tuple[tuple[Variable, ...], ...]:
        """All tables that will be compared."""
        known = {v.name: v for v in variables}
        return tuple(f for criterion in self.criteria for f in criterion.families(known))

    def forecast(self, neighbours: Neighbours, records: int) -> str:
        """What noise may do to the verdict, before anything is spent, in words."""
        if not records:
            return "how often noise decides is not known without a public number of records"
        chances = [
            c.failing(self.each, neighbours, float(c.limit) * records / 2) for c in self.criteria
        ]
        passed = [c.failing(self.each, neighbours, float(c.limit) * records) for c in self.criteria]
        return (
            "a model twice as good as every limit fails by noise alone with chance "
            f"{small(1 - math.prod(1 - x for x in chances))}, one twice as bad as a limit passes "
            f"it with chance {small(max(passed))}, one that just meets it with one half"
        )


NONE = Acceptance()


@dataclass(frozen=True)
class AcceptanceTest:
    """One criterion of a release as it was drawn; ``noisy`` steps above the limit."""

    criterion: Criterion
    epsilon: Fraction
    scale: Fraction
    noisy: int

    @property
    def passed(self) -> bool:
        """Whether the model is good enough, as far as noise tells."""
        return self.noisy <= 0


def judged(
    acceptance: Acceptance, model: Model, source: CountSource, neighbours: Neighbours, test: Test
) -> tuple[AcceptanceTest, ...]:
    """Every criterion, drawn; looks at exact tables of the records."""
    known = {v.name: v for v in model.network.variables}
    verdicts = []
    for criterion in acceptance.criteria:
        families = criterion.families(known)
        tables = [t.values for t in source.counts(families)]
        chances = answer(model, [Query(tuple(v.name for v in f), {}) for f in families])
        scale, noise = test(criterion.sensitivity(neighbours), acceptance.each)
        noisy = criterion.excess(tables, chances) + noise
        verdicts.append(AcceptanceTest(criterion, acceptance.each, scale, noisy))
    return tuple(verdicts)


def failed(verdicts: Iterable[AcceptanceTest]) -> str:
    """What to say where criteria failed; empty where all passed."""
    wrong = [one.criterion.words for one in verdicts if not one.passed]
    if not wrong:
        return ""
    return (
        f"not accepted, so nothing is published: as far as noise tells, not {'; not '.join(wrong)}"
    )


def acceptance_document(verdicts: Iterable[AcceptanceTest]) -> list[dict[str, Any]]:
    """Ready for JSON."""
    return [
        {
            "columns": list(one.criterion.columns),
            "ways": one.criterion.ways,
            "limit": str(one.criterion.limit),
            "epsilon": str(one.epsilon),
            "noise": "discrete laplace",
            "scale": str(one.scale),
            "steps": STEPS,
            "noisy": one.noisy,
            "passed": one.passed,
        }
        for one in verdicts
    ]


def read_tests(
    rows: Iterable[Mapping[str, Any]], neighbours: Neighbours
) -> tuple[AcceptanceTest, ...]:
    """What such a document says; refused unless its noise is what its ε asks for, and it passed."""
    verdicts = []
    for row in rows:
        criterion = Criterion(tuple(row["columns"]), int(row["ways"]), fraction(row["limit"]))
        one = AcceptanceTest(
            criterion, fraction(row["epsilon"]), fraction(row["scale"]), int(row["noisy"])
        )
        needed = laplace_scale(criterion.sensitivity(neighbours), one.epsilon)
        if one.scale != needed or not one.passed or row["passed"] is not True:
            raise EquipoiseError(f"the release was not accepted as it says: {criterion.words}")
        verdicts.append(one)
    return tuple(verdicts)


def read_criterion(text: str, columns: Sequence[str] = ()) -> Criterion:
    """``2:age,sex,income<=0.01``; ``all`` stands for all ``columns``, where they are given."""
    ways, colon, rest = text.partition(":")
    names, sign, limit = rest.partition("<=")
    try:
        number, most = int(ways), decimal(float(limit))
    except ValueError:
        number, most = 0, Fraction(0)
    if not colon or not sign or not number:
        raise EquipoiseError(
            f"{text!r} is no criterion; write WAYS:COLUMN,COLUMN<=SHARE, such as "
            "2:age,sex,income<=0.01"
        )
    named = tuple(name.strip() for name in names.split(",") if name.strip())
    return Criterion(tuple(columns) if named == ("all",) and columns else named, number, most)
