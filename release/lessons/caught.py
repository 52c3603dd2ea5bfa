"""Lesson 8: four copies of a method, one of them broken, and what an audit proves."""

from dataclasses import replace

from core.lessons.lesson import Answer, Bar, Classroom
from release.audit.audited import Audit
from release.audit.auditing import FEWEST, Ask, audit

METHOD, BUG = "equipoise", "half-noise"
RUNS = (1_000, 10_000)
"""Runs on each data set before and after the reveal."""

COPIES = "ABCD"


def audited(room: Classroom, runs: int, *, bug: str = "", seed: int = 0) -> Audit:
    """What so many runs prove of a copy, on the two small domains of ``cli.py audit``."""
    scenario = replace(room.scenario, seed=room.scenario.seed + seed)
    return audit(Ask(method=METHOD, scenario=scenario, trials=runs, bug=bug, power=False))


def broken(room: Classroom) -> int:
    """Which copy has the bug."""
    return (room.scenario.seed + 2) % len(COPIES)


def proven(room: Classroom, runs: int) -> list[float]:
    """What is proven of every copy; sound ones differ in their noise alone."""
    bad = broken(room)
    return [
        audited(room, runs, bug=BUG if copy == bad else "", seed=copy).lower_bound
        for copy in range(len(COPIES))
    ]


def convicted(room: Classroom) -> Answer:
    """Which copy is broken, from what few runs prove."""
    few = proven(room, RUNS[0])
    bad = broken(room)
    bars = tuple(Bar(f"copy {c}", v) for c, v in zip(COPIES, few, strict=True))
    facts = {
        **room.facts, "runs": RUNS[0], "first": FEWEST, "letter": COPIES[bad], "proof": few[bad],
        "sound": max(v for i, v in enumerate(few) if i != bad),
        "convicted": "convicts" if few[bad] > room.scenario.epsilon else "does not convict yet",
    }  # fmt: skip
    options = tuple(f"copy {c}" for c in COPIES)
    shown = proven(room, FEWEST)
    hint = tuple(Bar(f"copy {c}", v) for c, v in zip(COPIES, shown, strict=True))
    return Answer((float(bad),), facts, bars, "ε proven at least", options=options, hint=hint)


def more_runs(room: Classroom) -> Answer:
    """What ten times as many runs prove of the broken copy."""
    bad = broken(room)
    few, many = (audited(room, n, bug=BUG, seed=bad).lower_bound for n in RUNS)
    epsilon = room.scenario.epsilon
    bars = (Bar(f"{RUNS[0]:,} runs", few), Bar(f"{RUNS[1]:,} runs", many), Bar("claimed", epsilon))
    facts = {
        **room.facts, "few": few, "many": many, "runs": RUNS[1], "real": 2 * epsilon,
        "before": RUNS[0],
    }  # fmt: skip
    return Answer((many,), facts, bars, "ε proven at least", (0.0, 4 * epsilon, epsilon / 20))


def acquitted(room: Classroom) -> Answer:
    """What the same runs prove of a sound copy."""
    sound = (broken(room) + 1) % len(COPIES)
    few, many = (audited(room, n, seed=sound).lower_bound for n in RUNS)
    epsilon = room.scenario.epsilon
    bars = (Bar(f"{RUNS[0]:,} runs", few), Bar(f"{RUNS[1]:,} runs", many), Bar("claimed", epsilon))
    facts = {**room.facts, "few": few, "many": many, "runs": RUNS[1], "confidence": 99}
    return Answer((many,), facts, bars, "ε proven at least", (0.0, 2 * epsilon, epsilon / 20))
