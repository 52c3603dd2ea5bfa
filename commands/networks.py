"""The verb ``networks``: the sample networks."""

from __future__ import annotations

import argparse

from commands.output import Document, write_table
from sources.networks import sample, sample_names


def add(_: argparse.ArgumentParser) -> None:
    """It takes no arguments of its own."""


def run(_: argparse.Namespace) -> Document:
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


def show(document: Document) -> None:
    """As a table."""
    keys = ("name", "nodes", "edges", "parameters", "source")
    write_table(keys, [[row[k] for k in keys] for row in document["networks"]])
