"""Equipoise from a shell: ``python cli.py VERB --help``.

Exit 0 done, 2 bad input (one sentence on standard error), 3 refused.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from commands import (
    attack,
    audit,
    glossary,
    ledger,
    looking,
    releasing,
    risk,
    solving,
    spending,
    synthesise,
    undirected,
)
from commands.arguments import (
    data_arguments,
    evidence,
    names,
    number,
    numbers,
    scenario_arguments,
)
from commands.output import Document, say, write_json
from core.errors import EquipoiseError
from core.membership.outcomes import SMOOTHED
from core.methods.registry import METHODS
from core.study.metrics import METRICS
from release.ledger.people import BudgetError

Verb = Callable[[argparse.Namespace], Document]
Show = Callable[[Document], None]


class Parser(argparse.ArgumentParser):
    """argparse, answering a bad argument with one sentence and exit 2."""

    def error(self, message: str) -> NoReturn:
        """One sentence, without the usage block."""
        say(f"{self.prog}: {message}; see {self.prog} --help")
        raise SystemExit(2)


def build_parser() -> Parser:
    """All verbs with their arguments."""
    parser = Parser(prog="cli.py", description="What it costs to publish a Bayesian network.")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=Parser)
    data, scenario = data_arguments(), scenario_arguments()

    def verb(name: str, run: Verb, show: Show, text: str, *parents: Parser) -> Parser:
        made = verbs.add_parser(name, help=text, description=text, parents=list(parents))
        made.add_argument("--json", action="store_true", help="print exactly one JSON document")
        made.set_defaults(run=run, show=show)
        return made

    verb("networks", looking.networks, looking.show_networks, "List the sample networks.")
    verb(
        "describe", looking.describe, looking.show_description, "What follows from the graph.", data
    )
    verb("methods", looking.methods, looking.show_methods, "List the methods.")
    glossary.add(verb("glossary", glossary.run, glossary.show, "What a symbol or word means."))
    one = verb(
        "allocate",
        spending.allocate,
        spending.show_allocation,
        "Who gets which part of the budget, and the error that follows.",
        data,
        scenario,
    )
    one.add_argument("--method", default="uniform", choices=METHODS)
    _query(
        verb(
            "query",
            spending.query,
            spending.show_answers,
            "One question to the exact and to the private models.",
            data,
            scenario,
        )
    )
    _sweep(
        verb(
            "sweep",
            spending.run_sweep,
            spending.show_sweep,
            "Error of methods over a range of budgets.",
            data,
            scenario,
        )
    )
    _solve(
        verb(
            "solve",
            solving.run_solve,
            solving.show_solutions,
            "The smallest budget that keeps an error below a limit.",
            data,
            scenario,
        )
    )
    one = verb(
        "risk",
        risk.risk,
        risk.show_risk,
        "The most a membership attacker could gain.",
        data,
        scenario,
    )
    one.add_argument("--method", default="uniform", choices=METHODS)
    one.add_argument(
        "--base-rate",
        type=number,
        default=0.01,
        metavar="P",
        help="share of members among the attacker's suspects (default: 0.01)",
    )
    _alarms(one)
    own = data_arguments()  # a pool's size has a default of its own
    own.set_defaults(records=None)
    one = verb(
        "attack",
        attack.attack,
        attack.show_attack,
        "How many members an attack finds over repeated pools (--records is a pool's size).",
        own,
        scenario,
    )
    one.add_argument("--method", default="exact", choices=[*METHODS, SMOOTHED])
    one.add_argument("--pools", type=int, default=20, metavar="P", help="(default: 20)")
    _alarms(one)
    verb(
        "synthesise",
        synthesise.run_synthesis,
        synthesise.show_synthesis,
        "Rehearse a private structure and synthetic records with a known seed: for study.",
        data,
        synthesise.synthesis_arguments(),
    )
    verb(
        "undirected",
        undirected.undirected,
        undirected.show_undirected,
        "Learn an undirected model from noisy tables, compared with the truth.",
        undirected.undirected_arguments(),
    )
    audit.audit_arguments(
        verb(
            "audit",
            audit.run_audit,
            audit.show_audit,
            "Run a method on neighbouring data and bound its real ε from below.",
        )
    )
    releasing.release_arguments(
        verb(
            "release",
            releasing.run_release,
            releasing.show_release,
            "Review, pay for and write one private release.",
            data,
            scenario,
        )
    )
    ledger.ledger_arguments(
        verb("ledger", ledger.run_ledger, ledger.show_ledger, "What was spent on which data.")
    )
    return parser


def _solve(parser: Parser) -> None:
    parser.add_argument("--methods", type=names, default=["uniform"], metavar="A,B")
    parser.add_argument("--metric", default="query_l1", choices=METRICS)
    parser.add_argument(
        "--goal",
        type=number,
        required=True,
        metavar="X",
        help="largest acceptable mean error; with --ask, how far any answer may be off",
    )
    parser.add_argument(
        "--ask",
        type=solving.question,
        action="append",
        default=[],
        metavar="X,Y|A=a",
        help="a question whose answers must all lie within the goal (may be repeated)",
    )
    parser.add_argument(
        "--population",
        action="store_true",
        help="errors against the population instead of the records",
    )


def _alarms(parser: Parser) -> None:
    parser.add_argument(
        "--alpha",
        type=numbers,
        default=[0.001, 0.01, 0.05, 0.1],
        metavar="A,B",
        help="false-alarm rates (default: 0.001,0.01,0.05,0.1)",
    )


def _query(parser: Parser) -> None:
    parser.add_argument("--method", default="uniform", choices=METHODS)
    parser.add_argument("--target", type=names, default=[], metavar="X,Y")
    parser.add_argument("--given", type=evidence, default={}, metavar="A=a,B=b")
    parser.add_argument(
        "--most-probable",
        action="store_true",
        help="the most probable explanation of all other variables",
    )


def _sweep(parser: Parser) -> None:
    parser.add_argument("--methods", type=names, default=["uniform"], metavar="A,B")
    parser.add_argument("--epsilons", type=numbers, default=[0.1, 0.3, 1.0, 3.0], metavar="X,Y")
    parser.add_argument("--metrics", type=names, default=None, metavar="A,B", help="default: all")
    parser.add_argument(
        "--reference",
        default="uniform",
        metavar="METHOD",
        help="what the matches compare with (default: uniform)",
    )
    parser.add_argument(
        "--reference-epsilon",
        type=float,
        default=None,
        metavar="E",
        help="at which ε (default: the largest given)",
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code."""
    arguments = build_parser().parse_args(argv)
    try:
        document = arguments.run(arguments)
    except BudgetError as error:
        say(str(error))
        return 3
    except EquipoiseError as error:
        say(str(error))
        return 2
    try:
        if arguments.json:
            write_json(document)
        else:
            arguments.show(document)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
