"""What a release has learned: graph, tables, synthetic records, costs; questions to its model.

Public from the click on: it was drawn from fresh entropy and paid for, and nothing here is compared
with the records.
"""

import csv
import itertools
import shlex
from dataclasses import replace
from pathlib import Path

import streamlit as st

from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.methods.registry import method_named
from core.network import Network
from core.privbayes.learners import STRUCTURE
from pages.ui.data.upload import Upload
from pages.ui.kit import compute, state
from pages.ui.kit.acting import among
from pages.ui.kit.graph_view import Showing, graph_view, measure
from pages.ui.kit.inputs import Choice
from pages.ui.kit.markdown import refuse
from pages.ui.kit.messages import View
from pages.ui.kit.sheet import Room, Sheet, Words, table_view
from pages.ui.kit.words import counted
from pages.ui.release import views
from pages.ui.release.fields import key_of, slot
from pages.ui.release.numbers import Review
from release.dossier.numbers import plan as plan_of
from release.files import GRAPH, MODEL, model_files
from release.ledger.spending import graph_digest
from release.measurements import MEASUREMENTS
from release.publish import Outcome
from release.published import Published
from release.uncertainty import ABOUT, ask
from sources.study import Study
from sources.text import contents

NODE = "release_node"
ROWS = 100
"""Most rows of a table that are shown; the model file has all."""

FEW = 5
"""Synthetic records that are shown."""

PUBLIC = (
    "Released: drawn once from fresh entropy and paid for; nothing here is compared with the "
    "records. A graph on Synthesise is a rehearsal with a known seed, and not private."
)


def section(review: Review, outcome: Outcome) -> None:
    """Graph, tables, records and costs of a release that has learned its graph."""
    published, choice = outcome.published, review.choice
    if not method_named(published.method).learns:
        return
    st.divider()
    st.markdown(f"#### What release {published.id} learned")
    st.caption(PUBLIC)
    network = published.model.network
    first = next((child for _, child in network.edges), network.names[0])
    selected = st.session_state.get(NODE, first)
    selected = selected if selected in network.position else first
    alone = published.method == STRUCTURE
    shown = [_graph(published, selected), *([] if alone else [_table(published, selected)])]
    names = [view["name"] for view in shown]
    Sheet(shown, Room((" ".join(names),), " ".join(["minmax(0, 1fr)"] * len(names)))).mount(
        key="release_result",
        answers={"selected": among(network.names, lambda n: st.session_state.update({NODE: n}))},
    )
    if alone:
        _use(choice, outcome)
    if published.synthetic:
        _records(outcome.directory / "records.csv", published.synthetic)
    plan = plan_of(review.proposal, published)
    if plan is not None:
        views.tables(plan, "What each part has cost", "released")


def _graph(published: Published, selected: str) -> View:
    network = published.model.network
    texts = Words(
        title="The learned graph",
        subtitle=f"{counted(len(network.names), 'variable')}, {counted(len(network.edges), 'edge')}"
        + ("" if published.method == STRUCTURE else "; a click shows a variable's table"),
        caption="A node is filled by what its choice has cost; the first variable is no choice.",
        alt=f"The released graph: {', '.join(f'{a} to {b}' for a, b in network.edges) or 'bare'}.",
        details={"Source": "core/privbayes/structure.py; release/meter.py."},
        file="equipoise-learned-graph.csv",
    )
    costs = {m.variables: float(m.budget) for m in published.measurements if m.is_choice}
    paid = [costs.get(tuple(v.name for v in family), 0.0) for family in network.families]
    return graph_view(
        "graph",
        texts,
        compute.drawing_of(network),
        [measure("budget", "ε of the choice", "epsilon", paid)],
        Showing(selected=selected, editable=False),
    )


def _table(published: Published, selected: str) -> View:
    model, network = published.model, published.model.network
    place = network.index(selected)
    *parents, child = network.families[place]
    rows = model.conditional(place).values.reshape(-1, child.cardinality)[:ROWS]
    settings = list(itertools.islice(itertools.product(*(v.states for v in parents)), ROWS))
    columns: dict[str, list[str]] = {
        v.name: [s[j] for s in settings] for j, v in enumerate(parents)
    }
    columns |= {f"{selected} = {state}": [f"{p:.3f}" for p in rows[:, j]]
                for j, state in enumerate(child.states)}  # fmt: skip
    texts = Words(
        title=f"Table of {selected}",
        subtitle="probability of each state, as released"
        + (f", given {', '.join(v.name for v in parents)}" if parents else ""),
        caption=f"The first {ROWS} rows; model.json has all." if len(settings) == ROWS else "",
        alt=f"The released table of {selected}.",
        file="equipoise-released-table.csv",
    )
    return table_view("table", texts, columns)


def _records(file: Path, number: int) -> None:
    st.markdown("##### Synthetic records")
    if not file.is_file():
        st.caption("records.csv is not where it was released any more.")
        return
    with file.open(encoding="utf-8", newline="") as lines:
        first = list(itertools.islice(csv.DictReader(lines), FEW))
    st.dataframe(first, hide_index=True, key="released_records", alt="The first of them.")
    st.caption(f"{FEW} of {number:,}, drawn from the released model; records.csv has all.")


def _use(choice: Choice, outcome: Outcome) -> None:
    """Offer the graph for a release of its tables; the ledger knows that it is paid for."""
    network = outcome.published.model.network
    if graph_digest(choice.network) == graph_digest(network) and choice.study.graph == "given":
        st.success(
            "This graph is in use. It was charged once, with its release: what is published on it "
            "costs its own ε alone.",
            icon=":material/check_circle:",
        )
        return
    st.button(
        "Use this graph", key="release_use_graph", type="primary", on_click=use,
        args=(choice, outcome),
        help="It becomes the network in use, with its release as where it comes from. It was "
        "charged with that release and is not charged again.",
    )  # fmt: skip


def use(choice: Choice, outcome: Outcome) -> None:
    """Put the released graph in place of what is in use; records and statements stay."""
    files = st.session_state.get(state.FILES) if choice.study is state.load().upload else None
    graph = (GRAPH, model_files(outcome.published)[GRAPH])
    kept = replace(files, name=None, dag=graph) if isinstance(files, Upload) else None
    st.session_state[key_of("method", slot(choice))] = "equipoise"
    state.adopt(with_graph(choice.study, outcome.published.model.network, GRAPH), kept)


def with_graph(study: Study, network: Network, file: str) -> Study:
    """The same records with a released graph; a shell is told of its file."""
    own = dict(zip(network.names, network.parents, strict=True))
    variables = study.network.variables
    others = (part for part in study.loading if part[0] not in ("network", "dag"))
    return replace(
        study,
        network=Network(variables, tuple(own[v.name] for v in variables)),
        graph="given",
        spent=0.0,
        model=None,
        loading=() if study.sampled else (("dag", file), *others),
    )


def ask_released(outcome: Outcome) -> None:
    """One target, one given variable, and what the release says."""
    published = outcome.published
    if published.method == STRUCTURE:
        return
    st.divider()
    st.markdown(f"#### Ask release {published.id}")
    st.caption(f"From its files alone: no record is looked at. {ABOUT}")
    names = {v.name: v for v in published.model.network.variables}
    left, middle, right = st.columns(3)
    target = left.selectbox("Probability of", list(names), key=f"released_target_{published.id}")
    others = [name for name in names if name != target]
    given = middle.selectbox("given", others, None, placeholder="nothing",
                             key=f"released_given_{published.id}_{target}")  # fmt: skip
    states = names[given].states if given else ()
    state = right.selectbox("is", states, disabled=not given,
                            key=f"released_state_{published.id}_{given}")  # fmt: skip
    evidence = {given: state} if given and state else {}
    asked = Query((target,), evidence)
    key = (published.id, target, given, state)
    files = (outcome.directory / MODEL, outcome.directory / MEASUREMENTS)
    if not all(file.is_file() for file in files):
        st.caption("Its files are not where they were released any more.")
        return
    try:
        answer = compute.latest(
            "released answer", key, lambda: ask(contents(files[0]), contents(files[1]), asked)
        )
    except EquipoiseError as problem:
        refuse(problem)
        return
    heads = {"released": "probability", "90 % from": "low", "to": "high"}
    told = [
        {"state": row["states"][target], **{h: f"{row[key]:.4f}" for h, key in heads.items()}}
        for row in answer.rows
    ]
    alt = "What the released model says, and what else the noisy tables leave open."
    st.dataframe(told, hide_index=True, key="released_answer", alt=alt)
    words = ["python", "cli.py", "query", "--model", MODEL, "--target", target]
    words += ["--given", f"{given}={state}"] if evidence else []
    st.code(shlex.join(words), language="bash", wrap_lines=True)
