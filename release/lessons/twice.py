"""Lesson 6: two releases at half of ε, or one whole; what the ledger says to a third."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np

from core.lessons.lesson import Answer, Bar, Classroom
from core.membership.bound import swap_epsilon
from core.membership.tradeoff import RESPONSE, compose
from core.study.experiments import rehearsals
from core.table import Array
from release.ledger.account import SAMPLED, Account, PaidItem
from release.ledger.people import BudgetError
from release.ledger.spending import DELTA_BUDGET, Spend, check
from release.published import Receipt
from release.rationals import decimal

METHOD = "uniform"
ALARM = 0.01


def noise(room: Classroom, epsilon: float, seed: int) -> Array:
    """What a release adds to every cell, rehearsal by rehearsal."""
    scenario = replace(room.scenario, epsilon=epsilon, seed=seed)
    drawn = rehearsals(METHOD, room.network, room.rows, scenario)
    return np.concatenate([r.noisy - room.truth.counts for r in drawn])


def deviations(room: Classroom) -> dict[str, float]:
    """Standard deviation of a cell: of one whole, of one half, of the mean of two halves."""
    whole, seed = room.scenario.epsilon, room.scenario.seed
    first, second = (noise(room, whole / 2, s) for s in (seed, seed + 1))
    spreads = {"whole": noise(room, whole, seed), "half": first, "mean": (first + second) / 2}
    return {name: float(np.sqrt(np.mean(v**2))) for name, v in spreads.items()}


def accuracy(room: Classroom) -> Answer:
    """How noisy the mean of two halves is beside one whole."""
    told, whole = deviations(room), room.scenario.epsilon
    ratio = told["mean"] / told["whole"]
    bars = (
        Bar(f"one at ε = {whole:g}", told["whole"]),
        Bar(f"one at ε = {whole / 2:g}", told["half"]),
        Bar(f"mean of two at ε = {whole / 2:g}", told["mean"]),
    )
    facts = {
        **room.facts, "half": whole / 2, "ratio": ratio, "root": math.sqrt(2),
        **{f"{k}_noise": v for k, v in told.items()},
    }  # fmt: skip
    return Answer((ratio,), facts, bars, "noise of a cell, records", (0.4, 2.5, 0.05))


def riskier(room: Classroom) -> Answer:
    """Members found at most: two halves composed, one whole."""
    whole, relation = room.scenario.epsilon, room.scenario.neighbours
    half, full = (swap_epsilon(e, relation) for e in (whole / 2, whole))
    alarms = np.array([ALARM])
    one, two = (
        100 * float(compose(Counter({(RESPONSE, e): n})).powers(alarms)[0])
        for e, n in ((full, 1), (half, 2))
    )
    bars = (Bar(f"one at ε = {whole:g}", one), Bar(f"two at ε = {whole / 2:g}", two))
    options = ("The one whole", "The two halves", "Both alike: the promise is the sum")
    facts = {**room.facts, "half": whole / 2, "one": one, "two": two, "times": math.exp(full)}
    axis = "members found of 100 at most, 1 false alarm in 100"
    alike = math.isclose(one, two, rel_tol=0.01)
    truth = 2.0 if alike else 0.0 if one > two else 1.0
    return Answer((truth,), facts, bars, axis, options=options)


def third(room: Classroom) -> Answer:
    """What the ledger says to a third half."""
    whole = decimal(room.scenario.epsilon)
    account = Account(
        "class", ["class"], whole, DELTA_BUDGET, room.scenario.neighbours, people=SAMPLED
    )
    said, left = [], []
    for number in (1, 2, 3):
        left.append(float(account.remaining))
        said.append(_asked(account, number, whole / 2, room))
    bars = tuple(Bar(f"before release {i}", v) for i, v in enumerate(left, start=1))
    options = ("It is allowed", "It is refused", "It is allowed with more noise")
    facts = {**room.facts, "half": room.scenario.epsilon / 2, "sentence": said[-1] or "it is paid"}
    return Answer((1.0 if said[-1] else 0.0,), facts, bars, "ε left in the ledger", options=options)


def _asked(account: Account, number: int, cost: Fraction, room: Classroom) -> str:
    """Pay for one release as the ledger does; the refusal, or nothing."""
    spend = Spend(
        fingerprints=("class",), method=METHOD, epsilon=cost, delta=Fraction(0),
        neighbours=room.scenario.neighbours, token=f"{number}", order=f"{number}", sampled=True,
    )  # fmt: skip
    try:
        check(account, spend)
    except BudgetError as refusal:
        return str(refusal)
    account.lines.append(
        PaidItem(f"{number}", "release", "", METHOD, cost, Fraction(0), "complete", True,
                 Receipt(number, ""))
    )  # fmt: skip
    return ""
