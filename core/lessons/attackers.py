"""Lessons 4 and 5: what ε alone promises, and what exact tables give away."""

from dataclasses import replace

from core.lessons.budgets import nice
from core.lessons.lesson import Answer, Bar, Classroom
from core.membership.attack import run_attack
from core.membership.curves import right_accusations
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation
from core.study.exposure import Exposure, Standing, graph_exposure, guarantees, standing

METHOD = "equipoise"
ALARM = 0.01
PRIOR = 0.01
RARE_ALARM = 0.001
POOLS = 5
"""Pools of the attack on exact tables: members enough for 0.1 %."""

FEW = 100
"""Records of the twist."""


def promised(room: Classroom, times: float = 1.0) -> Exposure:
    """The guarantees of a plan, ε times as large."""
    scenario = replace(room.scenario, epsilon=times * room.scenario.epsilon)
    curves = guarantees(METHOD, room.network, room.rows, scenario, spent=0.0)
    return Exposure(room.network, room.records, curves)


def powers(exposure: Exposure) -> tuple[float, float]:
    """Of 100 members found at most: by ε alone, and by the noise of the plan."""
    pure, together = (exposure.powers(key, [ALARM]) for key in ("pure_epsilon", "composed"))
    assert pure is not None and together is not None
    return 100 * float(pure[0]), 100 * float(together[0])


def members(room: Classroom, times: float = 1.0) -> Answer:
    """How many of 100 members an attacker finds at most."""
    pure, together = powers(promised(room, times))
    bars = (
        Bar("guessing", 100 * ALARM),
        Bar("guarantee, composed over the plan", together),
        Bar("guarantee, ε alone", pure),
    )
    facts = {
        **room.facts, "epsilon": times * room.scenario.epsilon, "pure": pure, "composed": together,
        "guess": 100 * ALARM, "odds": pure / (100 * ALARM),
    }  # fmt: skip
    return Answer((pure,), facts, bars, "members found of 100", (0.0, 100.0, 0.5))


def accused(room: Classroom) -> Answer:
    """How many of 100 accusations are right at most."""
    exposure = promised(room)
    right = exposure.right(PRIOR, [ALARM])
    assert right is not None
    together = 100 * float(right[0])
    pure = 100 * right_accusations(PRIOR, ALARM, powers(exposure)[0] / 100)
    bars = (
        Bar("guessing", 100 * PRIOR),
        Bar("composed over the plan, at most", together),
        Bar("ε alone, at most", pure),
    )
    facts = {
        **room.facts, "right": together, "pure": pure, "wrong": 100 - pure, "prior": 100 * PRIOR,
    }  # fmt: skip
    return Answer((pure,), facts, bars, "right of 100 accusations", (0.0, 100.0, 0.5))


def exact_standing(room: Classroom) -> Standing:
    """What the records say of exact tables."""
    return standing(room.truth, room.rows, room.population)


def area(room: Classroom) -> Answer:
    """The published bound's area under the curve, and that of a hundred records."""
    bound = graph_exposure(room.network, room.records).bound
    small = graph_exposure(room.network, FEW).bound
    facts = {
        **room.facts, "complexity": room.network.complexity, "auc": bound.auc, "small": small.auc,
        "few": FEW,
    }  # fmt: skip
    bars = (
        Bar("guessing", 0.5),
        Bar(f"{room.records:,} records", bound.auc),
        Bar(f"{FEW} records", small.auc),
    )
    return Answer((bound.auc,), facts, bars, "AUC, published bound", (0.5, 1.0, 0.005))


def rare_members(room: Classroom) -> Answer:
    """Members found of 1,000 at one false alarm in a thousand."""
    exposure = Exposure(room.network, room.records, exact_standing(room).curves)
    curves = {key: exposure.powers(key, [RARE_ALARM]) for key in ("published", "leverage")}
    told = {key: 1000 * float(p[0]) for key, p in curves.items() if p is not None}
    pools = Attack("exact", room.records, POOLS, (RARE_ALARM,))  # as large as the records
    ran = run_attack(ModelPopulation(room.population), room.network, pools, room.scenario)
    (power,) = ran.powers
    found_by = 1000 * power.mean
    bars = (
        Bar("guessing", 1000 * RARE_ALARM),
        Bar("published bound, asymptotic", told["published"]),
        Bar("leverage, heuristic", told["leverage"]),
        Bar("attack, measured", found_by, 1000 * power.low, 1000 * power.high),
    )
    facts = {
        **room.facts, "attack": found_by, **told,
        "verdict": "more" if found_by > told["published"] else "no more",
    }  # fmt: skip
    top = max(10.0, nice(2 * found_by))
    return Answer((found_by,), facts, bars, "members found of 1,000", (0.0, top, top / 100))


def alone(room: Classroom) -> Answer:
    """People who are the only one in some cell."""
    support = exact_standing(room).support
    counts = [support.rarest[1], sum(support.rarest[2:5])]
    bars = (Bar("alone in a cell", counts[0]), Bar("with one to three others", counts[1]))
    facts = {
        **room.facts, "alone": counts[0], "few": counts[1], "share": 100 * counts[0] / room.records,
    }  # fmt: skip
    top = max(50.0, nice(2.0 * counts[0]))
    return Answer((float(counts[0]),), facts, bars, "people", (0.0, min(top, room.records), 1.0))
