"""Verb synthesise: a structure, its tables and synthetic records, rehearsed."""

from __future__ import annotations

import argparse
from pathlib import Path

from commands.arguments import (
    data_arguments,
    figure_argument,
    names,
    number,
    study_from,
    unit_from,
)
from commands.output import (
    Document,
    progress_bar,
    say,
    write_figure,
    write_file,
    write_lines,
    write_table,
)
from core.errors import EquipoiseError
from core.options import PLAIN
from core.privacy import Neighbours
from core.privbayes.encoding import ENCODINGS
from core.privbayes.rehearsal import Rehearsal, rehearse
from core.privbayes.scores import Score
from core.privbayes.settings import PLUS, RECIPES, Settings
from core.privbayes.synthesis import Synthesis
from core.synthesis.ways import memory_bound
from figures.heat import heat_figure
from sources.places import table_file
from sources.records import Records, read_records, read_taxonomies, study_records
from sources.records_file import STUDY_COLUMN, check_study, synthetic_file
from sources.text import read_bytes


def add(parser: argparse.ArgumentParser) -> None:
    """Which records, and the knobs of a synthesis."""
    data_arguments(parser)
    group = parser.add_argument_group("synthesis")
    group.add_argument("--method", default=PLUS.name, choices=RECIPES)
    group.add_argument(
        "--delta", type=number, default=PLAIN.delta, metavar="D",
        help="δ of methods that end in -zcdp (default: 1e-6)",
    )  # fmt: skip
    group.add_argument("--epsilon", type=number, default=1.0, metavar="E", help="(default: 1)")
    group.add_argument(
        "--split",
        type=number,
        default=None,
        metavar="B",
        help="β, the share of ε for the structure (default: 0.3, or 0.2 with privbayes-plus)",
    )
    group.add_argument(
        "--theta",
        type=number,
        default=4.0,
        metavar="T",
        help="θ, information over noise that a table must reach (default: 4)",
    )
    group.add_argument("--encoding", default="vanilla", choices=ENCODINGS)
    group.add_argument(
        "--score", default="R", choices=[s.value for s in Score], help="(default: R)"
    )
    group.add_argument(
        "--parents",
        type=int,
        default=None,
        metavar="K",
        help="most parents (default: privbayes none, θ alone decides; privbayes-plus 2)",
    )
    group.add_argument(
        "--taxonomy", type=Path, metavar="FILE", help="JSON: groups of states of each column"
    )
    group.add_argument(
        "--neighbours",
        choices=[n.value for n in Neighbours],
        default=Neighbours.ADD_REMOVE.value,
        help="(default: add-remove)",
    )
    group.add_argument(
        "--replicates", type=int, default=1, metavar="R", help="runs to average (default: 1)"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="CSV for the first run's records; where the records are private only with --study",
    )
    group.add_argument(
        "--study",
        action="store_true",
        help="write --out as a study file, because the seed is known and it is not private: its "
        f"name ends in -study and its last column is {STUDY_COLUMN}",
    )

    group.add_argument(
        "--pair",
        type=names,
        default=None,
        metavar="X,Y",
        help="two columns to set side by side (default with --figure: the first two)",
    )
    figure_argument(parser, "the shares of --pair in the records and in the synthetic ones")


def run(arguments: argparse.Namespace) -> Document:
    """The structure, what was spent and how far the marginals are off."""
    settings = settings_from(arguments)
    records = records_from(arguments)
    taxonomies = {}
    if arguments.taxonomy is not None:
        taxonomies = read_taxonomies(arguments.taxonomy.name, read_bytes(arguments.taxonomy))
    if arguments.out is not None:
        check_study(records, study=arguments.study)
    how = records.encoded(arguments.encoding, taxonomies)
    if settings.recipe.way:
        most = memory_bound([a.variable for a in how.attributes], records.rows.records)
        say(f"memory: at most {most / 1e6:,.0f} MB")
    rehearsal = rehearse(
        records.rows,
        how,
        settings,
        seed=arguments.seed,
        replicates=arguments.replicates,
        progress=progress_bar,
    )
    answer = {**document(rehearsal, records), "pair": _pair(arguments, rehearsal, records)}
    if arguments.out is None:
        return answer
    file = synthetic_file(arguments.out, rehearsal.rows, records, study=arguments.study)
    write_file(file.path, file.content)
    return {**answer, "file": str(file.path)}


def _pair(arguments: argparse.Namespace, rehearsal: Rehearsal, records: Records) -> Document | None:
    """Two columns side by side, drawn where a figure is asked for; none without a question."""
    if arguments.pair is None and arguments.figure is None:
        return None
    states = {v.name: v.states for v in records.rows.dataset.variables}
    pair = list(states)[:2] if arguments.pair is None else arguments.pair
    tables = rehearsal.shares(records.rows, pair)
    if arguments.figure is not None:
        first, second = pair
        settings = rehearsal.synthesis.settings
        write_figure(
            heat_figure(tables, (first, states[first]), (second, states[second]), revision="pair"),
            arguments.figure,
            title=f"{first} and {second}, records and synthetic",
            scenario=f"{settings.recipe.name}, {records.rows.records:,} records, ε "
            f"{settings.epsilon:g}, β {settings.beta:g}, θ {settings.theta:g}, "
            f"{settings.neighbours.value}, seed {arguments.seed}",
        )
    shares = {name: values.tolist() for name, values in tables.items()}
    return {"columns": pair, "states": [list(states[name]) for name in pair], **shares}


def settings_from(arguments: argparse.Namespace) -> Settings:
    """The knobs, checked."""
    return Settings(
        epsilon=arguments.epsilon,
        split=arguments.split,
        theta=arguments.theta,
        score=Score(arguments.score),
        neighbours=Neighbours(arguments.neighbours),
        degree=arguments.parents,
        recipe=RECIPES[arguments.method],
        delta=arguments.delta,
    )


def records_from(arguments: argparse.Namespace) -> Records:
    """A table, or records sampled from a network whose graph is then not looked at."""
    if arguments.data is not None and arguments.network is None and arguments.dag is None:
        schema = arguments.schema
        records = read_records(
            table_file(arguments.data),
            None if schema is None else (schema.name, read_bytes(schema)),
            missing=arguments.missing,
            explore=True,
            unit=unit_from(arguments),
        )
        for note in records.notes:
            say(f"note: {note}")
        return records
    if arguments.network is None and arguments.dag is None:
        raise EquipoiseError("give --data FILE, or --network NAME to sample records from it")
    return study_records(study_from(arguments))


def document(rehearsal: Rehearsal, records: Records) -> Document:
    """What the JSON holds."""
    synthesis = rehearsal.synthesis
    settings, spending = synthesis.settings, synthesis.spending
    intervals = rehearsal.intervals
    return {
        "method": settings.recipe.name,
        "rehearsal": synthesis.rehearsal,
        "sampled": records.sampled,
        "epsilon": settings.epsilon,
        "split": settings.beta,
        "theta": settings.theta,
        "most_parents": synthesis.structure.degree or settings.most_parents
        if settings.recipe.penalised
        else settings.most_parents,
        "encoding": synthesis.encoding.name,
        "neighbours": settings.neighbours.value,
        "score": settings.score.value,
        "guarantee": settings.guarantee.text,
        "delta": settings.delta if settings.recipe.gaussian else 0.0,
        "forecast": forecast_of(synthesis),
        "network": [vars(pair) for pair in rehearsal.pairs],
        "spent": {
            "records": spending.records,
            "structure": spending.structure,
            "conditionals": spending.tables,
            "total": spending.total,
        },
        "records": synthesis.records,
        "tvd": {str(ways): span.mean for ways, span in intervals.items()},
        "intervals": {str(ways): vars(span) for ways, span in intervals.items()},
        "file": None,
    }


def forecast_of(synthesis: Synthesis) -> Document | None:
    """What was expected of each way before anything was spent on it, and the one taken."""
    grown = synthesis.grown
    if grown is None:
        return None
    plans = [vars(plan) for plan in grown.plans]
    return {
        "taken": grown.plan.way,
        "ways": plans,
        "cells": synthesis.model.network.layout.size,
        "memory": memory_bound([a.variable for a in synthesis.encoding.attributes], grown.records),
    }


def show(document: Document) -> None:
    """As a table."""
    write_table(
        ("variable", "parents", "score", "probability", "cost"),
        [
            [row["name"], ", ".join(row["parents"]), row["score"], row["probability"], row["cost"]]
            for row in document["network"]
        ],
    )
    forecast = document["forecast"]
    if forecast:
        ways = ", ".join(f"{plan['way']} {plan['error']:.4f}" for plan in forecast["ways"])
        write_lines("", f"forecast of two-way error: {ways}; taken: {forecast['taken']}")
    spent = document["spent"]
    write_lines(
        "",
        f"spent: structure {spent['structure']:.4g}, tables {spent['conditionals']:.4g}, "
        f"total {spent['total']:.4g}; {document['records']:,} synthetic records",
        "mean distance of marginals: "
        + ", ".join(f"{value:.4f} ({ways}-way)" for ways, value in document["tvd"].items()),
        *([f"written: {document['file']}"] if document["file"] else []),
        "study: the records are public, sampled from a network."
        if document["sampled"]
        else "study: the seed is known, so nothing of this is private, neither the structure nor "
        "synthetic records; what may be published is a release.",
    )
