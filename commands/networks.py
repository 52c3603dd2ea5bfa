"""The verb ``networks``: the sample networks."""

import argparse

from commands.output import Document, write_table
from sources.networks import sample, sample_names

HEADS = ("name", "nodes", "edges", "parameters", "source")


def add(_: argparse.ArgumentParser) -> None:
    """It takes no arguments of its own."""


def run(_: argparse.Namespace) -> Document:
    """The sample networks."""
    rows = []
    for name in sample_names():
        loaded = sample(name)
        network = loaded.network
        sizes = len(network.variables), len(network.edges), network.complexity
        rows.append((name, *sizes, loaded.source))
    return {"networks": [dict(zip(HEADS, row, strict=True)) for row in rows]}


def show(document: Document) -> None:
    """As a table."""
    write_table(HEADS, document["networks"])
