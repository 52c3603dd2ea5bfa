"""How a ledger and a Parquet file are damaged by what their formats mean."""

import contextlib
import json
import random
import sqlite3
import tempfile
from pathlib import Path

from tests.fuzz import mutators as by
from tests.fuzz import seeds


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
        yield Path(made)


def damaged_ledger(data, rng: random.Random, others):
    """Mostly through SQL: another text, a column of another type, a table that is gone."""
    if rng.random() < 0.5:
        return by.damage_bytes(data, rng, others)
    with folder() as place:
        path = place / "ledger.db"
        path.write_bytes(data)
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as book:
            for name in ("entries_stay", "entries_remain", "secret_stays", "secret_remains"):
                book.execute(f"DROP TRIGGER IF EXISTS {name}")
            rows = book.execute("SELECT number, text FROM entries").fetchall()
            number, text = rng.choice([row for row in rows if isinstance(row[1], str)])
            changed = by.tree(text.encode(), rng, [text.encode()])
            match rng.randrange(6):
                case 0:
                    book.execute(
                        "UPDATE entries SET text=CAST(? AS TEXT) WHERE number=?", (changed, number)
                    )
                case 1:
                    _chained_again(book, number, changed)
                case 2:
                    book.execute(f"DROP TABLE {rng.choice(('entries', 'head', 'secret'))}")
                case 3:
                    book.execute("DELETE FROM " + rng.choice(("entries", "head", "secret")))
                case 4:
                    book.execute("UPDATE head SET number=?", (rng.choice((0, -1, 2**62)),))
                case _:
                    odd = "UPDATE entries SET digest=CAST(? AS TEXT) WHERE number=?"
                    book.execute(odd, (rng.choice((b"\xff\xfe", b"x")), number))
            book.commit()
        return path.read_bytes()


def _chained_again(book, number, changed):
    """An entry of somebody who knows how the chain is made: everything after it fits again."""
    from release.ledger.chain import GENESIS, chained

    with contextlib.suppress(ValueError, RecursionError, AttributeError):
        facts = json.loads(changed)
        rows = book.execute("SELECT number, text FROM entries ORDER BY number").fetchall()
        previous = GENESIS
        for at, text in rows:
            own = facts if at == number else json.loads(text or "{}")
            told = {k: v for k, v in own.items() if k not in ("number", "previous")}
            entry = chained(at, previous, told)
            book.execute(
                "UPDATE entries SET text=?, digest=? WHERE number=?", (entry.text, entry.digest, at)
            )
            previous = entry.digest
        book.execute("UPDATE head SET digest=?", (previous,))


def damaged_parquet(data, rng, others):
    """Mostly a table of other columns under odd names."""
    if rng.random() < 0.6:
        return by.damage_bytes(data, rng, others)
    columns = list(seeds.odd_columns().items())
    chosen = [rng.choice(columns) for _ in range(rng.choice((0, 1, 2, 3)))]
    names = [n if rng.random() < 0.5 else rng.choice(by.ODD) for n, _ in chosen]
    made = {
        n.encode("utf-8", "replace").decode(): c for n, (_, c) in zip(names, chosen, strict=True)
    }
    return seeds.parquet(made)
