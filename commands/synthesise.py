"""Verb synthesise: a structure, its tables and synthetic records, rehearsed."""

import argparse
from pathlib import Path

from commands import output
from commands.arguments import (
    check_data_options,
    data_arguments,
    figure,
    file_of,
    study_from,
    unit_from,
)
from commands.values import NEIGHBOURS, SEED, check_idle, filled, names, number, options
from core.errors import EquipoiseError
from core.options import PLAIN
from core.privacy import Neighbours
from core.privbayes.encoding import ENCODINGS
from core.privbayes.rehearsal import Rehearsal, partly, rehearse
from core.privbayes.scores import Score
from core.privbayes.settings import DEFAULT, RECIPES, Settings
from core.privbayes.synthesis import Synthesis, memory_of
from figures.synthesise import heat_figure
from sources.places import table_file
from sources.records import (
    STUDY_COLUMN,
    check_study,
    encoded,
    read_records,
    read_taxonomies,
    synthetic_file,
)
from sources.study import Study
from sources.text import read_bytes


def add(parser: argparse.ArgumentParser) -> None:
    """Which records, and the knobs of a synthesis."""
    data_arguments(parser)
    options(
        parser.add_argument_group("synthesis"),
        ("--method", RECIPES, DEFAULT, None, f"(default: {DEFAULT})"),
        ("--delta", number, PLAIN.delta, "D", "δ of methods that end in -zcdp (default: 1e-6)"),
        ("--epsilon", number, 1.0, "E", "(default: 1)"),
        ("--split", number, None, "B",
         "β, the share of ε for the structure (default: 0.3, or 0.2 with privbayes-plus)"),
        ("--theta", number, 4.0, "T",
         "θ, information over noise that a table must reach (default: 4)"),
        ("--encoding", ENCODINGS, "vanilla", None, None),
        ("--score", [s.value for s in Score], "R", None, "(default: R)"),
        ("--parents", int, None, "K",
         "most parents (default: privbayes none, θ alone decides; privbayes-plus 2)"),
        ("--taxonomy", Path, None, "FILE", "JSON: groups of states of each column"),
        NEIGHBOURS,
        ("--replicates", int, 1, "R", "runs to average (default: 1)"),
        SEED,
        ("--out", Path, None, "FILE",
         "CSV for the first run's records; where the records are private only with --study"),
        ("--study", bool, False, None, "write --out as a study file, because the seed is known and "
         f"it is not private: its name ends in -study and its last column is {STUDY_COLUMN}"),
        ("--pair", names, None, "X,Y",
         "two columns to set side by side (default with --figure: the first two)"),
        figure("the shares of --pair in the records and in the synthetic ones"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> output.Document:
    """The structure, what was spent and how far the marginals are off."""
    settings = settings_from(arguments)
    if arguments.out is None:
        check_idle(arguments, "marks the file of --out: name that", study=False)
    records = records_from(arguments)
    taxonomies = {}
    if arguments.taxonomy is not None:
        taxonomies = read_taxonomies(arguments.taxonomy.name, read_bytes(arguments.taxonomy))
    if arguments.out is not None:
        check_study(records, study=arguments.study)
    how = encoded(records, arguments.encoding, taxonomies)
    if settings.recipe.way:
        most = memory_of(how, settings, records.rows.records)
        output.say(f"memory of the synthesis: at most {most / 1e6:,.0f} MB")
    rehearsal = rehearse(
        records.rows,
        how,
        settings,
        seed=arguments.seed,
        replicates=arguments.replicates,
        progress=output.progress_bar,
    )
    answer = {**document(rehearsal, records), "pair": _pair(arguments, rehearsal, records)}
    if arguments.out is None:
        return answer
    file = synthetic_file(arguments.out, rehearsal.rows, records, study=arguments.study)
    output.write_file(file.path, file.content)
    return {**answer, "file": str(file.path)}


def _pair(
    arguments: argparse.Namespace, rehearsal: Rehearsal, records: Study
) -> output.Document | None:
    """Two columns side by side, drawn where a figure is asked for; none without a question."""
    if arguments.pair is None and arguments.figure is None:
        return None
    states = {v.name: v.states for v in records.rows.dataset.variables}
    pair = list(states)[:2] if arguments.pair is None else arguments.pair
    tables = rehearsal.shares(records.rows, pair)
    settings = rehearsal.synthesis.settings
    output.draw(
        lambda: heat_figure(tables, *((name, states[name]) for name in pair), revision="pair"),
        arguments.figure,
        title=f"{' and '.join(pair)}, records and synthetic",
        scenario=f"{settings.recipe.name}, {records.rows.records:,} records, ε "
        f"{settings.epsilon:g}, β {settings.beta:g}, θ {settings.theta:g}, "
        f"{settings.neighbours.value}, seed {arguments.seed}",
    )
    shares = {name: values.tolist() for name, values in tables.items()}
    return {"columns": pair, "states": [list(states[name]) for name in pair], **shares}


def settings_from(arguments: argparse.Namespace) -> Settings:
    """The knobs, checked."""
    return filled(
        Settings,
        arguments,
        score=Score(arguments.score),
        neighbours=Neighbours(arguments.neighbours),
        degree=arguments.parents,
        recipe=RECIPES[arguments.method],
    )


def records_from(arguments: argparse.Namespace) -> Study:
    """A table, or records sampled from a network whose graph is then not looked at."""
    check_data_options(arguments)
    if arguments.data is not None and arguments.network is None and arguments.dag is None:
        records = read_records(
            table_file(arguments.data),
            file_of(arguments.schema),
            missing=arguments.missing,
            explore=True,
            unit=unit_from(arguments),
        )
        for note in (*records.notes, *records.counted):
            output.say(f"note: {note}")
        return records
    if arguments.network is None and arguments.dag is None:
        raise EquipoiseError("give --data FILE, or --network NAME to sample records from it")
    return study_from(arguments)


def document(rehearsal: Rehearsal, records: Study) -> output.Document:
    """What the JSON holds."""
    synthesis = rehearsal.synthesis
    settings, spending = synthesis.settings, synthesis.spending
    intervals, partial = rehearsal.intervals, partly(rehearsal.rows.dataset.variables)
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
        "forecast": forecast_of(synthesis, records),
        "network": [vars(pair) for pair in rehearsal.pairs],
        "spent": {
            **output.picked(spending, "records", "structure"),
            "conditionals": spending.tables,
            "total": spending.total,
        },
        "records": synthesis.records,
        "tvd": {str(ways): span.mean for ways, span in intervals.items()},
        "intervals": {str(ways): vars(span) for ways, span in intervals.items()},
        "partly": {str(ways): text for ways, text in partial.items()},
        "file": None,
    }


def forecast_of(synthesis: Synthesis, records: Study) -> output.Document | None:
    """What was expected of each way before anything was spent on it, and the one taken."""
    grown = synthesis.grown
    if grown is None:
        return None
    return {
        "taken": grown.plan.way,
        "ways": [vars(plan) for plan in grown.plans],
        "cells": synthesis.model.network.layout.size,
        "memory": memory_of(synthesis.encoding, synthesis.settings, records.rows.records),
    }


def show(document: output.Document) -> None:
    """As a table."""
    output.write_table(
        {"variable": "name", "parents": "parents", "score": "score",
         "probability": "probability", "cost": "cost"},
        ({**row, "parents": ", ".join(row["parents"])} for row in document["network"]),
    )  # fmt: skip
    forecast = document["forecast"]
    if forecast:
        ways = ", ".join(f"{plan['way']} {plan['error']:.4f}" for plan in forecast["ways"])
        output.write_lines("", f"forecast of two-way error: {ways}; taken: {forecast['taken']}")
    spent = document["spent"]
    output.write_lines(
        "",
        f"spent: structure {spent['structure']:.4g}, tables {spent['conditionals']:.4g}, "
        f"total {spent['total']:.4g}; {document['records']:,} synthetic records",
        "mean distance of marginals: "
        + ", ".join(f"{value:.4f} ({ways}-way)" for ways, value in document["tvd"].items()),
        *(f"{text}." for text in document["partly"].values()),
        *([f"written: {document['file']}"] if document["file"] else []),
        "study: the records are public, sampled from a network."
        if document["sampled"]
        else "study: the seed is known, so nothing of this is private, neither the structure nor "
        "synthetic records; what may be published is a release.",
    )
