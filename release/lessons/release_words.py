"""Lessons 6 to 8 in words; numbers are computed beside."""

from __future__ import annotations

from core.lessons.lesson import Lesson, LessonStep
from core.scenario import Scenario
from release.lessons import caught, fooled, twice

TWICE = Lesson(
    6, "Spend twice", 8, "asia",
    (
        LessonStep("More accurate?", "number",
            "Two releases of {network} at ε = {half:g}, then their mean; or one at ε = "
            "{epsilon:g}. How many times as noisy as the one is the mean of the two?",
            "{ratio:.2f} times: {mean_noise:.1f} records of noise in a cell against "
            "{whole_noise:.1f}.",
            "Each half has twice the noise, and the mean of two takes off only a factor √2.",
            "And the mean of ten releases at a tenth each?",
            (
                "Averaging helps, but each of the two had twice the noise to begin with.",
                "The mean is less noisy than either: independent noise partly cancels.",
            ),
            twice.accuracy, "times",
        ),
        LessonStep("Riskier?", "choice",
            "The same two plans. Which one lets an attacker find more members, by the promise "
            "alone?",
            "One: {one:.1f} of 100 at one false alarm in 100; two: {two:.1f}.",
            "Promises add up: two releases at {half:g} promise what one at {epsilon:g} does.",
            "So splitting a release costs accuracy and buys no privacy.",
            ("Both looks are at the same people, so both promises are used up: they add.",),
            twice.riskier,
        ),
        LessonStep("A third", "choice",
            "A ledger holds ε = {epsilon:g} for these people. Two releases at {half:g} are paid. "
            "What does it say to a third?",
            "The ledger: {sentence}.",
            "Composition adds, and what is published cannot be taken back.",
            "New noise would not help; only waiting for new people does.",
            ("A promise that is used up stays so: more noise now does not undo it.",),
            twice.third,
        ),
    ),
)  # fmt: skip

FOOLED = Lesson(
    7, "Synthetic fools you", 12, "sachs",
    (
        LessonStep("Which is real?", "choice",
            "{records:,} records of {network} and as many synthetic ones at ε = {epsilon:g}. "
            "Below, {column} in both. Which is real?",
            "{real} is real; they differ by {apart:.1f} %. Over {ways} columns together synthetic "
            "records are off by {together:.0f} %.",
            "One column is easy to imitate; how columns hang together is not.",
            "Looking alike is not being right: ask for the error of your own question.",
            ("Nobody can tell from one column: that is the point.",),
            fooled.look_alike,
        ),
        LessonStep("Richer is better?", "choice",
            "Synthetic records at ε = {epsilon:g}: drawn column by column, or from a learned "
            "structure with up to {parents} parents. Which is nearer to the records, over {ways} "
            "columns together?",
            "{better} nearer: independent {flat:.0f} %, structure {rich:.0f} % off.",
            "Every parent multiplies the cells, and each cell gets noise.",
            "At which ε does the structure win? Change the scenario.",
            ("A richer model needs more counts, and noise is added to each.",),
            fooled.simpler,
        ),
        LessonStep("Put it to work", "choice",
            "A classifier learns {target} from the structure's synthetic records and is tested on "
            "real ones. Does it beat always guessing the most frequent state?",
            "Wrong of 100: {synthetic:.0f} from synthetic records, {majority:.0f} by the most "
            "frequent state, {real:.0f} from the real ones. It {verdict} guessing.",
            "What ties {target} to other columns is what noise hides first.",
            "Always compare with the dullest rival, and show intervals.",
            ("Compare with the most frequent state, not with a coin.",),
            fooled.classifying,
        ),
    ),
    Scenario(epsilon=0.2),
    1_000,
)  # fmt: skip

CATCH = Lesson(
    8, "Catch the bug", 12, "asia",
    (
        LessonStep("Four copies", "choice",
            "Four copies of equipoise claim ε = {epsilon:g}; one adds half the noise. {first:g} "
            "runs on neighbouring data prove for each the ε shown. Which is broken?",
            "Copy {letter}: {runs:,} runs prove ε ≥ {proof:.2f}, of the others at most "
            "{sound:.2f}. That {convicted} it.",
            "Outputs that tell neighbours apart better than e^ε allows break the claim.",
            "Would you have signed after {first:g} runs?",
            ("A higher bound is evidence; only one above the claim is proof.",),
            caught.convicted,
        ),
        LessonStep("More runs", "number",
            "The broken copy really has ε = {real:g}. {before:,} runs prove {few:.2f}. What do "
            "{runs:,} prove?",
            "ε ≥ {many:.2f}.",
            "A bound at 99 % confidence stays below the truth and creeps up to it with runs.",
            "How would the bound look if events were chosen and tested on the same runs?",
            (
                "Ten times the runs shrink the allowance for chance.",
                "A lower bound stays below the real {real:g}, nearly always.",
            ),
            caught.more_runs,
        ),
        LessonStep("Acquitted?", "number",
            "A sound copy claims ε = {epsilon:g}, and {runs:,} runs are made of it. Which ε do "
            "they prove at least?",
            "ε ≥ {many:.2f}: nothing against the claim.",
            "A lower bound can convict and never acquit: a rarer event may still break it.",
            "So a proof on paper comes first, and the audit looks for mistakes in the code.",
            (
                "Its real ε is {epsilon:g}, and many runs come close to it.",
                "A sound copy is caught above its claim in one audit of 100 at most.",
            ),
            caught.acquitted,
        ),
    ),
)  # fmt: skip
