"""The verb ``attack``: pools drawn, models released, members searched for."""

from __future__ import annotations

import argparse

import numpy as np

from commands.arguments import scenario_from, study_from
from commands.output import Document, progress_bar, write_lines, write_table
from core.errors import EquipoiseError
from core.experiments import Interval
from core.membership.attack import run_attack
from core.membership.bound import PublishedBound
from core.membership.outcomes import Attack
from core.membership.population import ModelPopulation, Population, TablePopulation
from core.network import Network
from sources.loaded import Structure
from sources.study import open_network
from sources.text import read_bytes

RECORDS = 1_000
"""Pool size unless given, or half of the people where there are fewer."""


def attack(arguments: argparse.Namespace) -> Document:
    """How many members the attacker finds, over repeated pools. Study only."""
    scenario = scenario_from(arguments)
    population, network, people = _population(arguments)
    records = min(RECORDS, people // 2) if arguments.records is None else arguments.records
    asked = Attack(arguments.method, records, arguments.pools, tuple(arguments.alpha))
    found = run_attack(population, network, asked, scenario, progress=progress_bar)
    bound = PublishedBound(network.complexity, records)
    published = bound.powers(np.array(asked.alphas)).tolist()
    return {
        "release": asked.release,
        "attacker": "noise-aware" if asked.private else "likelihood ratio",
        "records": records,
        "pools": found.pools,
        "auc": _interval(found.auc),
        "bound_auc": bound.auc,
        "plain_auc": found.plain_auc,
        "guessing": found.guessing,
        "power": [
            {"alpha": alpha, **_interval(power), "bound": limit}
            for alpha, power, limit in zip(asked.alphas, found.powers, published, strict=True)
        ],
        "by_support": dict(
            zip(("alone", "two_to_four", "five_or_more"), found.by_support, strict=True)
        ),
        "scored_per_second": found.per_second,
    }


def _population(arguments: argparse.Namespace) -> tuple[Population, Network, int]:
    """Where pools come from: the records given, or everyone the network can produce."""
    if arguments.data is not None:
        study = study_from(arguments)
        return TablePopulation(study.dataset), study.network, study.records
    if (arguments.network is None) == (arguments.dag is None):
        raise EquipoiseError("give exactly one of --network NAME and --dag FILE")
    dag = None if arguments.dag is None else (arguments.dag.name, read_bytes(arguments.dag))
    loaded = open_network(arguments.network, dag)
    if isinstance(loaded, Structure) or loaded.model is None:
        raise EquipoiseError(
            f"{loaded.name} has no probabilities to draw pools from; add a data file"
        )
    return ModelPopulation(loaded.model), loaded.network, 2 * RECORDS


def _interval(found: Interval) -> Document:
    return {"mean": found.mean, "low": found.low, "high": found.high}


def show_attack(document: Document) -> None:
    """As a sentence and a table."""
    auc = document["auc"]
    verdict = "no better than guessing" if document["guessing"] else "better than guessing"
    write_lines(
        f"The {document['attacker']} attack on {document['pools']} pools of "
        f"{document['records']:,} records ({document['release']}): AUC {auc['mean']:.4f} "
        f"({auc['low']:.4f} to {auc['high']:.4f}), {verdict}; published bound "
        f"{document['bound_auc']:.4f}.",
        "",
    )
    keys = ("alpha", "mean", "low", "high", "bound")
    write_table(
        ("false alarms", "found", "low", "high", "published bound"),
        [[p[key] for key in keys] for p in document["power"]],
    )
