"""Arguments that verbs share, and what they become."""

from __future__ import annotations

import argparse
from pathlib import Path

from commands.output import say
from core.errors import EquipoiseError
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from sources.examination import MISSING_CHOICES
from sources.networks import sample_names
from sources.study import Study, sampled_study, uploaded_study
from sources.text import read_bytes


def number(text: str) -> float:
    """A number, or a sentence that names what was given."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def numbers(text: str) -> list[float]:
    """Numbers separated by commas."""
    return [number(part) for part in text.split(",")]


def names(text: str) -> list[str]:
    """Names separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def evidence(text: str) -> dict[str, str]:
    """``A=a,B=b`` as a mapping."""
    pairs = [part.partition("=") for part in names(text)]
    for name, sign, _ in pairs:
        if not sign:
            raise argparse.ArgumentTypeError(f"{name!r} lacks a state; write {name}=STATE")
    return {name.strip(): state.strip() for name, _, state in pairs}


def named_numbers(text: str) -> tuple[tuple[str, float], ...]:
    """``X=0.2,Y=0.1`` as pairs."""
    pairs = [part.rpartition("=") for part in names(text)]
    for _, sign, value in pairs:
        if not sign:
            raise argparse.ArgumentTypeError(f"{value!r} lacks a number; write {value}=NUMBER")
    return tuple((name.strip(), number(value)) for name, _, value in pairs)


def data_arguments() -> argparse.ArgumentParser:
    """Which network, which records."""
    parser = argparse.ArgumentParser(add_help=False)
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
        type=Path,
        metavar="FILE",
        help="CSV or Parquet; default: records sampled from the network",
    )
    group.add_argument(
        "--schema",
        type=Path,
        metavar="FILE",
        help="JSON with the public states or bin edges of each column",
    )
    group.add_argument(
        "--missing",
        choices=MISSING_CHOICES,
        default="refuse",
        help="what to do with missing values (default: refuse)",
    )
    group.add_argument(
        "--records",
        type=int,
        default=10_000,
        metavar="N",
        help="records to sample (default: 10000)",
    )
    group.add_argument(
        "--data-seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of the sampled records (default: 0)",
    )
    return parser


def scenario_arguments() -> argparse.ArgumentParser:
    """The knobs."""
    default = Scenario()
    parser = argparse.ArgumentParser(add_help=False)
    group = parser.add_argument_group("scenario")
    group.add_argument(
        "--epsilon",
        type=number,
        default=default.epsilon,
        metavar="E",
        help="ε, the total budget (default: 1)",
    )
    group.add_argument(
        "--split",
        type=number,
        default=default.split,
        metavar="B",
        help="β, the share of ε for Stage I (default: 0.1)",
    )
    group.add_argument(
        "--rate",
        type=number,
        default=default.rate,
        metavar="G",
        help="γ, the sampling rate of Stage I (default: 0.1)",
    )
    group.add_argument(
        "--neighbours",
        choices=[n.value for n in Neighbours],
        default=default.neighbours.value,
        help="(default: add-remove)",
    )
    group.add_argument(
        "--replicates",
        type=int,
        default=default.replicates,
        metavar="R",
        help="rehearsals to average over (default: 100)",
    )
    group.add_argument(
        "--seed", type=int, default=default.seed, metavar="N", help="seed of the noise (default: 0)"
    )
    group.add_argument(
        "--pseudo-count",
        type=number,
        default=default.options.prior,
        metavar="A",
        help="public Dirichlet prior: added to every cell (default: 0)",
    )
    group.add_argument(
        "--delta",
        type=number,
        default=default.options.delta,
        metavar="D",
        help="δ of methods with an (ε, δ) guarantee (default: 1e-6)",
    )
    group.add_argument(
        "--floors",
        type=named_numbers,
        default=(),
        metavar="X=S,Y=T",
        help="smallest share of the budget of some variables",
    )
    group.add_argument(
        "--weights",
        type=named_numbers,
        default=(),
        metavar="X=W,Y=V",
        help="importance of some variables (default: 1)",
    )
    return parser


def scenario_from(arguments: argparse.Namespace) -> Scenario:
    """The knobs, checked."""
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


def study_from(arguments: argparse.Namespace) -> Study:
    """Network and records; what was assumed goes to standard error."""
    if (arguments.network is None) == (arguments.dag is None):
        raise EquipoiseError("give exactly one of --network NAME and --dag FILE")
    dag = None if arguments.dag is None else (arguments.dag.name, read_bytes(arguments.dag))
    if arguments.data is None:
        study = sampled_study(
            arguments.network, dag, records=arguments.records, seed=arguments.data_seed
        )
    else:
        study = uploaded_study(
            arguments.network,
            dag,
            data=(arguments.data.name, read_bytes(arguments.data)),
            schema=None
            if arguments.schema is None
            else (arguments.schema.name, read_bytes(arguments.schema)),
            missing=arguments.missing,
        )
    for note in study.notes:
        say(f"note: {note}")
    return study
