"""The verb ``solve``: from the largest acceptable error to the smallest ε."""

import argparse
from dataclasses import asdict

from commands.arguments import WORKERS, asked_from, study_arguments
from commands.output import STUDY, Document, progress_bar, write_lines, write_table
from commands.values import evidence, names, number, options
from core.inference.evidence import Query
from core.study.metrics import METRICS, Truth
from core.study.quantities import QUANTITIES, legend
from core.study.solve import Goal, solve


def question(text: str) -> Query:
    """``X,Y|A=a,B=b`` as a question."""
    targets, _, given = text.partition("|")
    return Query(tuple(names(targets)), evidence(given))


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and methods, and the goal."""
    study_arguments(parser)
    options(
        parser,
        WORKERS,
        ("--methods", names, ["uniform"], "A,B", None),
        ("--metric", METRICS, "query_l1", None, f"one of {legend(METRICS)}"),
        ("--goal", number, ..., "X",
         "largest acceptable mean error; with --ask, how far any answer may be off"),
        ("--ask", [question], [], "X,Y|A=a",
         "a question whose answers must all lie within the goal (may be repeated)"),
        ("--population", bool, False, None, "errors against the population instead of the records"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """The smallest ε of each method, or why there is none. Study only."""
    scenario, study = asked_from(arguments)
    goal = Goal(arguments.goal, arguments.metric, tuple(arguments.ask), arguments.population)
    solutions = solve(
        Truth.of(study.network, study.counts, scenario.options),
        study.counts,
        scenario,
        goal,
        methods=arguments.methods,
        progress=progress_bar,
        workers=arguments.workers,
    )
    return {
        "metric": "answers" if goal.queries else goal.metric,
        "goal": goal.limit,
        "against": "population" if goal.population else "records",
        "rows": [asdict(s) for s in solutions],
    }


def show(document: Document) -> None:
    """As a sentence and a table."""
    kind = "at least" if document["metric"] == "map_accuracy" else "at most"
    known = QUANTITIES.get(document["metric"])
    what = known.name if known else "every probability asked for"
    goal = f"{kind} {document['goal']:g} against the {document['against']}"
    write_lines(f"Smallest ε that keeps {what} {goal}.", STUDY, "")
    write_table(("method", "epsilon", "reached", "low", "high", "reason"), document["rows"])
