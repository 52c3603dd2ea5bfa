"""Verbs that only look: networks, describe, methods."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from commands.arguments import study_from
from commands.output import Document, write_lines, write_table
from core.methods import METHODS
from core.study.described import described
from sources.networks import sample, sample_names


def networks(_: argparse.Namespace) -> Document:
    """The sample networks."""
    return {
        "networks": [
            {
                "name": name,
                "nodes": len(loaded.network.variables),
                "edges": len(loaded.network.edges),
                "parameters": loaded.network.complexity,
                "source": loaded.source,
            }
            for name in sample_names()
            for loaded in [sample(name)]
        ]
    }


def show_networks(document: Document) -> None:
    """As a table."""
    keys = ("name", "nodes", "edges", "parameters", "source")
    write_table(keys, [[row[k] for k in keys] for row in document["networks"]])


def describe(arguments: argparse.Namespace) -> Document:
    """What follows from the graph and the number of records."""
    study = study_from(arguments)
    return {
        "name": study.name,
        "records": study.records,
        **asdict(described(study.network)),
        "notes": [*study.notes, *study.counted],
    }


def show_description(document: Document) -> None:
    """As a sentence and a table."""
    write_lines(
        f"{document['name']}: {len(document['nodes'])} variables, {len(document['edges'])} edges, "
        f"{document['complexity']:,} free parameters, treewidth {document['treewidth']}, "
        f"{document['records']:,} records; the largest table has "
        f"{document['largest_table']:,} cells.",
        "",
    )
    write_table(
        ("variable", "states", "parents", "height", "out-degree", "parameters"),
        [
            [
                n["name"],
                len(n["states"]),
                ", ".join(n["parents"]) or "-",
                n["height"],
                n["out_degree"],
                n["complexity"],
            ]
            for n in document["nodes"]
        ],
    )


def methods(_: argparse.Namespace) -> Document:
    """The registry."""
    return {
        "methods": [
            {
                "name": m.name,
                "title": m.title,
                "guarantee": m.guarantee,
                "source": m.source,
                "needs_stage_one": m.needs_stage_one,
            }
            for m in METHODS.values()
        ]
    }


def show_methods(document: Document) -> None:
    """As a table."""
    keys = ("name", "title", "guarantee", "source")
    write_table(keys, [[row[k] for k in keys] for row in document["methods"]])
