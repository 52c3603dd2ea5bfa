"""Lessons 1 to 3 in words; numbers are computed in :mod:`core.lessons.budgets`."""

from __future__ import annotations

from functools import partial

from core.lessons import budgets
from core.lessons.lesson import Lesson, LessonStep
from core.study.quantities import QUANTITIES

HALF = Lesson(
    1, "Half the ε", 8, "asia",
    (
        LessonStep("The error that people meet", "number",
            "{network}, {records:,} records, split evenly. ε falls from {epsilon:g} to {half:g}. "
            "The " + QUANTITIES["l1_weighted"].name + ", becomes how many times as large?",
            "{ratio:.2f} times: from {before:.2g} to {after:.2g}.",
            "Laplace noise has scale 1/ε: half the ε is twice the noise on every count.",
            "Does that hold for every row? Step 3 counts all rows alike.",
            (
                "Noise is not softened by the number of records: its scale follows ε alone.",
                "Noise grows as 1/ε, not as its square: half the ε doubles it.",
            ),
            partial(budgets.halved, metric="l1_weighted"), "times",
        ),
        LessonStep("Not one number", "band",
            "You release once, at ε = {half:g}. Sketch the band that holds this error in 95 of 100 "
            "such releases.",
            "From {low:.2g} to {high:.2g}: the unlucky release is {width:.1f} times as far off as "
            "the lucky one.",
            "A release draws its noise once; the band is what that draw may bring.",
            "Sketch the band at ε = {epsilon:g}, then change the scenario and look.",
            (
                "Too narrow: few large counts make up this error, so one draw moves it much.",
                "Too wide: many cells are averaged, so extremes cancel.",
                "Elsewhere: start from the mean of step 1, {after:.2g}.",
            ),
            budgets.half_band,
        ),
        LessonStep("Every row alike", "number",
            "Now every row counts alike, however few records it has. ε falls again from "
            "{epsilon:g} to {half:g}: this error becomes how many times as large?",
            "{ratio:.2f} times: from {before:.2g} to {after:.2g}.",
            "Rare rows were drowned in noise before; no row can be off by more than 2.",
            "Which rows? On Utility choose a variable and look at its smallest groups.",
            (
                "Some rows are large, and their error still doubles.",
                "Rows that are pure noise already cannot get worse.",
            ),
            partial(budgets.halved, metric="l1_row"), "times",
        ),
    ),
)  # fmt: skip

PAYS = Lesson(
    2, "Who pays", 10, "alarm",
    (
        LessonStep("Four groups", "order",
            "{network} at ε = {epsilon:g}: four rows of {variable} rest on these numbers of "
            "records. Put them in order, the row that is off most first.",
            "The smaller, the worse: {worst:.2f} where there are {least:.0f} records, {best:.2g} "
            "where there are {most:,.0f}. That is {ratio:.0f} times as much.",
            "All rows get the same noise, but each divides it by its own number of records.",
            "Would another split help? Try Allocate with weights on {variable}.",
            ("Noise is the same in every row; what it is divided by is not.",),
            budgets.paying,
        ),
        LessonStep("Sketch it", "band",
            "In the data {variable} = {state} has probability {exact:.2f} in this row: {row}. "
            "Sketch where the published probability lies in 95 of 100 releases.",
            "From {low:.2f} to {high:.2f}. With {small} it runs from {small_low:.2f} to "
            "{small_high:.2f}.",
            "The wider the noise beside the row's records, the wider the band.",
            "Publish the band with the number, or merge small groups before the release.",
            (
                "Too narrow: people trust a printed probability more than its noise allows.",
                "Too wide: this row has enough records to outweigh much of the noise.",
                "Elsewhere: noise is symmetric, so the band lies around the true value.",
            ),
            budgets.smallest_band,
        ),
        LessonStep("How many are small?", "number",
            "{network} has {rows} rows and {records:,} records. How many of 100 rows rest on fewer "
            "than {few} records?",
            "{small:.0f} of 100, and {empty:.0f} on none at all.",
            "Rows multiply with every parent, records do not.",
            "Ten times the records: how many are left? Change the scenario.",
            (
                "Each parent multiplies the rows, and rare settings stay rare.",
                "Most settings of the parents do occur among so many records.",
            ),
            budgets.small_rows, "of 100",
        ),
    ),
)  # fmt: skip

SPLIT = Lesson(
    3, "Split it yourself", 12, "asia",
    (
        LessonStep("Your split", "choice",
            "Give ε = {epsilon:g} to the {nodes} nodes of {network}: points are shares. Does your "
            "split answer questions better than an even one?",
            "Yours is off by {yours:.2g}, uniform by {uniform:.2g}: your split {verdict} it.",
            "An answer passes through many tables, so the one you starved spoils it.",
            "Give more to the nodes that others depend on, and look again.",
            ("What one node gains others lose: noise grows as one over the share.",),
            budgets.beaten, points=True,
        ),
        LessonStep("Three methods", "order",
            "Uniform divides evenly. Data-dependent first spends {stage:.0f} % of ε to find out "
            "what each node needs. Equipoise merges tables. Least error first?",
            "uniform {uniform:.2g}, data-dependent {data:.2g}, equipoise {equipoise:.2g}.",
            "Fewer tables share the same ε: merging beats dividing better.",
            "Change the network: does the order hold?",
            ("A plan that must be paid for has to earn more than it costs.",),
            budgets.ranked,
        ),
        LessonStep("The price of looking", "number",
            "Data-dependent knows more about the data than uniform. Its error is how many times "
            "uniform's?",
            "{ratio:.2f} times: {data:.2g} against {uniform:.2g}.",
            "Its first look is noisy too, and what it spends is missing afterwards.",
            "Weights say what matters to you, and cost nothing: they are public.",
            (
                "Knowing more is not free: the look itself is paid for out of ε.",
                "The look costs only {stage:.0f} % of ε; the rest is still spent on tables.",
            ),
            budgets.deciding, "times",
        ),
    ),
)  # fmt: skip
