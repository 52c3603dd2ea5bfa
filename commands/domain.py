"""The verb ``domain``: the states of a column that nobody can state, bought with (ε, δ)."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from commands.arguments import exact, placed, portion
from commands.output import Document, say, write_lines
from core.notation import short
from core.privacy import Neighbours
from release.domain import DomainOrder, planned, publish_domain
from release.ledger.book import Ledger
from release.words import counted
from sources.places import table_file
from sources.text import read_bytes


def add(parser: argparse.ArgumentParser) -> None:
    """Which column, what it may cost, who pays."""
    add = parser.add_argument
    add("--data", type=placed, required=True, metavar="FILE", help="the table")
    add("--column", required=True, metavar="C")
    add("--epsilon", type=exact, required=True, metavar="E")
    add("--delta", type=portion, required=True, metavar="D",
        help="most that a state of one person alone may show, as a probability")  # fmt: skip
    add("--neighbours", choices=[n.value for n in Neighbours], default=Neighbours.ADD_REMOVE.value)
    add("--per-unit", type=int, default=1, metavar="K", help="most records of one person")
    add("--schema", type=Path, metavar="FILE", help="the schema that the column is added to")
    add("--ledger", type=Path, required=True, metavar="FILE", help="made where there is none")
    add("--budget", type=exact, metavar="B", help="ε of all releases of these data, set once")
    add("--delta-budget", type=portion, metavar="D", help="δ of all releases, set once")
    add("--name", default="", help="the steward's name for the data")
    add("--people", default="", metavar="ACCOUNT|none", help="as in release")
    add("--out", type=Path, required=True, metavar="DIR", help="gets one directory per release")
    add("--token", default="", help="one order: the same token never draws or pays twice")
    add("--preview", action="store_true", help="noise and threshold only: nothing is spent")


def run(arguments: argparse.Namespace) -> Document:
    """The states, or with ``--preview`` what would be drawn; that looks at no record."""
    path = arguments.schema
    order = DomainOrder(
        data=(table_file(arguments.data)[0], read_bytes(arguments.data.path)),
        column=arguments.column,
        epsilon=arguments.epsilon,
        delta=arguments.delta,
        neighbours=Neighbours(arguments.neighbours),
        token=arguments.token or secrets.token_hex(16),
        per_unit=arguments.per_unit,
        schema=None if path is None else (path.name, read_bytes(path)),
        name=arguments.name,
        people=arguments.people,
        budget=arguments.budget,
        delta_budget=arguments.delta_budget,
    )
    limit = planned(order)
    document = {
        "column": order.column,
        "epsilon": float(order.epsilon),
        "delta": float(order.delta),
        "neighbours": order.neighbours.value,
        "per_unit": order.per_unit,
        "scale": limit.scale,
        "threshold": limit.least,
        "likely": limit.count_for(0.95),
        "id": None,
    }
    if arguments.preview:
        return document
    domain = publish_domain(order, Ledger(arguments.ledger), arguments.out)
    if domain.repeated:
        say("note: this token has bought a domain before; nothing was drawn or spent again")
    return document | {
        "id": domain.line.id,
        "states": list(domain.states),
        "spent": float(domain.account.spent),
        "remaining": float(domain.account.remaining),
        "delta_remaining": float(domain.account.delta_remaining),
        "files": [str(domain.directory / file) for file in ("domain.json", "schema.json")],
        "receipt": f"{domain.line.receipt.number}:{domain.line.receipt.digest}",
        "repeated": domain.repeated,
    }


def show(document: Document) -> None:
    """As sentences."""
    write_lines(
        f"A value of {document['column']} is a state if its records and noise of scale "
        f"{document['scale']:.4g} reach {document['threshold']:,}: with "
        f"{counted(document['likely'], 'record')} that is 95 % likely, and one person's own value "
        f"shows with probability {short(document['delta'], 6)} at most. All others are 'other'.",
    )
    if document["id"] is None:
        write_lines("Preview: nothing was spent and no record was counted.")
        return
    write_lines(
        f"States: {', '.join(document['states'])}.",
        f"Spent so far ε = {document['spent']:g}, left {document['remaining']:g}.",
        *document["files"],
        f"Receipt of the ledger, to be kept elsewhere: {document['receipt']}",
    )
