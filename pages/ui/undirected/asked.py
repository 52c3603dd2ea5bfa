"""What is asked for on Undirected: model, training, estimators, view; and the same in a shell."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from core.markov.mobility import Town
from core.markov.synthetic import TrueField
from core.parameters import Model
from core.privacy import Neighbours
from core.undirected.question import MORAL, Shape, true_model
from core.undirected.sample import Setting
from pages.ui.kit import compute, state, words
from pages.ui.kit.inputs import Choice
from pages.ui.undirected.numbers import Store
from sources.loaded import Loaded
from sources.study import open_network


@dataclass(frozen=True, eq=False)
class Asked:
    """One screen of the page. ``other`` is the ε that stands beside the sidebar's."""

    choice: Choice
    picked: str
    shape: Shape
    truth: TrueField
    setting: Setting
    estimators: tuple[str, ...]
    view: str
    other: float
    town: Town
    loopy: bool
    store: Store

    @property
    def key(self) -> Hashable:
        """What a job works for."""
        near = (self.setting.epsilon, self.setting.records, self.other)
        return (self.store, self.view, self.estimators, self.town, self.loopy, *near)

    @property
    def title(self) -> str:
        """The model in words."""
        field = self.truth.field
        if self.shape.kind == MORAL:
            return f"the moral graph of {self.picked}"
        kind = "a third-order chain" if self.shape.kind == "chain" else "a connected random graph"
        return f"{kind} of {len(field.variables)} nodes with {self.shape.states} states"

    @property
    def scenario(self) -> str:
        """Everything that is set, in one line."""
        s, field = self.setting, self.truth.field
        relation = "add/remove" if s.neighbours is Neighbours.ADD_REMOVE else "replace"
        return (
            f"{self.title} ({words.counted(len(field.tables), 'table')}, {field.size:,} cells, "
            f"junction tree {field.predicted_cells:,}), {s.records:,} records, ε {s.epsilon:g}, λ "
            f"{s.share:g} b/N, {words.counted(s.steps, 'EM step')}, {s.populations} x {s.repeats} "
            f"replicates, {relation}, seed {s.seed}"
        )


def truth_of(shape: Shape, choice: Choice, picked: str) -> TrueField:
    """The true model; refused with its sentence when it is too large to be trained.

    For a sample network its own probabilities; for uploaded records or an edited graph those that
    the records give, which is private.
    """
    seed = choice.scenario.seed

    def make() -> TrueField:
        model: Model | None
        if shape.kind != MORAL:
            return true_model(shape, seed=seed)
        if picked == state.UPLOADED or choice.edited:
            model = compute.truth_of(choice.study, choice.network).model
        else:
            loaded = open_network(picked, None)
            model = loaded.model if isinstance(loaded, Loaded) else None
        return true_model(shape, seed=seed, model=model)

    moral = (choice.study.fingerprint, choice.network) if shape.kind == MORAL else seed
    return compute.remembered(("undirected truth", shape, moral), make)


def store_of(shape: Shape, choice: Choice, setting: Setting) -> Store:
    """What is measured for this model and this way of training, at any ε and N."""
    whole = replace(setting, epsilon=1.0, records=1)
    moral = (choice.study.fingerprint, choice.network) if shape.kind == MORAL else 0
    return compute.remembered(("undirected", shape, moral, whole), Store)


def command(asked: Asked, epsilons: str, records: str) -> str:
    """The same numbers from a shell; an upload's file names are the user's to fill in."""
    shape, setting = asked.shape, asked.setting
    if shape.kind != MORAL:
        model = f"--shape {shape.kind} --nodes {shape.nodes} --states {shape.states}"
    elif asked.picked == state.UPLOADED or asked.choice.edited:
        model = "--dag FILE"
    else:
        model = f"--network {words.quoted(asked.picked)}"
    return (
        f"python cli.py undirected {model} --estimators {','.join(asked.estimators)} "
        f"--epsilons {epsilons} --records {records} --populations {setting.populations} "
        f"--repeats {setting.repeats} --penalty {setting.share!r} --steps {setting.steps} "
        f"--start {'zero' if setting.zero else 'naive'} --neighbours {setting.neighbours.value} "
        f"--seed {setting.seed}{'' if setting.projected else ' --no-projection'}"
    )
