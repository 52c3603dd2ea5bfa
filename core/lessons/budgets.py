"""Lessons 1 to 3: what a smaller ε costs, who pays, and how to split."""

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from core.errors import EquipoiseError
from core.lessons.lesson import Answer, Bar, Classroom, Prediction
from core.options import Options
from core.scenario import Scenario
from core.study.bands import bands
from core.study.experiments import measure, rehearsals
from core.study.metrics import row_errors
from core.study.quantities import QUANTITIES
from core.table import Array

METHOD = "uniform"
OFF = "error of an answer, L1 (0 to 2)"
RIVALS = ("uniform", "data-dependent-icml", "equipoise")
FEW = 50
"""Records below which a row is called small."""

LEAST = 40
"""Records that every row of the variable on show has: below, chance alone decides."""

SHOWN = 4
"""Rows that lesson 2 sets side by side."""

Metric = Literal["l1_weighted", "l1_row", "query_l1"]


def errors(room: Classroom, metric: str, *, method: str = METHOD, epsilon: float = 0.0) -> Array:
    """One error for each rehearsal; ε is that of the room unless given."""
    scenario = replace(room.scenario, epsilon=epsilon or room.scenario.epsilon)
    return measure(method, room.truth, room.rows, scenario, (metric,))[metric]


def bar(name: str, values: Array) -> Bar:
    """The mean with 95 % of releases."""
    low, high = np.quantile(values, (0.025, 0.975)).tolist()
    return Bar(name, float(values.mean()), low, high)


def nice(value: float) -> float:
    """The next of 1, 2, 5 times a power of ten: where a slider may end."""
    power = 10.0 ** math.floor(math.log10(max(value, 1e-6)))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= value)


def halved(room: Classroom, metric: Metric) -> Answer:
    """By how much an error grows when ε is halved."""
    whole = room.scenario.epsilon
    pair = [errors(room, metric, epsilon=e) for e in (whole, whole / 2)]
    bars = tuple(bar(f"ε = {e:g}", v) for e, v in zip((whole, whole / 2), pair, strict=True))
    before, after = bars[0].value, bars[1].value
    facts = {
        **room.facts, "half": whole / 2, "before": before, "after": after, "ratio": after / before,
    }  # fmt: skip
    axis = f"{QUANTITIES[metric].name} ({QUANTITIES[metric].unit})"
    return Answer((after / before,), facts, bars, axis, (1.0, 4.0, 0.05))


def half_band(room: Classroom) -> Answer:
    """Between which ends 95 % of the releases at half of ε lie."""
    answer = halved(room, "l1_weighted")
    low, high = answer.bars[1].low or 0.0, answer.bars[1].high or 0.0
    facts = {**answer.facts, "low": low, "high": high, "width": high / low}
    top = nice(2 * high)
    return replace(answer, truth=(low, high), facts=facts, span=(0.0, top, top / 200))


def crowded(room: Classroom) -> tuple[int, tuple[int, ...]]:
    """A variable whose rows hold very different numbers of records, and four of its rows.

    The one with most rows that all rest on some records, among those the most uneven; of its rows
    the largest, the next, and the two smallest.
    """
    layout, counts = room.network.layout, room.truth.row_counts
    rows = [counts[where] for where in layout.row_slices]
    usable = [i for i, own in enumerate(rows) if (own >= LEAST).sum() >= SHOWN]
    if not usable:
        raise EquipoiseError(
            f"{room.name} has no variable with {SHOWN} rows of {LEAST} records; choose another "
            "network or more records"
        )
    full = [i for i in usable if rows[i].min() >= LEAST] or usable
    chosen = max(full, key=lambda i: (rows[i].max() / max(rows[i].min(), 1), -i))
    order = np.argsort(-rows[chosen], kind="stable")
    order = order[rows[chosen][order] >= LEAST]
    return chosen, tuple(order[[0, 1, -2, -1]].tolist())


def row_names(room: Classroom, variable: int, rows: tuple[int, ...]) -> tuple[str, ...]:
    """Rows by the states of the parents and their number of records."""
    family = room.network.families[variable]
    shape = tuple(v.cardinality for v in family[:-1])
    counts = room.truth.row_counts[room.network.layout.row_slices[variable]]
    names = []
    for row in rows:
        places = np.unravel_index(row, shape)
        states = ", ".join(v.states[p] for v, p in zip(family[:-1], places, strict=True))
        names.append(f"{counts[row]:,.0f} records ({states})")
    return tuple(names)


def paying(room: Classroom) -> Answer:
    """Which of four rows is off most."""
    variable, rows = crowded(room)
    where = room.network.layout.row_slices[variable]
    drawn = rehearsals(METHOD, room.network, room.rows, room.scenario)
    every = np.concatenate([row_errors(room.truth, r.model)[:, where] for r in drawn])[
        :, list(rows)
    ]
    names = row_names(room, variable, rows)
    bars = tuple(bar(name, every[:, i]) for i, name in enumerate(names))
    # two groups of the same size are off alike, whatever a hundred rehearsals say
    counts = room.truth.row_counts[where][list(rows)]
    truth = tuple(float(i) for i in np.argsort(counts, kind="stable"))
    worst = max(bars, key=lambda b: b.value)
    facts = {
        **room.facts, "variable": room.network.names[variable], "least": float(counts.min()),
        "most": float(counts.max()), "worst": worst.value, "best": bars[0].value,
        "ratio": worst.value / bars[0].value,
    }  # fmt: skip
    return Answer(
        truth, facts, bars, "distance of the row from the truth, L1 (0 to 2)", options=names
    )


def smallest_band(room: Classroom) -> Answer:
    """Where the published probability of one state lies, row by row; the second is asked for."""
    variable, rows = crowded(room)
    drawn = rehearsals(METHOD, room.network, room.rows, room.scenario)
    states = room.network.layout.shapes[variable][-1]
    shape = (-1, len(room.truth.row_counts[room.network.layout.row_slices[variable]]), states)
    every = np.concatenate([r.model.conditional(variable).values.reshape(shape) for r in drawn])
    exact = room.truth.model.conditional(variable).values.reshape(-1, states)
    asked = 1
    state = int(exact[rows[asked]].argmax())
    ends = [bands(every[:, row, state]) for row in rows]
    names = row_names(room, variable, rows)
    bars = tuple(
        Bar(name, float(exact[row, state]), float(end[0]), float(end[-1]))
        for name, row, end in zip(names, rows, ends, strict=True)
    )
    own, small = bars[asked], bars[-1]
    low, high = own.low or 0.0, own.high or 0.0
    facts = {
        **room.facts, "variable": room.network.names[variable],
        "state": room.network.variables[variable].states[state], "row": names[asked],
        "exact": own.value, "low": low, "high": high, "small": names[-1],
        "small_low": small.low or 0.0, "small_high": small.high or 0.0,
    }  # fmt: skip
    return Answer((low, high), facts, bars, "published probability", (0.0, 1.0, 0.01))


def small_rows(room: Classroom) -> Answer:
    """How many rows in a hundred rest on fewer than fifty records."""
    counts = room.truth.row_counts
    parts = [("none", counts == 0), (f"1 to {FEW - 1}", (counts > 0) & (counts < FEW)),
             (f"{FEW} or more", counts >= FEW)]  # fmt: skip
    shares = [100 * float(part.mean()) for _, part in parts]
    bars = tuple(Bar(f"{n} records", s) for (n, _), s in zip(parts, shares, strict=True))
    facts = {
        **room.facts, "rows": len(counts), "small": shares[0] + shares[1], "empty": shares[0],
        "few": FEW,
    }  # fmt: skip
    return Answer((shares[0] + shares[1],), facts, bars, "% of rows", (0.0, 100.0, 1.0))


def own_split(room: Classroom) -> Scenario:
    """The scenario with the budget split by hand: every share is a floor of the even split."""
    points = room.points or (1.0,) * len(room.network.names)
    if len(points) != len(room.network.names) or min(points) <= 0 or not math.isfinite(sum(points)):
        raise EquipoiseError(
            f"the split has {len(points)} parts; give {len(room.network.names)} positive numbers, "
            "one for each variable"
        )
    if len(set(points)) == 1:
        return room.scenario
    share = [(1 - 1e-9) * p / math.fsum(points) for p in points]
    floors = tuple(zip(room.network.names, share, strict=True))
    return replace(room.scenario, options=Options(floors=floors))


def rivals(room: Classroom) -> dict[str, Array]:
    """Error of answers under the split by hand and under three methods."""
    yours = measure(METHOD, room.truth, room.rows, own_split(room), ("query_l1",))["query_l1"]
    return {"yours": yours, **{m: errors(room, "query_l1", method=m) for m in RIVALS}}


def _split_facts(room: Classroom, values: dict[str, Array]) -> dict[str, float | str]:
    means = {name.split("-")[0]: float(v.mean()) for name, v in values.items()}
    return {
        **room.facts, "nodes": len(room.network.names), **means,
        "ratio": means["data"] / means["uniform"], "saving": means["uniform"] / means["equipoise"],
        "verdict": "beats" if means["yours"] < 0.98 * means["uniform"] else "does not beat",
        "stage": 100 * room.scenario.split,
    }  # fmt: skip


def beaten(room: Classroom) -> Answer:
    """Whether the split by hand beats the even one, by more than two in a hundred."""
    values = rivals(room)
    facts = _split_facts(room, values)
    bars = tuple(bar(name, v) for name, v in list(values.items())[:2])
    truth = (0.0 if facts["verdict"] == "beats" else 1.0,)
    options = ("My split beats uniform", "Uniform is as good or better")
    return Answer(truth, facts, bars, OFF, options=options)


def ranked(room: Classroom) -> Answer:
    """The methods from the least error to the largest."""
    values = rivals(room)
    means = [float(values[m].mean()) for m in RIVALS]
    truth: Prediction = tuple(float(i) for i in np.argsort(means))
    bars = tuple(bar(name, v) for name, v in values.items())
    return Answer(truth, _split_facts(room, values), bars, OFF, options=RIVALS)


def deciding(room: Classroom) -> Answer:
    """What looking at the data first does to the error."""
    values = rivals(room)
    facts = _split_facts(room, values)
    bars = tuple(bar(m, values[m]) for m in RIVALS[:2])
    return Answer((float(facts["ratio"]),), facts, bars, OFF, (0.2, 4.0, 0.05))
