"""What Synthesise shows: knobs, the network that was learned, curves, two columns side by side."""

from __future__ import annotations

import numpy as np
import streamlit as st
from pages.ui.synthesise_numbers import Setting

from core.privbayes.encoding import ENCODINGS
from core.privbayes.rehearsal import Rehearsal
from core.privbayes.rules import ATTRIBUTE_LIMIT, Rules, check_attributes
from core.privbayes.scores import Score
from core.privbayes.settings import RECIPES, Settings
from pages.ui import board, compute, inputs, jobs, limits, state
from pages.ui import synthesise_numbers as numbers
from pages.ui import synthesise_words as say
from sources.records import Records, read_records, read_taxonomies, study_records

JOB = "synthesis"
HUES = {"privbayes-plus": "equipoise", "privbayes": "data-dependent"}
DASHES = {
    "uniform": "2 3", "independent": "", "laplace": "6 4", "fourier": "8 3 2 3",
    "contingency": "1 4", "mwem": "4 2", "best network": "6 4", "best marginals": "2 3",
}  # fmt: skip


def knobs(records: Records, seed: int) -> Setting:
    """Draw the knobs; what they ask for."""
    row = st.columns([1.5, 1.3, 0.9, 1, 1, 1], vertical_alignment="bottom")
    keep = {"persist_state": "session"}
    name = row[0].selectbox("Method", list(RECIPES)[::-1], key="synth_method", **keep)
    encoding = row[1].selectbox("Encoding", ENCODINGS, key="synth_encoding", **keep)
    score = row[2].selectbox(
        "Score", ["R", "F", "I"], key="synth_score", help=say.SCORES, **keep
    )
    theta = row[3].number_input(
        "**θ** usefulness", 0.5, 50.0, 4.0, 0.5, key="synth_theta", help=say.THETA, **keep
    )
    recipe = RECIPES[name]
    split = row[4].number_input(
        "**β** structure", 0.02, 0.9, recipe.split, 0.05, key=f"synth_beta_{name}", help=say.BETA,
        **keep,
    )  # fmt: skip
    degree = row[5].number_input(
        "Most parents", 0, ATTRIBUTE_LIMIT, None, 1, key="synth_degree", help=say.DEGREE,
        placeholder=say.most_parents(recipe), **keep,
    )  # fmt: skip
    values = st.session_state
    settings = Settings(
        epsilon=values.eps,
        split=None if split == recipe.split else split,  # or curves would lend it to other recipes
        theta=theta,
        score=Score(score),
        neighbours=inputs.RELATIONS[values.neighbours],
        degree=degree,
        recipe=recipe,
    )
    taxonomy = values.get("synth_tree", b"")
    trees = read_taxonomies("taxonomies", taxonomy) if taxonomy else {}
    return Setting(
        records,
        records.encoded(encoding, trees),
        settings,
        seed,
        numbers.digest(taxonomy),
        _data_arguments(records, taxonomy=bool(taxonomy)),
    )


def _data_arguments(records: Records, *, taxonomy: bool) -> str:
    """The records for a shell; an upload's file names are the user's to fill in."""
    if st.session_state.get("synth_records") is not None:
        schema = "" if records.inferred else " --schema FILE"
        return f"--data FILE{schema}{' --taxonomy FILE' if taxonomy else ''}"
    if st.session_state.network == state.UPLOADED:
        return "--dag FILE --data FILE"
    return f"--network {st.session_state.network} --records {records.rows.records}"


def records() -> Records:
    """Records uploaded here, or those that the sidebar names; the graph is not looked at."""
    own: Records | None = st.session_state.get("synth_records")
    return study_records(inputs.chosen().study) if own is None else own


def upload(data: tuple[str, bytes], schema: bytes, taxonomy: bytes, explore: bool) -> None:
    """Take uploaded records in place of the sidebar's; a problem is raised and nothing changes."""
    declared = ("schema", schema) if schema else None
    found = read_records(data, declared, missing="refuse", explore=explore)
    check_attributes(found.encoded("vanilla").attributes, Settings())
    if taxonomy:
        found.encoded("hierarchical", read_taxonomies("taxonomies", taxonomy))
    st.session_state.synth_records = found
    st.session_state.synth_tree = taxonomy


def forget() -> None:
    """Back to the sidebar's records."""
    st.session_state.pop("synth_records", None)
    st.session_state.pop("synth_tree", None)


def feasible(setting: Setting) -> str:
    """What will be searched and at what noise, from public facts, before anything runs."""
    rules = Rules.of(
        setting.encoding.attributes, setting.settings, setting.records.rows.records
    )
    return say.forecast(rules)


def rehearsed(setting: Setting) -> Rehearsal:
    """The synthesis, with a bar while it is being learned."""

    def run() -> Rehearsal:
        place = st.empty()
        rehearsal = numbers.rehearsed(
            setting,
            lambda done, total: place.progress(done / total, f"{done} of {total} pairs chosen"),
        )
        place.empty()
        return rehearsal

    if st.session_state.get("synth_records") is None:
        compute.looked(inputs.chosen().study, setting.key)
    return compute.remembered(setting.key, run)


def page_data(
    setting: Setting, found: Rehearsal, shown: int, pair: tuple[str, str], notice: str
) -> board.Data:
    """The first board."""
    return {
        "epsilon": setting.settings.epsilon,
        "scenario": say.scenario(setting),
        "heading": "Synthesise records",
        "badge": "Study: compares with the truth, not for publication",
        "finding": say.finding(setting, found),
        "notice": notice,
        "graph": _graph(setting, found, shown),
        "pairs": {
            **vars(say.pairs_words(setting, found)),
            "head": ["variable", "parents", "score", "sensitivity", "chosen with", "among"],
            "rows": [say.pair_row(pair) for pair in found.pairs[:shown]],
        },
        "heat": _heat(setting, found, pair),
    }


def _graph(setting: Setting, found: Rehearsal, shown: int) -> board.Data:
    network = found.synthesis.model.network
    placed = {pair.name: pair for pair in found.pairs[:shown]}
    whole = compute.drawing_of(network)
    edges = tuple(e for e in whole.edges if e.child in placed or "(level" in e.child)
    drawing = type(whole)(whole.width, whole.height, whole.nodes, edges)
    scores = [placed[n].score if n in placed else np.nan for n in network.names]
    chances = [placed[n].probability if n in placed else np.nan for n in network.names]
    last = found.pairs[shown - 1].name
    return board.graph(
        say.graph_words(setting, shown, len(found.pairs)),
        drawing,
        [
            board.measure("score", f"score {setting.settings.score.value}", "error", scores,
                          tone="budget"),
            board.measure("chance", "probability", "share", chances, tone="share"),
        ],
        board.Chosen(selected=last, editable=False),
    )  # fmt: skip


def _heat(setting: Setting, found: Rehearsal, pair: tuple[str, str]) -> board.Data:
    states = {v.name: v.states for v in found.rows.dataset.variables}
    return {
        **vars(say.heat_words(pair)),
        "pair": list(pair),
        "rows": list(states[pair[0]]),
        "columns": list(states[pair[1]]),
        "real": board.numbers(numbers.shares(setting.records.rows, *pair)),
        "synthetic": board.numbers(numbers.shares(found.rows, *pair)),
    }


def measuring(setting: Setting) -> tuple[numbers.Found, jobs.Job | None]:
    """Curves measured so far, and the job that measures the rest; it starts on demand."""
    found: numbers.Found = compute.remembered(("compared", setting.curve_key), dict)
    job = jobs.current(JOB)
    return found, job if job is not None and job.key == setting.curve_key else None


def start(setting: Setting) -> None:
    """Measure what is missing."""
    found, _ = measuring(setting)
    plan = numbers.todo(setting, found)
    if plan is not None:
        jobs.start(
            JOB,
            setting.curve_key,
            len(plan.points),
            lambda: numbers.steps(setting, plan, found),
        )


def curves_data(setting: Setting, found: numbers.Found) -> board.Data:
    """Two-way, three-way, and where the error of the method on show comes from."""
    found = dict(found)  # the job goes on adding
    methods = [m for m in numbers.compared(setting) if m not in numbers.VARIANTS]
    sources = (setting.settings.recipe.name, *numbers.VARIANTS)
    ways = numbers.ways(setting)
    charts = [_chart(setting, found, methods, f"{w}-way", w) for w in ways]
    charts.extend(_chart(setting, found, sources, "sources", w) for w in ways[:1])
    return {"epsilon": setting.settings.epsilon, "charts": charts}


def _chart(
    setting: Setting, found: numbers.Found, methods: list[str], metric: str, ways: int
) -> board.Data:
    series = []
    for method in methods:
        epsilons, quantiles = numbers.bands(setting, found, method, ways)
        now = numbers.at(epsilons, quantiles, setting.settings.epsilon)
        series.append(
            {
                "method": method,
                "hue": HUES.get(method, "truth" if method in numbers.VARIANTS else "uniform"),
                "dash": DASHES.get(method, ""),
                "epsilons": epsilons,
                "bands": board.numbers(quantiles),
                "now": None if now is None else board.numbers(now),
            }
        )
    return {
        **vars(say.curve_words(metric, ways, numbers.refused(found))),
        "metric": metric,
        "kind": "error",
        "range": list(limits.EPSILON_SLIDER),
        "series": series,
    }
