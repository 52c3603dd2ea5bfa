"""The sentences of Synthesise."""

from __future__ import annotations

import math

from core.privacy import Neighbours
from core.privbayes.rules import Rules
from core.privbayes.structure import Pair, Structure
from pages.ui import words
from pages.ui.board import Words
from pages.ui.synthesise_numbers import REPETITIONS, Made, Setting

SCORES = (
    "R: distance from independence, any domain. F: distance from full dependence, two states each. "
    "I: mutual information; one record moves it most, and it needs a public number of records."
)
THETA = "Information over noise that a cell must reach: larger θ, smaller tables."
BETA = "Share of ε that choosing the structure may spend; the tables get the rest."
DEGREE = "Most parents of a variable; θ may allow fewer."
SOURCE = "Zhang et al. 2017 (TODS)"


def scenario(setting: Setting) -> str:
    """The scenario in one line."""
    s = setting.settings
    relation = "add/remove" if s.neighbours is Neighbours.ADD_REMOVE else "replace"
    return (
        f"{setting.records.name}, {setting.records.rows.records:,} records, {s.recipe.name}, "
        f"{setting.encoding.name}, ε {s.epsilon:g}, β {s.beta:g}, θ {s.theta:g}, {relation}, "
        f"seed {setting.seed}"
    )


def finding(setting: Setting, found: Made) -> words.Runs:
    """Condition, structure, error."""
    s = setting.settings
    edges = sum(len(p.parents) for p in found.synthesis.structure.pairs)
    hue = "equipoise" if s.recipe.improved else "data-dependent"
    two, three = (words.error(e) for e in found.errors)
    if edges == 0:
        learned = " no structure pays, so every column is drawn on its own"
    else:
        spent = words.budget(found.synthesis.spending.structure)
        learned = f" a network of {words.counted(edges, 'edge')} was learned for ε = {spent}"
    return [
        ("At ", ""),
        (f"ε = {s.epsilon:g}", "strong"),
        (f"{learned}. Shares of two columns together are off by ", ""),
        (two, hue),
        (" in total variation, of three by ", ""),
        (three, hue),
        ("; 0 is equal, 1 has nothing in common.", ""),
    ]


def forecast(rules: Rules) -> str:
    """What will be searched, and the noise per cell, before anything runs."""
    count = len(rules.attributes)
    if rules.degree == 0:
        return (
            f"Before running: with {rules.records:,.0f} records and "
            f"{words.counted(count, 'column')} no table of two columns is predicted to be worth "
            "its noise; the whole ε goes to single columns (k = 0)."
        )
    scale = rules.settings.neighbours.l1_sensitivity * count / rules.spending.tables
    pairs = len(rules.candidates(range(count // 2))) * count // 2
    seconds = pairs * (1e-4 + 2e-9 * rules.records)
    cells = f"{rules.most:,.0f} cells" if not rules.binary else f"{rules.degree} parents"
    return (
        f"Before running: tables of at most {cells} are useful; noise of ±{scale:,.0f} records on "
        f"each cell; {pairs:,} pairs to compare, {max(1, math.ceil(seconds))} s expected."
    )


def graph_words(setting: Setting, shown: int, total: int) -> Words:
    """Texts around the network."""
    s = setting.settings
    return Words(
        title="What depends on what, as learned",
        subtitle=f"{shown} of {total} pairs chosen; on each node how much its parents tell",
        caption="A node without parents scores 0. Scores and probabilities are study only.",
        alt="The learned network.",
        details=(
            ("Formula", "d − 1 choices of ε₁/(d − 1); P ∝ exp(score / 2Δ), Δ = S (d − 1) / ε₁, S "
             "the largest sensitivity among the candidates."),
            ("Method", f"{s.recipe.title}: {s.recipe.selection.value}, "
             f"{s.recipe.bound.value} sensitivity."),
            ("Source", f"{SOURCE}, Algorithms 2 and 4 to 6; core.privbayes.structure.learn"),
            ("Command line", command(setting)),
        ),
        file="equipoise-study-structure.csv",
    )  # fmt: skip


def pairs_words(setting: Setting, found: Made) -> Words:
    """Texts around the order in which the network grew."""
    spending = found.synthesis.spending
    count = max(1, len(found.synthesis.structure.pairs) - 1)
    return Words(
        title="How it grew",
        subtitle=f"each choice cost ε = {words.budget(spending.structure / count)}"
        if spending.structure
        else "nothing was spent on the structure",
        caption="Sensitivity: how far one record moves the scores that were compared. "
        f"Spent: structure {words.budget(spending.structure)}, tables "
        f"{words.budget(spending.tables)}"
        + (f", number of records {words.budget(spending.records)}." if spending.records else "."),
        alt="The pairs in the order in which they were chosen.",
        details=(("Source", f"{SOURCE}, section 4; core.privbayes.sensitivity"),),
        file="equipoise-study-pairs.csv",
    )


def pair_row(structure: Structure, pair: Pair) -> list[str]:
    """One row of the table of pairs."""
    attributes = structure.attributes
    parents = ", ".join(attributes[a].levels[v].name for a, v in pair.parents)
    return [
        attributes[pair.child].variable.name,
        parents or "none",
        words.error(pair.score) if pair.parents else "0",
        words.error(pair.sensitivity),
        words.share(pair.probability),
        f"{pair.candidates:,}",
    ]


def heat_words(pair: tuple[str, str]) -> Words:
    """Texts around the two maps."""
    return Words(
        title=f"{pair[0]} and {pair[1]}, together",
        subtitle="share of records in each pair of states; darker is more, by the square root",
        caption="",
        alt=f"How often states of {pair[0]} and {pair[1]} occur together:",
        details=(
            ("Reading", "Rare pairs wash out first: noise on empty cells is cut and spread."),
            ("Study only", "The left map is computed from the private records."),
        ),
        file="equipoise-study-shares.csv",
    )


def curve_words(setting: Setting, metric: str, ways: int) -> Words:
    """Texts around one chart of curves."""
    if metric == "sources":
        title = "Where the error comes from"
        subtitle = "two-way error with the structure exact, and with the tables exact"
        about = ("Reading", "best network: the structure is chosen without noise. best marginals: "
                 "its tables have none. What is left of the gap is the other phase's.")
    else:
        title = f"Error of {'two' if ways == 2 else 'three'}-way marginals"
        subtitle = "mean total variation distance, against all baselines that fit"
        about = ("Reading", "Orange: baselines, which spend ε on these marginals alone and give no "
                 "records. Synthetic records serve any other question for the same ε.")  # fmt: skip
    return Words(
        title=title,
        subtitle=subtitle,
        caption="",
        alt=f"{title}: {subtitle}, against ε.",
        details=(
            ("Formula", "½ Σ |p − q|, mean over marginals."),
            about,
            ("Bands", f"50, 80 and 95 % of {REPETITIONS} runs."),
            ("Source", f"{SOURCE}, sections 6.4 and 6.5; core.privbayes.comparison.compare"),
            ("Study only", "Measured against the private records."),
        ),
        file=f"equipoise-study-{metric}.csv",
    )


def command(setting: Setting) -> str:
    """The same from a shell; an upload's file names are the user's to fill in."""
    s, records = setting.settings, setting.records
    data = (
        f"--network {records.name} --records {records.rows.records}"
        if records.sampled
        else "--data FILE --schema FILE"
    )
    return (
        f"python cli.py synthesise {data} --method {s.recipe.name} --epsilon {s.epsilon:g} "
        f"--split {s.beta:g} --theta {s.theta:g} --encoding {setting.encoding.name} "
        f"--score {s.score.value} --parents {s.most_parents} --neighbours {s.neighbours.value} "
        f"--seed {setting.seed} --out synthetic.csv"
    )
