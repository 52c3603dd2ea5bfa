"""The verb ``methods``: the registry, methods for a given graph and methods that learn one."""

from __future__ import annotations

import argparse

from commands.output import Document, write_table
from core.methods.registry import LEARNERS, METHODS


def add(_: argparse.ArgumentParser) -> None:
    """It takes no arguments of its own."""


def run(_: argparse.Namespace) -> Document:
    """The registry."""
    return {
        "methods": [
            {
                "name": m.name,
                "title": m.title,
                "guarantee": m.guarantee.text,
                "source": m.source,
                "needs_stage_one": m.needs_stage_one,
                "learns_graph": m.name in LEARNERS,
            }
            for m in (METHODS | LEARNERS).values()
        ]
    }


def show(document: Document) -> None:
    """As a table."""
    keys = ("name", "title", "guarantee", "source")
    write_table(keys, [[row[k] for k in keys] for row in document["methods"]])
