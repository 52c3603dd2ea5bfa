"""What Synthesise shows: knobs, the network that was learned, curves, two columns side by side."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.privbayes.comparison import VARIANTS
from core.privbayes.encoding import ENCODINGS
from core.privbayes.rehearsal import Rehearsal, rehearse
from core.privbayes.rules import ATTRIBUTE_LIMIT, check_attributes
from core.privbayes.scores import Score
from core.privbayes.settings import RECIPES, Recipe, Settings
from figures.band_table import band_table
from figures.synthesise import comparison_figure, heat_figure, method_band, share_table
from pages.ui.data.upload import Upload
from pages.ui.kit import compute, dragging, inputs, jobs, state
from pages.ui.kit.acting import among
from pages.ui.kit.component import Answers
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Room, Sheet, Top, figure_view, table_view
from pages.ui.kit.state import KEEP
from pages.ui.synthesise import numbers
from pages.ui.synthesise import words as say
from pages.ui.synthesise.numbers import SynthesisSetting
from sources.records import encoded, read_records, read_taxonomies
from sources.study import Study
from sources.text import digest

JOB = "synthesis"
SIDE = Room(("graph pairs", "heat heat"), "minmax(0, 1.25fr) minmax(0, 1fr)")
BESIDE = 20
"""Most variables whose graph is read beside the table of how it grew."""


def knobs(records: Study, seed: int) -> SynthesisSetting:
    """Draw the knobs; what they ask for."""
    row = st.columns([2.2, 1.3, 0.9, 1, 1, 1], vertical_alignment="bottom")
    name = row[0].selectbox("Method", say.METHODS, key="synth_method", **KEEP)
    recipe = RECIPES[name]
    encoding = row[1].selectbox("Encoding", ENCODINGS, key="synth_encoding", **KEEP)
    values = st.session_state
    settings = Settings(
        epsilon=values.eps,
        neighbours=inputs.RELATIONS[values.neighbours],
        recipe=recipe,
        **({} if recipe.way else _searched(row[2:], recipe)),
    )
    taxonomy = values.get("synth_tree", b"")
    trees = read_taxonomies("taxonomies", taxonomy) if taxonomy else {}
    line = _data_arguments(records, taxonomy=bool(taxonomy))
    shown = encoded(records, encoding, trees)
    return SynthesisSetting(records, shown, settings, seed, digest(taxonomy), line)


def _searched(row: Sequence[DeltaGenerator], recipe: Recipe) -> dict[str, Any]:
    score = row[0].selectbox("Score", ["R", "F", "I"], key="synth_score", help=say.SCORES, **KEEP)
    theta = row[1].number_input(
        "**θ** usefulness", 0.5, 50.0, 4.0, 0.5, key="synth_theta", help=say.THETA, **KEEP
    )
    split = row[2].number_input(
        "**β** structure", 0.02, 0.9, recipe.split, 0.05, key=f"synth_beta_{recipe.name}",
        help=say.BETA, **KEEP,
    )  # fmt: skip
    degree = row[3].number_input(
        "Most parents", 0, ATTRIBUTE_LIMIT, None, 1, key="synth_degree", help=say.DEGREE,
        placeholder=say.most_parents(recipe), **KEEP,
    )  # fmt: skip
    own = None if split == recipe.split else split  # or curves would lend it to other recipes
    return {"score": Score(score), "theta": theta, "split": own, "degree": degree}


def _data_arguments(records: Study, *, taxonomy: bool) -> str:
    """The records for a shell; an upload's file names are the user's to fill in."""
    if st.session_state.get("synth_records") is not None:
        schema = "" if records.inferred else " --schema FILE"
        return f"--data FILE{schema}{' --taxonomy FILE' if taxonomy else ''}"
    if st.session_state.network == state.UPLOADED:
        return "--dag FILE --data FILE"
    return f"--network {st.session_state.network} --records {records.rows.records}"


def records() -> Study:
    """Records uploaded here, or those that the sidebar names; the graph is not looked at."""
    study = sidebars()
    own: Study = st.session_state.synth_records if study is None else study
    return own


def sidebars() -> Study | None:
    """The study whose records are on show; none where they were uploaded here."""
    return inputs.chosen().study if st.session_state.get("synth_records") is None else None


def upload(data: tuple[str, bytes], schema: bytes, taxonomy: bytes, explore: bool) -> None:
    """Take uploaded records in place of the sidebar's; a problem is raised and nothing changes."""
    declared = ("schema", schema) if schema else None
    records = read_records(data, declared, missing="refuse", explore=explore)
    check_attributes(encoded(records, "vanilla").attributes, Settings())
    if taxonomy:
        encoded(records, "hierarchical", read_taxonomies("taxonomies", taxonomy))
    st.session_state.synth_records = records
    st.session_state.synth_files = Upload(None, data, None, declared, "refuse", 0)
    st.session_state.synth_tree = taxonomy


def forget() -> None:
    """Back to the sidebar's records."""
    for key in ("synth_records", "synth_files", "synth_tree"):
        st.session_state.pop(key, None)


def saved_files(setting: SynthesisSetting, study: Study) -> Upload | None:
    """The files that make a learned study again; none where it is sampled or its columns recoded.

    States that were read off the records are left for a reader to read off again.
    """
    files = st.session_state.get("synth_files" if sidebars() is None else state.FILES)
    recoded = study.dataset.variables != setting.records.rows.dataset.variables
    if not isinstance(files, Upload) or study.sampled or recoded:
        return None
    entries = [
        {"name": v.name, "parents": parents, **({} if study.inferred else {"states": v.states})}
        for v, parents in zip(study.network.variables, study.network.parents, strict=True)
    ]
    document = json.dumps({"name": "learned", "variables": entries}, ensure_ascii=False)
    return replace(files, name=None, dag=("learned.json", document.encode()))


def rehearsed(setting: SynthesisSetting) -> Rehearsal:
    """The synthesis, with a bar while it is being learned."""

    def run() -> Rehearsal:
        place = st.empty()
        place.caption(say.beforehand(setting))

        def told(done: int, total: int) -> None:
            place.progress(done / total, f"{done} of {total} tables chosen")

        rows, knobs = setting.records.rows, setting.settings
        rehearsal = rehearse(rows, setting.encoding, knobs, seed=setting.seed, progress=told)
        place.empty()
        return rehearsal

    study = sidebars()
    if study is not None:
        compute.looked(study, study.network, setting.key)
    return compute.remembered(setting.key, run)


def answers(rehearsal: Rehearsal) -> Answers:
    """What the browser may say: a moved ε, a node that is looked at."""
    names = rehearsal.synthesis.model.network.names
    return {
        **dragging.KNOB,
        "selected": among(names, lambda name: st.session_state.update(synth_node=name)),
    }


def searched(rehearsal: Rehearsal) -> str:
    """What was searched, or expected of each way, in a sentence."""
    grown = rehearsal.synthesis.grown
    compared = sum(pair.candidates for pair in rehearsal.pairs[1:])
    return say.expected(grown) if grown else say.searched(numbers.rules(rehearsal), compared)


def sheet(
    setting: SynthesisSetting, rehearsal: Rehearsal, shown: int, pair: tuple[str, str]
) -> Sheet:
    """The network as it grew, and two columns side by side."""
    badge = "Study: compares with the truth, not for publication"
    told, knobs = say.scenario(setting), {"epsilon": setting.settings.epsilon}
    top = Top("Synthesise records", badge, say.finding(setting, rehearsal), told, knobs)
    pairs = _pairs(setting, rehearsal, shown)
    views = [_graph(setting, rehearsal, shown), pairs, _heat(setting, rehearsal, pair)]
    room = SIDE if len(rehearsal.pairs) <= BESIDE else None
    return Sheet(views, room, top=top, live=True)


def _pairs(setting: SynthesisSetting, rehearsal: Rehearsal, shown: int) -> View:
    grown = rehearsal.synthesis.grown is not None
    head = ["columns"] if grown else ["variable", "parents"]
    head += ["score", "sensitivity", "chosen with", "among", "cost of ε"]
    rows = [say.pair_row(pair, grown=grown) for pair in rehearsal.pairs[:shown]]
    columns = dict(zip(head, zip(*rows, strict=True), strict=True))
    return table_view("pairs", say.pairs_words(setting, rehearsal), columns)


def _graph(setting: SynthesisSetting, rehearsal: Rehearsal, shown: int) -> View:
    network = rehearsal.synthesis.model.network
    whole = compute.drawing_of(network)
    placed = numbers.placed(rehearsal, shown, whole.edges)
    edges = tuple(e for e in whole.edges if numbers.held(rehearsal, shown, e.parent, e.child))
    scores = [placed[n].score if n in placed else np.nan for n in network.names]
    chances = [placed[n].probability if n in placed else np.nan for n in network.names]
    last = rehearsal.pairs[shown - 1].name
    selected = st.session_state.get("synth_node", last)
    measures = [
        measure("score", f"score {setting.settings.score.value}", "error", scores, "budget"),
        measure("chance", "probability", "share", chances, "share"),
    ]
    showing = Showing(selected if selected in network.position else last, editable=False)
    texts = say.graph_words(setting, shown, len(rehearsal.pairs))
    return graph_view("graph", texts, replace(whole, edges=edges), measures, showing)


def _heat(setting: SynthesisSetting, rehearsal: Rehearsal, pair: tuple[str, str]) -> View:
    states = {v.name: v.states for v in rehearsal.rows.dataset.variables}
    first, second = pair
    tables = rehearsal.shares(setting.records.rows, pair)
    figure = heat_figure(
        tables, (first, states[first]), (second, states[second]), revision=f"{first} {second}"
    )
    table = share_table({name: states[name] for name in pair}, tables)
    return figure_view("heat", say.heat_words(pair), {"shares": figure}, table)


def measuring(setting: SynthesisSetting) -> tuple[numbers.Compared, jobs.Job | None]:
    """Curves measured so far, and the job that measures the rest; it starts on demand."""
    measured: numbers.Compared = compute.remembered(("compared", setting.curve_key), dict)
    job = jobs.current(JOB)
    return measured, job if job is not None and job.key == setting.curve_key else None


def start(setting: SynthesisSetting) -> None:
    """Measure what is missing."""
    measured, _ = measuring(setting)
    plan = numbers.todo(setting, measured)
    if plan is not None:
        jobs.start(
            JOB, setting.curve_key, len(plan.points), lambda: numbers.steps(setting, plan, measured)
        )


def curves(setting: SynthesisSetting, measured: numbers.Compared) -> Sheet:
    """Two-way, three-way, and where the error of the method on show comes from."""
    measured = dict(measured)  # the job goes on adding
    compared = numbers.compared(setting)
    methods = [m for m in compared if m not in VARIANTS]
    sources = [setting.settings.recipe.name, *VARIANTS]
    ways = numbers.ways(setting)
    charts = [_chart(setting, measured, methods, f"{w}-way", w) for w in ways]
    if compared != (*methods,):
        charts.extend(_chart(setting, measured, sources, "sources", w) for w in ways[:1])
    names = [chart["name"] for chart in charts]
    rows = tuple(" ".join((*names[i : i + 2], ".")[:2]) for i in range(0, len(names), 2))
    return Sheet(charts, Room(rows, "repeat(2, minmax(0, 1fr))"))


def _chart(
    setting: SynthesisSetting,
    measured: numbers.Compared,
    methods: list[str],
    metric: str,
    ways: int,
) -> View:
    epsilon, bands = setting.settings.epsilon, []
    for method in methods:
        curve = numbers.curve(setting, measured, method, ways)
        bands.append(method_band(method, curve.epsilons, curve.bands, curve.at(epsilon)))
    figure = comparison_figure(numbers.GRID, bands, epsilon, revision=metric)
    texts = say.curve_words(metric, ways, numbers.refused(measured, methods))
    name = "sources" if metric == "sources" else f"ways{ways}"
    return figure_view(name, texts, {metric: figure}, band_table("method", "epsilon", bands))
