"""The verb ``solve``: from the largest acceptable error to the smallest ε."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from commands.arguments import evidence, names, scenario_from, study_from
from commands.output import Document, progress_bar, write_lines, write_table
from core.inference.evidence import Query
from core.study.metrics import Truth
from core.study.quantities import QUANTITIES
from core.study.solve import Goal, solve


def question(text: str) -> Query:
    """``X,Y|A=a,B=b`` as a question."""
    targets, _, given = text.partition("|")
    return Query(tuple(names(targets)), evidence(given))


def run_solve(arguments: argparse.Namespace) -> Document:
    """The smallest ε of each method, or why there is none. Study only."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    goal = Goal(arguments.goal, arguments.metric, tuple(arguments.ask), arguments.population)
    solutions = solve(
        Truth.of(study.network, study.counts),
        study.counts,
        scenario,
        goal,
        methods=arguments.methods,
        progress=progress_bar,
    )
    return {
        "metric": "answers" if goal.queries else goal.metric,
        "goal": goal.limit,
        "against": "population" if goal.population else "records",
        "rows": [asdict(s) for s in solutions],
    }


def show_solutions(document: Document) -> None:
    """As a sentence and a table."""
    kind = "at least" if document["metric"] == "map_accuracy" else "at most"
    known = QUANTITIES.get(document["metric"])
    what = known.name if known else "every probability asked for"
    write_lines(
        f"Smallest ε that keeps {what} {kind} {document['goal']:g} "
        f"against the {document['against']}.",
        "Study: computed from the records, not private, not for publication.",
        "",
    )
    keys = ("method", "epsilon", "reached", "low", "high", "reason")
    write_table(keys, [[row[k] for k in keys] for row in document["rows"]])
