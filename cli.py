"""Equipoise from a shell: ``python cli.py VERB --help``.

Exit 0 done, 2 bad input (one sentence on standard error), 3 refused, 130 stopped by Ctrl-C.
"""

import signal
import sys

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # loading takes a while, and leaves nothing behind

import argparse
import shlex
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from commands import VERBS
from commands.output import given, heed_interrupts, passable, say, sentence, write_json
from core.errors import EquipoiseError
from release.ledger.people import BudgetError


class Parser(argparse.ArgumentParser):
    """argparse, answering a bad argument with one sentence and exit 2."""

    verb = ""

    def parse_known_args(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as argparse has it
        """A verb is imported when it is asked for: the others' modules stay unread."""
        if self.verb and self.get_default("run") is None:
            module = import_module(f"commands.{self.verb}")
            module.add(self)
            self.set_defaults(run=module.run, show=module.show)
        if not all(map(passable, given[0] if given and given[0] else ())):
            self.error("an argument holds what no name or text may, such as a NUL; leave it out")
        parsed = super().parse_known_args(*given, **named)
        if self.verb and getattr(parsed[0], "scenario", None) is not None:
            import_module("commands.scenario_files").taken_up(self, parsed[0])
            return super().parse_known_args(*given, **named)
        return parsed

    def error(self, message: str) -> NoReturn:
        """One sentence, without the usage block."""
        said = EquipoiseError(message[: 120 if "unrecognized" in message else None])
        say(f"{self.prog}: {said}; see {self.prog} --help")
        raise SystemExit(2)


def build_parser() -> Parser:
    """All verbs; each declares its own arguments."""
    parser = Parser(prog="cli.py", description="What it costs to publish a Bayesian network.")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", parser_class=Parser)
    for verb, text in VERBS.items():
        one = verbs.add_parser(verb, help=text, description=text)
        one.add_argument("--json", action="store_true", help="print exactly one JSON document")
        one.verb = verb
    return parser


def ask(line: str) -> dict[str, Any]:
    """The document of a verb for a program: what ``python cli.py LINE --json`` prints."""
    arguments = build_parser().parse_args(shlex.split(line))
    document: dict[str, Any] = arguments.run(arguments)
    return document


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code."""
    try:
        arguments = build_parser().parse_args(argv)
        heed_interrupts()
        return given(write_json if arguments.json else arguments.show, arguments.run(arguments))
    except (EquipoiseError, OSError, MemoryError, KeyboardInterrupt) as end:
        say(sentence(end))
        return 3 if isinstance(end, BudgetError) else 130 if type(end) is KeyboardInterrupt else 2


if __name__ == "__main__":
    sys.exit(main())
