"""Verb undirected: estimators of an undirected model, compared with the truth."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from commands.arguments import names, number, numbers
from commands.output import Document, progress_bar, write_lines, write_table
from core.errors import EquipoiseError
from core.experiments import interval
from core.markov.collective import STEPS
from core.markov.likelihood import PENALTY
from core.markov.synthetic import DENSITY, Truth, network_truth
from core.privacy import Neighbours
from core.scenario import RECORD_LIMIT, REPLICATE_LIMIT, check_count
from core.undirected.sample import SHAPES, Setting, synthetic
from core.undirected.study import ESTIMATORS, Found, curve_steps
from sources.accounting import noise_multiplier
from sources.loaded import Loaded
from sources.networks import sample_names
from sources.study import open_network
from sources.text import read_bytes

COLUMNS = ("estimator", "epsilon", "records", "kl", "low", "high", "seconds")


def whole(text: str) -> list[int]:
    """Whole numbers separated by commas."""
    found = numbers(text)
    if any(value != int(value) for value in found):
        raise argparse.ArgumentTypeError(f"{text!r} holds a number that is not whole")
    return [int(value) for value in found]


def undirected_arguments() -> argparse.ArgumentParser:
    """Which model, which estimators, which knobs."""
    parser = argparse.ArgumentParser(add_help=False)
    model = parser.add_argument_group("model")
    model.add_argument(
        "--shape",
        choices=SHAPES,
        default="chain",
        help="third-order chain or connected random graph (default: chain)",
    )
    model.add_argument("--nodes", type=int, default=10, metavar="N", help="(default: 10)")
    model.add_argument("--states", type=int, default=5, metavar="N", help="(default: 5)")
    model.add_argument("--density", type=number, default=DENSITY, metavar="P", help="(random)")
    model.add_argument(
        "--network", metavar="NAME", help=f"the moral graph of one of {', '.join(sample_names())}"
    )
    model.add_argument(
        "--dag",
        type=Path,
        metavar="FILE",
        help="the moral graph of a network file with probabilities",
    )
    _study_arguments(parser.add_argument_group("study"))
    return parser


def _study_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--estimators",
        type=names,
        default=["naive", "cgm"],
        metavar="A,B",
        help=f"of {', '.join(ESTIMATORS)} (default: naive,cgm)",
    )
    group.add_argument(
        "--epsilon",
        "--epsilons",
        dest="epsilons",
        type=numbers,
        default=[1.0],
        metavar="E,F",
        help="(default: 1)",
    )
    group.add_argument(
        "--records", type=whole, default=[10_000], metavar="N,M", help="(default: 10000)"
    )
    group.add_argument("--populations", type=int, default=5, metavar="P", help="(default: 5)")
    group.add_argument(
        "--repeats", type=int, default=2, metavar="R", help="noise draws for each (default: 2)"
    )
    group.add_argument(
        "--penalty", type=number, default=PENALTY, metavar="S", help="λ = S b/N (default: 0.3)"
    )
    group.add_argument(
        "--steps", type=int, default=STEPS, metavar="T", help=f"EM steps (default: {STEPS})"
    )
    group.add_argument(
        "--start", choices=("naive", "zero"), default="naive", help="of EM (default: naive)"
    )
    group.add_argument(
        "--delta", type=number, default=None, metavar="D", help="of (ε, δ) ones (default: 1/N)"
    )
    group.add_argument(
        "--neighbours",
        choices=[n.value for n in Neighbours],
        default=Neighbours.ADD_REMOVE.value,
        help="(default: add-remove)",
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")


def undirected(arguments: argparse.Namespace) -> Document:
    """KL from the truth of every estimator at every ε and N."""
    for name in arguments.estimators:
        if name not in ESTIMATORS:
            raise EquipoiseError(f"no estimator {name!r}; there are {', '.join(ESTIMATORS)}")
    for records in arguments.records:
        check_count("the number of records", records, RECORD_LIMIT)
    check_count("the replicates", arguments.populations * arguments.repeats, REPLICATE_LIMIT)
    truth = _truth(arguments)
    setting = Setting(
        neighbours=Neighbours(arguments.neighbours),
        share=arguments.penalty,
        steps=arguments.steps,
        zero=arguments.start == "zero",
        populations=arguments.populations,
        repeats=arguments.repeats,
        seed=arguments.seed,
        delta=arguments.delta,
    )
    points = [
        (name, epsilon, records)
        for epsilon in arguments.epsilons
        for records in arguments.records
        for name in arguments.estimators
    ]
    for _, epsilon, _ in points:
        replace(setting, epsilon=epsilon)  # refuses a bad ε before anything is learned
    found: Found = {}
    for _ in curve_steps(found, truth, setting, points, noise_multiplier):
        progress_bar(len(found), len(points))
    return {
        "nodes": len(truth.field.variables),
        "tables": len(truth.field.tables),
        "cells": truth.field.size,
        "tree_cells": truth.field.tree.cells,
        "rows": [_row(point, found) for point in points],
    }


def _truth(arguments: argparse.Namespace) -> Truth:
    if arguments.network is not None and arguments.dag is not None:
        raise EquipoiseError("give at most one of --network NAME and --dag FILE")
    if arguments.network is None and arguments.dag is None:
        return synthetic(
            arguments.shape,
            arguments.nodes,
            arguments.states,
            density=arguments.density,
            seed=arguments.seed,
        )
    dag = None if arguments.dag is None else (arguments.dag.name, read_bytes(arguments.dag))
    loaded = open_network(arguments.network, dag)
    if not isinstance(loaded, Loaded) or loaded.model is None:
        raise EquipoiseError(
            f"{loaded.name} has no probabilities, so there is no truth to compare with; give a "
            "network file with probabilities"
        )
    return network_truth(loaded.model)


def _row(point: tuple[str, float, int], found: Found) -> Document:
    name, epsilon, records = point
    outcome = found[point]
    mean = interval(outcome.divergence)
    return {
        "estimator": name,
        "guarantee": ESTIMATORS[name].guarantee,
        "epsilon": epsilon,
        "records": records,
        "kl": mean.mean,
        "low": mean.low,
        "high": mean.high,
        "seconds": outcome.seconds,
    }


def show_undirected(document: Document) -> None:
    """As a table."""
    write_lines(
        f"{document['nodes']} variables, {document['tables']} tables of {document['cells']:,} "
        f"cells, a junction tree of {document['tree_cells']:,}. KL from the truth in nats, with "
        "its 95 % interval over replicates:",
        "",
    )
    write_table(COLUMNS, [[row[key] for key in COLUMNS] for row in document["rows"]])
