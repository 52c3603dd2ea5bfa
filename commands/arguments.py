"""Arguments that verbs share, and what they become."""

import argparse
from dataclasses import replace
from pathlib import Path

from commands.output import picked, say
from commands.scenario_files import edited, kept, scenario_file_arguments
from commands.values import NEIGHBOURS, Option, check_idle, filled, number, numbers, options
from core.errors import EquipoiseError
from core.methods.registry import LEARNERS, METHODS
from core.network import Network
from core.options import Options
from core.parallel import cores
from core.privacy import Neighbours
from core.scenario import REPLICATE_LIMIT, Scenario, check_count
from sources.connected import connected_study
from sources.known import stated_known
from sources.loaded import EdgeList, Loaded
from sources.named_numbers import named_numbers
from sources.networks import sample_names
from sources.places import place_of, table_file
from sources.scenario_file import SavedScenario
from sources.schema import MISSING_CHOICES
from sources.study import File, Study, open_network, sampled_study, uploaded_study, without_graph
from sources.text import read_bytes
from sources.units import PUBLIC_KEY, Unit

WORKERS: Option = (
    "--workers", int, cores(), "N", "processes; the numbers are the same (default: all cores)",
)  # fmt: skip
ALARM: Option = (
    "--alpha", numbers, [0.001, 0.01, 0.05, 0.1], "A,B",
    "false-alarm rates (default: 0.001,0.01,0.05,0.1)",
)  # fmt: skip
"""Rates at which an attacker's power is told."""


def method(default: str = "uniform", *, learners: bool = False) -> Option:
    """Which method of the registry, those that learn their graph included or not."""
    more = LEARNERS if learners else {}
    return ("--method", [*METHODS, *more], default, None, None)


def picture(text: str) -> Path:
    """A file that a figure can be written to; one that cannot is refused before any work."""
    from figures.export import check_place  # plotly takes a while to import

    check_place(Path(text))
    return Path(text)


def figure(shows: str) -> Option:
    """Where the verb's picture goes, the same that its page draws."""
    told = (
        f"also draw {shows}: FILE ends in .html (opens offline), .svg, .png (both need Chromium) "
        "or .json; marked as a study"
    )
    return ("--figure", picture, None, "FILE", told)


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
    options(
        parser.add_argument_group("network and records"),
        ("--network", str, None, "NAME", f"one of {', '.join(sample_names())}"),
        ("--dag", Path, None, "FILE", "BIF, XMLBIF, NET, XDSL, UAI, JSON, GraphML, GML, adjacency "
         "list, or CSV with header parent,child"),
        ("--data", place_of, None, "FILE", "CSV, Parquet or Excel, 'folder/*.parquet', duckdb://, "
         "postgresql://, spark:// or env:NAME; default: records sampled from the network"),
        ("--schema", Path, None, "FILE",
         "JSON with the public states or bin edges of each column"),
        ("--missing", MISSING_CHOICES, "refuse", None,
         "what to do with missing values (default: refuse)"),
        ("--unit-column", str, "", "COLUMN",
         "whose record a row is: at most --per-unit records of each are used"),
        ("--per-unit", int, 1, "K", "most records of one (default: 1)"),
        ("--records", int, 10_000, "N", "to sample (default: 10000)"),
        ("--data-seed", int, 0, "N", "of the sampling (default: 0)"),
    )  # fmt: skip


def check_data_options(arguments: argparse.Namespace) -> None:
    """Refuse what says something of records, of their units or of sampling where there is none.

    A release states how many records a unit has without a column for it, too.
    """
    if "data" not in arguments:  # a verb that knows no records
        return
    if arguments.data is None:
        why = "is about --data, which is not given: add it"
        check_idle(arguments, why, schema=None, missing="refuse", unit_column="")
    else:
        why = "is about records that are sampled, and --data brings others: leave --data out"
        check_idle(arguments, why, **sampling(arguments))
    if not arguments.unit_column and "unit" not in arguments:
        check_idle(arguments, "needs --unit-column COLUMN: add it", per_unit=1)


def sampling(arguments: argparse.Namespace) -> dict[str, object]:
    """What is said of sampled records where nobody typed it: the usual, or a scenario file's.

    An attack's records are those of a pool; of several networks the others are sampled.
    """
    usual = picked(getattr(arguments, "stated", SavedScenario), "records", "data_seed")
    if "pools" in arguments:
        usual.pop("records")
    if getattr(arguments, "also", None):
        usual.pop("data_seed")
    return usual


def scenario_arguments(parser: argparse.ArgumentParser) -> None:
    """The knobs."""
    default, group = Scenario(), parser.add_argument_group("scenario")
    options(
        group,
        ("--epsilon", number, default.epsilon, "E", "ε, the total budget (default: 1)"),
        ("--split", number, default.split, "B", "β, the share of ε for Stage I (default: 0.1)"),
        ("--rate", number, default.rate, "G", "γ, the sampling rate of Stage I (default: 0.1)"),
        ("--pseudo-count", number, default.options.prior, "A",
         "public Dirichlet prior: added to every cell (default: 0)"),
        ("--delta", number, default.options.delta, "D",
         "δ of methods with an (ε, δ) guarantee (default: 1e-6)"),
        NEIGHBOURS,
        ("--replicates", int, default.replicates, "R", "rehearsals to average over (default: 100)"),
        ("--seed", int, default.seed, "N", "seed of the noise (default: 0)"),
        ("--floors", named_numbers, (), "X=S,Y=T",
         "smallest share of the budget of some variables"),
        ("--weights", named_numbers, (), "X=W,Y=V", "importance of some variables (default: 1)"),
        ("--known", [str], [], "X",
         "a variable whose table in the network file is public: not measured (repeatable)"),
        ("--known-file", Path, None, "FILE",
         "JSON with further public tables, and settings that are impossible"),
    )  # fmt: skip


def scenario_from(arguments: argparse.Namespace) -> Scenario:
    """The knobs, checked; :func:`informed` adds what is known about tables."""
    check_count("the number of replicates", arguments.replicates, REPLICATE_LIMIT)
    return knobs_from(arguments, arguments.epsilon)


def knobs_from(arguments: argparse.Namespace, epsilon: float) -> Scenario:
    """The knobs at one ε."""
    a = arguments
    asked = Options(a.pseudo_count, a.floors, a.weights, a.delta)
    relation = Neighbours(a.neighbours)
    return filled(Scenario, a, epsilon=epsilon, neighbours=relation, options=asked)


def informed(scenario: Scenario, arguments: argparse.Namespace, network: Network) -> Scenario:
    """The knobs with the tables that are stated as known; saved where that is asked for."""
    if arguments.known or arguments.known_file is not None:
        file = file_of(arguments.known_file)
        loaded = network_from(arguments) if arguments.known else None
        options = stated_known(scenario.options, network, loaded, arguments.known, file)
        scenario = replace(scenario, options=options)
    return kept(scenario, arguments, network)


def network_from(arguments: argparse.Namespace) -> Loaded | EdgeList:
    """The sample network or the network file."""
    check_data_options(arguments)
    return open_network(arguments.network, file_of(arguments.dag))


def asked_from(arguments: argparse.Namespace) -> tuple[Scenario, Study]:
    """The knobs, and the network and records they are about."""
    scenario, study = scenario_from(arguments), study_from(arguments)
    return informed(scenario, arguments, study.network), study


def file_of(path: Path | None) -> File | None:
    """A file that was named, with its content."""
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
    check_data_options(arguments)
    dag = file_of(arguments.dag)
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
    schema = file_of(arguments.schema)
    if place.kind != "file":
        return connected_study(name, dag, place=place, schema=schema, missing=missing, unit=unit)
    data = table_file(place)
    return uploaded_study(name, dag, data=data, schema=schema, missing=missing, unit=unit)
