"""The verb ``describe``: what follows from the graph."""

import argparse

from commands.arguments import data_arguments, study_from
from commands.output import Document, write_lines, write_table
from core.study.described import described


def add(parser: argparse.ArgumentParser) -> None:
    """Which network and records."""
    data_arguments(parser)


def run(arguments: argparse.Namespace) -> Document:
    """What follows from the graph and the number of records."""
    study = study_from(arguments)
    return {
        "name": study.name,
        "records": study.records,
        **described(study.network),
        "notes": [*study.notes, *study.counted],
    }


def show(document: Document) -> None:
    """As a sentence and a table."""
    write_lines(
        f"{document['name']}: {len(document['nodes'])} variables, {len(document['edges'])} edges, "
        f"{document['complexity']:,} free parameters, treewidth {document['treewidth']}, "
        f"{document['records']:,} records; the largest table has "
        f"{document['largest_table']:,} cells.",
        "",
    )
    told = (
        {**n, "states": len(n["states"]), "parents": ", ".join(n["parents"]) or "-"}
        for n in document["nodes"]
    )
    heads = {"variable": "name", "states": "states", "parents": "parents", "height": "height",
             "out-degree": "out_degree", "parameters": "complexity"}  # fmt: skip
    write_table(heads, told)
