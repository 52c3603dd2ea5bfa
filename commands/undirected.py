"""Verb undirected: estimators of an undirected model, compared with the truth."""

import argparse
from dataclasses import asdict, replace
from pathlib import Path

from commands.arguments import WORKERS, figure, network_from
from commands.output import Document, draw, picked, progress_bar, write_lines, write_table
from commands.values import NEIGHBOURS, SEED, filled, names, number, numbers, options, told
from core.errors import EquipoiseError
from core.markov.collective import STEPS
from core.markov.likelihood import FAMILY_PENALTY, PENALTY
from core.markov.synthetic import DENSITY, TrueField
from core.privacy import Neighbours
from core.scenario import RECORD_LIMIT, REPLICATE_LIMIT, check_count
from core.study.bands import QUANTILES, bands
from core.undirected.estimators import ESTIMATORS, WITHOUT_NOISE
from core.undirected.sample import MORAL, SHAPES, Setting, Shape, true_model
from core.undirected.study import TUNING, Found, curve_steps, kept_at, points, quantiles
from figures.template import Figure
from figures.undirected import estimator_band, records_figure
from sources.accounting import noise_multiplier
from sources.loaded import Loaded
from sources.networks import sample_names

COLUMNS = ("estimator", "epsilon", "records", "kl", "low", "high", "seconds")


def whole(text: str) -> list[int]:
    """Whole numbers separated by commas."""
    values = numbers(text)
    if not all(value.is_integer() for value in values):
        raise EquipoiseError(f"{text!r} holds a number that is not whole")
    return [int(value) for value in values]


def add(parser: argparse.ArgumentParser) -> None:
    """Which model, which estimators, which knobs."""
    options(
        parser.add_argument_group("model"),
        ("--shape", SHAPES, "chain", None,
         "third-order chain or connected random graph (default: chain)"),
        ("--nodes", int, 10, "N", "(default: 10)"),
        ("--states", int, 5, "N", "(default: 5)"),
        ("--density", number, DENSITY, "P", "(random)"),
        ("--network", str, None, "NAME", f"the moral graph of one of {', '.join(sample_names())}"),
        ("--dag", Path, None, "FILE", "the moral graph of a network file with probabilities"),
    )  # fmt: skip
    study = parser.add_argument_group("study")
    known = f"of {', '.join(ESTIMATORS)} (default: naive,cgm)"
    options(study, ("--estimators", names, ["naive", "cgm"], "A,B", known))
    study.add_argument("--epsilon", "--epsilons", dest="epsilons", type=told(numbers),
                       default=[1.0], metavar="E,F", help="(default: 1)")  # fmt: skip
    options(
        study,
        ("--records", whole, [10_000], "N,M", "(default: 10000)"),
        ("--populations", int, 5, "P", "(default: 5)"),
        ("--repeats", int, 2, "R", "noise draws for each (default: 2)"),
        ("--penalty", number, None, "S",
         f"λ = S b/N (default: {PENALTY:g}; {FAMILY_PENALTY:g} for a moral graph)"),
        ("--no-projection", bool, False, None, "use noisy tables as they are"),
        ("--steps", int, STEPS, "T", f"EM steps (default: {STEPS})"),
        ("--start", ("naive", "zero"), "naive", None, "of EM (default: naive)"),
        ("--delta", number, None, "D", "of (ε, δ) ones (default: 1/N)"),
        NEIGHBOURS,
        SEED,
    )  # fmt: skip
    options(parser, WORKERS, figure("KL against the number of records"))


def run(arguments: argparse.Namespace) -> Document:
    """KL from the truth of every estimator at every ε and N."""
    names, epsilons, sizes = arguments.estimators, arguments.epsilons, arguments.records
    wanted = points(names, epsilons, sizes)  # refuses a bad name
    for records in sizes:
        check_count("the number of records", records, RECORD_LIMIT)
    check_count("the replicates", arguments.populations * arguments.repeats, REPLICATE_LIMIT)
    shape = _shape(arguments)
    setting = _setting(arguments, shape)
    for epsilon in epsilons:
        replace(setting, epsilon=epsilon)  # refuses a bad ε before anything is learned
    truth = _truth(arguments, shape)
    outcomes: Found = {}
    steps = curve_steps(
        outcomes, truth, setting, wanted, accountant=noise_multiplier, workers=arguments.workers
    )
    for _ in steps:
        progress_bar(len(outcomes), len(wanted))
    draw(
        lambda: _figure(arguments, outcomes),
        arguments.figure,
        title="How far the model is from the truth",
        scenario=f"{len(truth.field.variables)} variables, ε "
        f"{', '.join(f'{e:g}' for e in epsilons)}, {setting.neighbours.value}, "
        f"{setting.populations} populations x {setting.repeats} draws, seed {setting.seed}",
    )
    return {
        "nodes": len(truth.field.variables),
        "tables": len(truth.field.tables),
        "cells": truth.field.size,
        "tree_cells": truth.field.tree.cells,
        "quantile_levels": QUANTILES,
        "tuning": TUNING if "dp-sgd" in names else "",
        "rows": [
            _row(name, epsilon, records, outcomes)
            for epsilon in epsilons
            for records in sizes
            for name in names
        ],
    }


def _figure(arguments: argparse.Namespace, outcomes: Found) -> Figure:
    """A curve for each estimator and ε; one that no ε moves stands there once."""
    sizes = sorted(set(arguments.records))
    wanted = dict.fromkeys(
        (name, kept_at(name, epsilon))
        for epsilon in arguments.epsilons
        for name in arguments.estimators
    )
    several = len(set(arguments.epsilons)) > 1
    curves = []
    for name, epsilon in wanted:
        curve = estimator_band(name, sizes, quantiles(outcomes, name, epsilon, sizes))
        moved = several and name not in WITHOUT_NOISE
        curves.append(replace(curve, name=f"{curve.name}, ε = {epsilon:g}") if moved else curve)
    return records_figure(sizes, curves, records=None, revision="learning")


def _shape(arguments: argparse.Namespace) -> Shape:
    if arguments.network is not None and arguments.dag is not None:
        raise EquipoiseError("give at most one of --network NAME and --dag FILE")
    if arguments.network is not None or arguments.dag is not None:
        return Shape(MORAL)
    return Shape(arguments.shape, arguments.nodes, arguments.states, arguments.density)


def _setting(arguments: argparse.Namespace, shape: Shape) -> Setting:
    return filled(
        Setting,
        arguments,
        records=Setting.records,  # each of those given in its turn
        neighbours=Neighbours(arguments.neighbours),
        share=shape.share if arguments.penalty is None else arguments.penalty,
        zero=arguments.start == "zero",
        projected=not arguments.no_projection,
    )


def _truth(arguments: argparse.Namespace, shape: Shape) -> TrueField:
    if shape.kind != MORAL:
        return true_model(shape, seed=arguments.seed)
    loaded = network_from(arguments)
    model = loaded.model if isinstance(loaded, Loaded) else None
    return true_model(shape, seed=arguments.seed, model=model)


def _row(name: str, epsilon: float, records: int, outcomes: Found) -> Document:
    outcome = outcomes[name, kept_at(name, epsilon), records]
    return {
        "estimator": name,
        "guarantee": ESTIMATORS[name].guarantee.text,
        "epsilon": epsilon,
        "records": records,
        "kl": outcome.interval.mean,
        **picked(outcome.interval, "low", "high"),
        "quantiles": bands(outcome.divergence).tolist(),
        **picked(outcome, "seconds", "unfinished"),
        "training": None if outcome.training is None else asdict(outcome.training),
    }


def show(document: Document) -> None:
    """As a table."""
    write_lines(
        f"{document['nodes']} variables, {document['tables']} tables of {document['cells']:,} "
        f"cells, a junction tree of {document['tree_cells']:,}. KL from the truth in nats, with "
        "its 95 % interval over replicates:",
        "",
    )
    write_table(COLUMNS, document["rows"])
    said = [
        f"{row['estimator']} at ε = {row['epsilon']:g} and {row['records']:,} records: "
        f"{row['unfinished']} replicates were not solved to tolerance, what was reached is shown."
        for row in document["rows"]
        if row["unfinished"]
    ]
    if document["tuning"]:
        said.append(document["tuning"])
    if said:
        write_lines("", *said)
