"""Lessons 4 and 5 in words; numbers are computed in :mod:`core.lessons.attackers`."""

from __future__ import annotations

from core.lessons import attackers
from core.lessons.lesson import Lesson, LessonStep
from core.privacy import Neighbours
from core.scenario import Scenario

FINDS = Lesson(
    4, "What an attacker finds", 10, "alarm",
    (
        LessonStep("Members", "number",
            "ε = {epsilon:g}; a neighbour is one record replaced. An attacker allows one false "
            "alarm in 100 and faces 100 members. How many are found at most?",
            "{pure:.1f} by ε alone, and {composed:.1f} by the noise of this plan for {network}; "
            "guessing finds {guess:.0f}.",
            "e^ε bounds a ratio of chances: {guess:.0f} in 100 becomes at most {pure:.1f}.",
            "A guarantee holds for every attacker; no attack need reach it.",
            (
                "A little more than guessing is allowed: e^ε times the false alarms.",
                "ε = {epsilon:g} is no share of people: it multiplies the rate of false alarms.",
            ),
            attackers.members, "of 100",
        ),
        LessonStep("Accusations", "number",
            "The same attacker accuses people of whom 1 in 100 is a member. Of 100 accusations, "
            "how many are right at most?",
            "{pure:.1f} by ε alone, {right:.1f} by the plan's own noise: {wrong:.0f} are wrong.",
            "The prior decides: there are 99 others for each member to be taken for one.",
            "And if every second suspect is a member? Set the base rate on Risk.",
            (
                "More than the prior of {prior:.0f}: the release does help a little.",
                "Being found and being rightly accused differ: most suspects are no members.",
            ),
            attackers.accused, "of 100",
        ),
        LessonStep("Four times ε", "number",
            "Now ε = {epsilon:g}. One false alarm in 100 again: how many of 100 members does ε "
            "alone still allow to be found?",
            "{pure:.0f} of 100; the plan's own noise allows {composed:.1f}.",
            "ε stands in an exponent: four times ε is the ratio to the fourth power.",
            "The two numbers are both guarantees; the second knows the plan.",
            (
                "The bound grows as e^ε, not in proportion to ε.",
                "The ratio e^ε multiplies the false alarms, and no more.",
            ),
            attackers.fourfold, "of 100",
        ),
    ),
    Scenario(neighbours=Neighbours.REPLACE),
)  # fmt: skip

EXACT = Lesson(
    5, "No noise, still safe?", 10, "alarm",
    (
        LessonStep("On average", "number",
            "Exact tables of {network} are published: {complexity:,} free parameters, {records:,} "
            "records. How well can members be told from others? 0.5 is a coin, 1 is certain (AUC).",
            "The published bound says {auc:.3f}.",
            "The bound follows parameters over records alone: more records hide each other.",
            "With {few} records it says {small:.2f}.",
            (
                "Exact tables always give something away: C / n is never zero.",
                "Each record moves each table only by one in many.",
            ),
            attackers.area,
        ),
        LessonStep("The few who are certain", "number",
            "Now the attacker accuses only when almost sure: one false alarm in 1,000. How many of "
            "1,000 members does an attack find?",
            "{attack:.1f}: {verdict} than the {published:.1f} that the bound allows; leverage of "
            "rare records foresees {leverage:.1f}.",
            "The bound is asymptotic and treats all records alike; rare ones stand out.",
            "Asymptotic is not a guarantee: only noise gives one.",
            (
                "Rare records are easy, and at few false alarms they are the ones accused.",
                "Most records have company in every cell.",
            ),
            attackers.rare_members, "of 1,000",
        ),
        LessonStep("Alone", "number",
            "How many of the {records:,} people are the only one in some cell of the tables?",
            "{alone:.0f} ({share:.2g} %), and {few:.0f} more share it with one to three others.",
            "Averages hide the rare: a cell of one is a person.",
            "Risk names the nodes that carry this; which edge would you remove?",
            (
                "Hundreds of cells are rare, and someone sits in many of them.",
                "Most people only ever take frequent states.",
            ),
            attackers.alone, "people",
        ),
    ),
)  # fmt: skip
