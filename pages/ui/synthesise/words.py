"""The sentences of Synthesise."""

from collections.abc import Sequence

from core.notation import short
from core.privacy import Neighbours
from core.privbayes.comparison import Measured
from core.privbayes.rehearsal import NamedPair, Rehearsal, partly
from core.privbayes.rules import Rules
from core.privbayes.settings import DEFAULT, RECIPES, Recipe
from core.privbayes.synthesis import memory_of
from core.synthesis.adaptive import CELLS
from core.synthesis.ways import Grown
from pages.ui.kit import words
from pages.ui.kit.sheet import Words
from pages.ui.synthesise.numbers import REPETITIONS, SynthesisSetting

SCORES = (
    "R: distance from independence, any domain. F: distance from full dependence, two states each. "
    "I: mutual information; one record moves it most, and it needs a public number of records."
)
THETA = "Information over noise that a cell must reach: larger θ, smaller tables."
BETA = (
    "Share of ε that choosing the structure may spend; the tables get the rest. This is the β of "
    "PrivBayes and the only one here: the sidebar's belongs to methods with a Stage I."
)
DEGREE = (
    "Most parents of a variable; θ may allow fewer. Left empty it is the method's own: none as "
    "published, where θ alone decides, and 2 with privbayes-plus; where all columns have two "
    "states it goes by θ as well."
)
METHODS = [DEFAULT, *(name for name in list(RECIPES)[::-1] if name != DEFAULT)]
"""The order in which methods are offered."""

SOURCE = "Zhang et al. 2017 (TODS)"


def most_parents(recipe: Recipe) -> str:
    """What an empty cap means."""
    return "θ decides" if recipe.degree is None else f"{recipe.degree}, or by θ"


def scenario(setting: SynthesisSetting) -> str:
    """The scenario in one line."""
    s = setting.settings
    relation = "add/remove" if s.neighbours is Neighbours.ADD_REMOVE else "replace"
    cap = "" if s.degree is None else f", at most {words.counted(s.degree, 'parent')}"
    own = f", β {s.beta:g}, θ {s.theta:g}{cap}"
    if s.recipe.way:
        own = f", δ {short(s.delta, 6)}" if s.recipe.gaussian else ""
    return (
        f"{setting.records.name}, {setting.records.rows.records:,} records, {s.recipe.name}, "
        f"{setting.encoding.name}, ε {s.epsilon:g}{own}, {relation}, seed {setting.seed}"
    )


def finding(setting: SynthesisSetting, rehearsal: Rehearsal) -> words.Runs:
    """Condition, structure, error."""
    s = setting.settings
    edges = sum(len(p.parents) for p in rehearsal.synthesis.structure.pairs)
    grown = rehearsal.synthesis.grown
    hue = "equipoise" if s.recipe.improved else "data-dependent"
    off = [words.error(span.mean) for span in rehearsal.intervals.values()]
    spent = rehearsal.synthesis.spending.structure
    if grown is not None and edges:
        chosen = sum(1 for pair in rehearsal.pairs if pair.parents)
        learned = f", {words.counted(chosen, 'table')} made one model ({grown.plan.way})"
    elif edges:
        what = words.counted(edges, "edge")
        learned = f" a network of {what} was learned for ε = {words.budget(spent)}"
    elif spent:
        learned = f" a search for ε = {words.budget(spent)} chose no edge: columns are drawn alone"
    else:
        learned = " no structure pays, so every column is drawn on its own"
    return [
        ("At ", ""),
        (f"ε = {s.epsilon:g}", "strong"),
        (f"{learned}. Shares of two columns together are off by ", ""),
        (off[0], hue),
        (" in total variation", ""),
        *(run for text in off[1:] for run in ((", of three by ", ""), (text, hue))),
        ("; 0 is equal, 1 has nothing in common.", ""),
        *((f" The {text}.", "") for text in partly(rehearsal.rows.dataset.variables).values()),
    ]


def searched(rules: Rules, compared: int) -> str:
    """What was searched and at what noise, by the rules that the search itself followed."""
    count = len(rules.attributes)
    private = rules.settings.neighbours is Neighbours.ADD_REMOVE
    counted = ", as counted with noise," if private else ""
    columns = words.counted(count, "column")
    said = f"The search: with {rules.records:,.0f} records{counted} and {columns}, "
    if rules.degree == 0:
        rest = "the rest of ε" if rules.spending.records else "the whole ε"
        return (
            f"{said}no table of two columns is predicted to be worth its noise; {rest} goes to "
            "single columns (k = 0)."
        )
    scale = rules.settings.neighbours.l1_sensitivity * count / rules.spending.tables
    cells = f"{rules.most:,.0f} cells" if not rules.binary else f"{rules.degree} parents"
    return (
        f"{said}tables of at most {cells} are useful; noise of ±{scale:,.0f} records on each cell; "
        f"{compared:,} pairs compared."
    )


def expected(grown: Grown) -> str:
    """What was forecast of each way before anything but the number of records was paid for."""
    ways = ", ".join(f"{plan.way} {words.error(plan.error)}" for plan in grown.plans)
    cells, after = grown.model.network.layout.size, words.counted(grown.plan.tables, "table")
    after += " after single columns" if grown.plan.first else ""
    return (
        f"Forecast of the two-way error, by public facts alone: {ways}. Taken: {grown.plan.way}, "
        f"{after}; the model has {cells:,} cells of at most {CELLS:,} in its tree."
    )


def beforehand(setting: SynthesisSetting) -> str:
    """What a synthesis will need, said before it begins; nothing where parents are searched for."""
    if not setting.settings.recipe.way:
        return ""
    most = memory_of(setting.encoding, setting.settings, setting.records.rows.records)
    return f"Tables are chosen and fitted in at most {most / 1e6:,.0f} MB of memory."


def graph_words(setting: SynthesisSetting, shown: int, total: int) -> Words:
    """Texts around the network."""
    s = setting.settings
    how = {
        "Formula": "d − 1 choices of ε₁/(d − 1); P ∝ exp(score / 2Δ), Δ = S (d − 1) / ε₁, S the "
        "largest sensitivity among the candidates.",
        "Source": f"{SOURCE}, Algorithms 2 and 4 to 6; core.privbayes.structure.learn",
    }
    if s.recipe.way:
        how = {
            "Formula": "Score: L1 distance of a pair's counts from the model's less part of the "
            "noise its table would have. One record added or removed moves it by 1, one replaced "
            "by 2.",
            "Source": "docs/methods.md; core.synthesis.ways.made",
        }
    told, what = "how much its parents tell", ""
    if s.recipe.way:
        told = "the choice of a table with a parent"
        what = "Of several tables that a node shares with parents, it tells the best scored. "
    return Words(
        title="What depends on what, as learned",
        subtitle=f"{shown} of {total} tables; on each node {told}",
        caption=f"{what}A node without parents scores 0. Seeded: the network, too, is study only.",
        alt="The learned network.",
        details={
            "Method": f"{s.recipe.title}: {s.recipe.selection.value}, "
            f"{s.recipe.bound.value} sensitivity.",
            **how,
            "Command line": command(setting),
        },
        file="equipoise-study-structure.csv",
    )


def pairs_words(setting: SynthesisSetting, rehearsal: Rehearsal) -> Words:
    """Texts around the order in which the network grew."""
    spending = rehearsal.synthesis.spending
    count = max(1, len(rehearsal.synthesis.structure.pairs) - 1)
    source = f"{SOURCE}, section 4; core.privbayes.sensitivity"
    if rehearsal.synthesis.grown is not None:
        source = "docs/methods.md; core.synthesis.adaptive"
        subtitle = "each table with what it cost of ε, its choice included"
    elif spending.structure:
        subtitle = f"each choice cost ε = {words.budget(spending.structure / count)}"
    else:
        subtitle = "nothing was spent on the structure"
    return Words(
        title="How it grew",
        subtitle=subtitle,
        caption="Sensitivity: how far one record moves the scores that were compared. "
        f"Spent: structure {words.budget(spending.structure)}, tables "
        f"{words.budget(spending.tables)}"
        + (f", number of records {words.budget(spending.records)}." if spending.records else "."),
        alt="The pairs in the order in which they were chosen.",
        details={"Source": source},
        file="equipoise-study-pairs.csv",
    )


def pair_row(pair: NamedPair, *, grown: bool) -> list[str]:
    """One row of the table of pairs, or of the tables that one model was fitted to."""
    named = [pair.name, ", ".join(pair.parents) or "none"]
    return [
        *([", ".join((pair.name, *pair.parents))] if grown else named),
        words.error(pair.score) if pair.parents else "0",
        words.error(pair.sensitivity),
        words.share(pair.probability),
        f"{pair.candidates:,}",
        words.budget(pair.cost) if pair.cost else "0",
    ]


def heat_words(pair: tuple[str, str]) -> Words:
    """Texts around the two maps."""
    return Words(
        title=f"{pair[0]} and {pair[1]}, together",
        subtitle="share of records in each pair of states; darker is more, by the square root",
        caption="",
        alt=f"How often states of {pair[0]} and {pair[1]} occur together, in the records and in "
        "synthetic ones.",
        details={
            "Reading": "Rare pairs wash out first: noise on empty cells is cut and spread.",
            "Study only": "The left map is computed from the private records.",
        },
        file="equipoise-study-shares.csv",
    )


def curve_words(metric: str, ways: int, refused: Sequence[Measured]) -> Words:
    """Texts around one chart of curves."""
    if metric == "sources":
        title = "Where the error comes from"
        subtitle = "two-way error with the structure exact, and with the tables exact"
        about = (
            "best network: the structure is chosen without noise. best marginals: its tables have "
            "none. What is left of the gap is the other phase's."
        )
    else:
        title = f"Error of {'two' if ways == 2 else 'three'}-way marginals"
        subtitle = "mean total variation distance, against all baselines that fit"
        about = (
            "Orange: baselines, which spend ε on these marginals alone and give no records. "
            "Synthetic records serve any other question for the same ε."
        )
    return Words(
        title=title,
        subtitle=subtitle,
        caption=left_out(refused),
        alt=f"{title}: {subtitle}, against ε.",
        details={
            "Formula": "½ Σ |p − q|, mean over marginals.",
            "Reading": about,
            "Bands": f"50, 80 and 95 % of {REPETITIONS} runs.",
            "Source": f"{SOURCE}, sections 6.4 and 6.5; core.privbayes.comparison.compare",
            "Study only": "Measured against the private records.",
        },
        file=f"equipoise-study-{metric}.csv",
    )


def left_out(refused: Sequence[Measured]) -> str:
    """Which points are missing, and why; empty where none is."""
    if not refused:
        return ""
    budgets: dict[str, list[str]] = {}
    for point in refused:
        budgets.setdefault(point.method, []).append(f"{point.epsilon:g}")
    points = "; ".join(f"{method} at ε = {', '.join(at)}" for method, at in budgets.items())
    return f"Left out: {points}: {refused[0].refused}."


def command(setting: SynthesisSetting) -> str:
    """The same from a shell; of private records it writes a study file."""
    s = setting.settings
    cap = "" if s.degree is None else f"--parents {s.degree} "
    knobs = f"--split {s.beta:g} --theta {s.theta:g} --score {s.score.value} {cap}"
    if s.recipe.way:
        knobs = f"--delta {s.delta:g} " if s.recipe.gaussian else ""
    out = "--out synthetic.csv" if setting.records.sampled else "--study --out synthetic-study.csv"
    return (
        f"python cli.py synthesise {setting.data} --method {s.recipe.name} --epsilon {s.epsilon:g} "
        f"{knobs}--encoding {setting.encoding.name} --neighbours {s.neighbours.value} "
        f"--seed {setting.seed} {out}"
    )
