"""Spends for tests of the ledger, and a hand that writes into its file past its guards."""

import json
import sqlite3
from dataclasses import replace
from fractions import Fraction

from core.privacy import Neighbours
from release.ledger.chain import GENESIS, chained
from release.ledger.spending import Spend
from release.published import ReleasedFile

FILES = (ReleasedFile("model.json", 3, "0" * 64),)


def spend(token="a", epsilon="0.4", **changes):
    first = Spend(
        fingerprints=("f" * 64,),
        method="equipoise",
        epsilon=Fraction(epsilon),
        delta=Fraction(0),
        neighbours=Neighbours.ADD_REMOVE,
        token=token,
        order=f"equipoise at {epsilon}",
        budget=Fraction(1),
    )
    return replace(first, **changes)


def change(ledger, *statements):
    """Write into the file past its triggers, as somebody with an editor would."""
    connection = sqlite3.connect(ledger.path)
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in names:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def rewrite(ledger, number, **facts):
    """Change what an entry says and chain it and all after it anew: the chain is sound again."""
    connection = sqlite3.connect(ledger.path)
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    rows = connection.execute("SELECT number, digest, text FROM entries ORDER BY number").fetchall()
    previous = rows[number - 2][1] if number > 1 else GENESIS
    for place, _, text in rows[number - 1 :]:
        said = {**json.loads(text), **(facts if place == number else {})}
        said = {key: said[key] for key in said if key not in ("number", "previous")}
        entry = chained(place, previous, said)
        connection.execute(
            "UPDATE entries SET digest = ?, text = ? WHERE number = ?",
            (entry.digest, entry.text, place),
        )
        previous = entry.digest
    connection.execute("UPDATE head SET digest = ?", (previous,))
    connection.commit()
    connection.close()
