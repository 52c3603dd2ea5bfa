"""Scenario files in the shell: what a file says holds where the line does not say otherwise."""

import argparse
from dataclasses import replace
from pathlib import Path

from commands.output import picked, say, write_file
from commands.values import options
from core.errors import EquipoiseError
from core.inference.evidence import Query
from core.network import Network
from core.scenario import Scenario
from sources.scenario_file import (
    SavedScenario,
    check_question,
    network_digest,
    read_scenario,
    write_scenario,
)
from sources.study import Study
from sources.text import read_bytes

KNOBS = ("epsilon", "split", "rate", "replicates", "seed")
DATA = ("network", "dag", "data")
QUESTION = ("target", "given", "most_probable")


def scenario_file_arguments(parser: argparse.ArgumentParser) -> None:
    """A scenario to take up, and where to put the one that was asked."""
    options(
        parser.add_argument_group("scenario file"),
        ("--scenario", Path, None, "FILE",
         "of a page or of --save-scenario; it holds where nothing else is said"),
        ("--save-scenario", Path, None, "FILE",
         "write network, knobs, locks, known tables, method and question as JSON"),
    )  # fmt: skip


def defaults(given: argparse.Namespace) -> dict[str, object]:
    """What a scenario file says, for arguments that were not given."""
    path: Path = given.scenario
    saved = read_scenario(path.name, read_bytes(path))
    s, asked = saved.scenario, saved.scenario.options
    said: dict[str, object] = picked(s, *KNOBS) | picked(asked, "delta", "floors", "weights")
    said |= {"neighbours": s.neighbours.value, "pseudo_count": asked.prior, "stated": saved}
    said |= picked(saved, "method", "records", "data_seed")
    if not any(getattr(given, name, None) for name in DATA):
        said["network"] = saved.network
    if saved.question is not None and not any(getattr(given, name, None) for name in QUESTION):
        said |= {"target": list(saved.question.targets), "given": dict(saved.question.given)}
        said["most_probable"] = saved.explain
    return said


def edited(study: Study, arguments: argparse.Namespace) -> Study:
    """The study with the graph of the scenario; another network's scenario is refused."""
    stated: SavedScenario | None = getattr(arguments, "stated", None)
    if stated is None:
        return study
    graph = stated.graph(study.network)
    if stated.question is not None:
        check_question(stated.question, graph)
    return replace(study, network=graph)


def kept(scenario: Scenario, arguments: argparse.Namespace, network: Network) -> Scenario:
    """The scenario with what its file says of tables; written where that is asked for."""
    stated: SavedScenario | None = getattr(arguments, "stated", None)
    if stated is not None and not scenario.options.informed:
        told = stated.scenario.options
        options = replace(scenario.options, known=told.known, possible=told.possible)
        scenario = replace(scenario, options=options)
        for one in (*options.known, *options.possible):
            one.on(network)
    path: Path | None = getattr(arguments, "save_scenario", None)
    if path is not None:
        write_file(path, write_scenario(_saved(scenario, arguments, network, stated)))
        say(f"scenario: {path}")
    return scenario


def _saved(
    scenario: Scenario,
    arguments: argparse.Namespace,
    network: Network,
    stated: SavedScenario | None,
) -> SavedScenario:
    asked = None
    if any(getattr(arguments, name, None) for name in QUESTION):
        asked = Query(tuple(arguments.target), dict(arguments.given))
    return SavedScenario(
        arguments.network if arguments.data is None else None,
        network_digest(network) if stated is None else stated.digest,
        scenario,
        arguments.records,
        arguments.data_seed,
        () if stated is None else stated.parents,
        getattr(arguments, "method", "") or "equipoise",
        asked,
        asked is not None and arguments.most_probable,
    )


def taken_up(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """What the scenario file says is the parser's from now on."""
    try:
        parser.set_defaults(**defaults(given))
    except EquipoiseError as problem:
        say(str(problem))
        raise SystemExit(2) from None
