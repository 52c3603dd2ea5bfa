"""Arguments that verbs share, and what they become."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from commands.output import say
from commands.scenario_files import edited, kept, scenario_file_arguments
from commands.values import cost as cost
from commands.values import evidence as evidence
from commands.values import exact as exact
from commands.values import named as named
from commands.values import names as names
from commands.values import number as number
from commands.values import numbers as numbers
from commands.values import portion as portion
from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.network import Network
from core.options import Options
from core.parallel import cores
from core.privacy import Neighbours
from core.scenario import REPLICATE_LIMIT, Scenario, check_count
from sources.connected import connected_study
from sources.known import stated_known
from sources.networks import sample_names
from sources.places import TablePlace, place_of, table_file
from sources.schema import MISSING_CHOICES
from sources.study import (
    File,
    Study,
    open_network,
    sampled_study,
    uploaded_study,
    without_graph,
)
from sources.text import read_bytes
from sources.units import PUBLIC_KEY, Unit


def placed(text: str) -> TablePlace:
    """Where a table is, or a sentence that does not repeat the address."""
    try:
        return place_of(text)
    except EquipoiseError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def method_argument(
    parser: argparse.ArgumentParser, default: str = "uniform", *, learners: bool = False
) -> None:
    """Which method of the registry, those that learn their graph included or not."""
    more = LEARNERS if learners else {}
    parser.add_argument("--method", default=default, choices=[*METHODS, *more])


def alarm_argument(parser: argparse.ArgumentParser) -> None:
    """False-alarm rates at which an attacker's power is told."""
    parser.add_argument(
        "--alpha",
        type=numbers,
        default=[0.001, 0.01, 0.05, 0.1],
        metavar="A,B",
        help="false-alarm rates (default: 0.001,0.01,0.05,0.1)",
    )


def workers_argument(parser: argparse.ArgumentParser) -> None:
    """On how many processes."""
    told = "processes; the numbers are the same (default: all cores)"
    parser.add_argument("--workers", type=int, default=cores(), metavar="N", help=told)


def picture(text: str) -> Path:
    """A file that a figure can be written to; one that cannot is refused before any work."""
    from figures.export import check_place  # plotly takes a while to import

    try:
        check_place(Path(text))
    except EquipoiseError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    return Path(text)


def figure_argument(parser: argparse.ArgumentParser, shows: str) -> None:
    """Where the verb's picture goes, the same that its page draws."""
    parser.add_argument(
        "--figure",
        type=picture,
        metavar="FILE",
        help=f"also draw {shows}: FILE ends in .html (opens offline), .svg, .png (both need "
        "Chromium) or .json; marked as a study",
    )


def scenario_text(scenario: Scenario) -> str:
    """The knobs in one line."""
    return (
        f"ε {scenario.epsilon:g}, β {scenario.split:g}, γ {scenario.rate:g}, "
        f"{scenario.neighbours.value}, {scenario.replicates} replicates, seed {scenario.seed}"
    )


def study_arguments(parser: argparse.ArgumentParser) -> None:
    """Which network, records and knobs, spelled out or taken from a scenario file."""
    data_arguments(parser)
    scenario_arguments(parser)
    scenario_file_arguments(parser)


def data_arguments(parser: argparse.ArgumentParser) -> None:
    """Which network, which records."""
    group = parser.add_argument_group("network and records")
    group.add_argument("--network", metavar="NAME", help=f"one of {', '.join(sample_names())}")
    group.add_argument(
        "--dag",
        type=Path,
        metavar="FILE",
        help="BIF, XMLBIF, NET, XDSL, UAI, JSON, GraphML, GML, adjacency list, or CSV with header "
        "parent,child",
    )
    group.add_argument(
        "--data",
        type=placed,
        metavar="FILE",
        help="CSV, Parquet or Excel, 'folder/*.parquet', duckdb://, postgresql://, spark:// or "
        "env:NAME; default: records sampled from the network",
    )
    group.add_argument(
        "--schema",
        type=Path,
        metavar="FILE",
        help="JSON with the public states or bin edges of each column",
    )
    add = group.add_argument
    add("--missing", choices=MISSING_CHOICES, default="refuse",
        help="what to do with missing values (default: refuse)")  # fmt: skip
    add("--unit-column", default="", metavar="COLUMN",
        help="whose record a row is: at most --per-unit records of each are used")  # fmt: skip
    add("--per-unit", type=int, default=1, metavar="K", help="most records of one (default: 1)")
    add("--records", type=int, default=10_000, metavar="N", help="to sample (default: 10000)")
    add("--data-seed", type=int, default=0, metavar="N", help="of the sampling (default: 0)")


def scenario_arguments(parser: argparse.ArgumentParser) -> None:
    """The knobs."""
    default = Scenario()
    add = parser.add_argument_group("scenario").add_argument
    for name, value, letter, text in (
        ("epsilon", default.epsilon, "E", "ε, the total budget (default: 1)"),
        ("split", default.split, "B", "β, the share of ε for Stage I (default: 0.1)"),
        ("rate", default.rate, "G", "γ, the sampling rate of Stage I (default: 0.1)"),
        ("pseudo-count", default.options.prior, "A",
         "public Dirichlet prior: added to every cell (default: 0)"),
        ("delta", default.options.delta, "D",
         "δ of methods with an (ε, δ) guarantee (default: 1e-6)"),
    ):  # fmt: skip
        add(f"--{name}", type=number, default=value, metavar=letter, help=text)
    add("--neighbours", choices=[n.value for n in Neighbours], default=default.neighbours.value,
        help="(default: add-remove)")  # fmt: skip
    add("--replicates", type=int, default=default.replicates, metavar="R",
        help="rehearsals to average over (default: 100)")  # fmt: skip
    add("--seed", type=int, default=default.seed, metavar="N",
        help="seed of the noise (default: 0)")  # fmt: skip
    add("--floors", type=named, default=(), metavar="X=S,Y=T",
        help="smallest share of the budget of some variables")  # fmt: skip
    add("--weights", type=named, default=(), metavar="X=W,Y=V",
        help="importance of some variables (default: 1)")  # fmt: skip
    add("--known", action="append", default=[], metavar="X",
        help="a variable whose table in the network file is public: not measured "
        "(repeatable)")  # fmt: skip
    add("--known-file", type=Path, metavar="FILE",
        help="JSON with further public tables, and settings that are impossible")  # fmt: skip


def scenario_from(arguments: argparse.Namespace) -> Scenario:
    """The knobs, checked; :func:`informed` adds what is known about tables."""
    check_count("the number of replicates", arguments.replicates, REPLICATE_LIMIT)
    return Scenario(
        epsilon=arguments.epsilon,
        split=arguments.split,
        rate=arguments.rate,
        neighbours=Neighbours(arguments.neighbours),
        replicates=arguments.replicates,
        seed=arguments.seed,
        options=Options(
            arguments.pseudo_count, arguments.floors, arguments.weights, arguments.delta
        ),
    )


def informed(scenario: Scenario, arguments: argparse.Namespace, network: Network) -> Scenario:
    """The knobs with the tables that are stated as known; saved where that is asked for."""
    return kept(_informed(scenario, arguments, network), arguments, network)


def _informed(scenario: Scenario, arguments: argparse.Namespace, network: Network) -> Scenario:
    if not arguments.known and arguments.known_file is None:
        return scenario
    file = _file(arguments.known_file)
    loaded = open_network(arguments.network, _file(arguments.dag)) if arguments.known else None
    options = stated_known(scenario.options, network, loaded, arguments.known, file)
    return replace(scenario, options=options)


def asked_from(arguments: argparse.Namespace) -> tuple[Scenario, Study]:
    """The knobs, and the network and records they are about."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    return informed(scenario, arguments, study.network), study


def _file(path: Path | None) -> tuple[str, bytes] | None:
    return None if path is None else (path.name, read_bytes(path))


def unit_from(arguments: argparse.Namespace, key: bytes = PUBLIC_KEY) -> Unit | None:
    """The bound on records of one unit, where one is asked for."""
    if not arguments.unit_column:
        return None
    return Unit(arguments.unit_column, arguments.per_unit, key)


def study_from(
    arguments: argparse.Namespace,
    *,
    counted: bool = True,
    graph: bool = True,
    key: bytes = PUBLIC_KEY,
) -> Study:
    """Network and records; what was assumed goes to standard error.

    ``key`` decides which records of a unit are used. ``counted`` notes say how many records were
    left out, which a review does not. Without a ``graph`` the columns are those of the schema, or
    of the network whose edges are not looked at.
    """
    bare = not graph and arguments.network is None and arguments.dag is None
    if bare and (arguments.data is None or arguments.schema is None):
        raise EquipoiseError("give --data FILE and --schema FILE: the graph is learned, and the "
                             "states of the columns have to be known before")  # fmt: skip
    if not bare and (arguments.network is None) == (arguments.dag is None):
        raise EquipoiseError("give exactly one of --network NAME and --dag FILE")
    dag = _file(arguments.dag)
    if arguments.data is None:
        study = sampled_study(
            arguments.network, dag, records=arguments.records, seed=arguments.data_seed
        )
    else:
        study = _given(arguments, dag, unit_from(arguments, key))
    for note in (*study.notes, *(study.counted if counted else ())):
        say(f"note: {note}")
    study = edited(study, arguments)
    return without_graph(study) if not graph and arguments.dag is None else study


def _given(arguments: argparse.Namespace, dag: File | None, unit: Unit | None) -> Study:
    """The records of a file, or counts of those elsewhere."""
    place, missing, name = arguments.data, arguments.missing, arguments.network
    schema = _file(arguments.schema)
    if place.kind != "file":
        return connected_study(name, dag, place=place, schema=schema, missing=missing, unit=unit)
    data = table_file(place)
    return uploaded_study(name, dag, data=data, schema=schema, missing=missing, unit=unit)
