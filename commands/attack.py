"""The verb ``attack``: pools drawn, models released, members searched for."""

import argparse
from dataclasses import asdict

from commands.arguments import (
    ALARM,
    WORKERS,
    data_arguments,
    figure,
    informed,
    network_from,
    sampling,
    scenario_arguments,
    scenario_from,
    scenario_text,
    study_from,
)
from commands.output import Document, draw, picked, progress_bar, write_lines, write_table
from commands.scenario_files import scenario_file_arguments
from commands.values import check_idle, options
from core.errors import EquipoiseError
from core.knowledge import tabled
from core.membership.attack import run_attack
from core.membership.outcomes import SMOOTHED, Attack
from core.membership.population import ModelPopulation, Population
from core.membership.value_attack import AttributeAttack, guessing
from core.methods.registry import METHODS
from core.network import Network
from core.scenario import Scenario
from core.study.exposure import Pooled, graph_exposure, population_of
from figures.risk import drawn_curves, exposure_figure
from sources.loaded import EdgeList

SUPPORT = ("alone", "two_to_four", "five_or_more")
RECORDS = 1_000
"""Pool size unless given, or half of the people where there are fewer."""


def add(parser: argparse.ArgumentParser) -> None:
    """Which data, knobs and method, and how many pools of which size."""
    data_arguments(parser)
    parser.set_defaults(records=None)  # a pool's size has a default of its own
    scenario_arguments(parser)
    scenario_file_arguments(parser)
    options(
        parser,
        WORKERS,
        ("--method", [*METHODS, SMOOTHED], "exact", None, None),
        ("--pools", int, 20, "P", "(default: 20)"),
        ("--attribute", str, "", "X", "guess this variable of people whose others are known "
         "instead, beside a control: a release without them"),
        ALARM,
        figure("members outcome against false alarms, and the published bound"),
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> Document:
    """How many members the attacker finds, over repeated pools. Study only."""
    population, network, people = _population(arguments)
    scenario = informed(scenario_from(arguments), arguments, network)
    if arguments.attribute and arguments.method == SMOOTHED:
        raise EquipoiseError("the attack on one value is on a method; choose another --method")
    records = min(RECORDS, people // 2) if arguments.records is None else arguments.records
    if arguments.attribute:
        return _attribute(arguments, population, network, scenario, records)
    asked = Attack(arguments.method, records, arguments.pools, tuple(arguments.alpha))
    result = run_attack(
        population, network, asked, scenario, progress=progress_bar, workers=arguments.workers
    )
    pooled = Pooled(tabled(network, scenario.options.known), result)
    draw(
        lambda: exposure_figure(
            drawn_curves(graph_exposure(network, records).curves), [result], scale="log"
        ),
        arguments.figure,
        title=f"Members that an attack on {asked.release} finds",
        scenario=f"{result.pools} pools of {records:,} records, {scenario_text(scenario)}",
    )
    return {
        "release": asked.release,
        "attacker": "noise-aware" if asked.private else "likelihood ratio",
        "records": records,
        "pools": result.pools,
        "auc": asdict(result.auc),
        "bound_auc": pooled.bound.auc,
        **picked(result, "plain_auc", "guessing"),
        "power": [
            {"alpha": alpha, **asdict(power), "bound": limit}
            for alpha, power, limit in zip(
                asked.alphas, result.powers, pooled.bounds.tolist(), strict=True
            )
        ],
        "by_support": dict(zip(SUPPORT, result.by_support, strict=True)),
        "scored_per_second": result.per_second,
    }


def _attribute(
    arguments: argparse.Namespace,
    population: Population,
    network: Network,
    scenario: Scenario,
    records: int,
) -> Document:
    asked = AttributeAttack(arguments.method, arguments.attribute, records, arguments.pools)
    for outcome in guessing(population, network, asked, scenario):
        progress_bar(outcome.pools, asked.pools)
    return {
        "release": asked.release,
        "attribute": asked.target,
        "records": records,
        "pools": outcome.pools,
        **{name: asdict(getattr(outcome, name)) for name in ("attack", "control", "gain")},
        **picked(outcome, "baseline", "bound", "sentence"),
    }


def _population(arguments: argparse.Namespace) -> tuple[Population, Network, int]:
    """Where pools come from: the records given, or everyone the network can produce."""
    why = "is about records that are sampled, and pools are drawn by --seed: use that"
    check_idle(arguments, why, **sampling(arguments))
    if arguments.data is not None:
        study = study_from(arguments)
        people = population_of(study.population, study.counts.rows)
        return people, study.network, study.records
    if (arguments.network is None) == (arguments.dag is None):
        raise EquipoiseError("give exactly one of --network NAME and --dag FILE")
    loaded = network_from(arguments)
    if isinstance(loaded, EdgeList) or loaded.model is None:
        raise EquipoiseError(
            f"{loaded.name} has no probabilities to draw pools from; add a data file"
        )
    return ModelPopulation(loaded.model), loaded.network, 2 * RECORDS


def show(document: Document) -> None:
    """As a sentence and a table."""
    if "attribute" in document:
        write_lines(document["sentence"], "")
        shares = {name: document[name] for name in ("attack", "control", "gain")}
        rows = [[name, s["mean"], s["low"], s["high"]] for name, s in shares.items()]
        rows += [[name, document[name], "", ""] for name in ("baseline", "bound")]
        write_table(("right", "mean", "low", "high"), rows)
        return
    auc = document["auc"]
    verdict = "no better than guessing" if document["guessing"] else "better than guessing"
    write_lines(
        f"The {document['attacker']} attack on {document['pools']} pools of "
        f"{document['records']:,} records ({document['release']}): AUC {auc['mean']:.4f} "
        f"({auc['low']:.4f} to {auc['high']:.4f}), {verdict}; published bound "
        f"{document['bound_auc']:.4f}.",
        "",
    )
    own = {"false alarms": "alpha", "outcome": "mean", "low": "low", "high": "high"}
    write_table({**own, "published bound": "bound"}, document["power"])
