"""The verb ``methods``: the registry, methods for a given graph and methods that learn one."""

import argparse

from commands.output import Document, picked, write_table
from core.methods.registry import LEARNERS, METHODS


def add(_: argparse.ArgumentParser) -> None:
    """It takes no arguments of its own."""


def run(_: argparse.Namespace) -> Document:
    """The registry."""
    return {
        "methods": [
            {
                **picked(m, "name", "title"),
                "guarantee": m.guarantee.text,
                **picked(m, "source", "needs_stage_one"),
                "learns_graph": m.name in LEARNERS,
            }
            for m in (METHODS | LEARNERS).values()
        ]
    }


def show(document: Document) -> None:
    """As a table."""
    write_table(("name", "title", "guarantee", "source"), document["methods"])
