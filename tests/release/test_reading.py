"""How a file is read is not decided by its records: one of them would change all others."""

import json
import re

import openpyxl
import pytest

from cli import main
from core.errors import EquipoiseError
from release.domain import publish_domain
from release.ledger.book import Ledger
from tests.release.ordering import here
from tests.release.test_domain import domain_order

ROWS = "\n".join(["city,size", *["Zürich,1.5"] * 900, *["Bern,2.5"] * 900, ""])


def states(data, ledger, tmp_path, **file):
    schema = ("schema.json", json.dumps({"columns": [], "file": file}).encode())
    wish = domain_order(data=("cities.csv", data), schema=schema)
    return publish_domain(wish, ledger, tmp_path / "out", workers=here()).states


def test_one_record_does_not_change_the_letters_of_all_others(ledger, tmp_path):
    """One that is no UTF-8, in another column, once changed how Zürich was published."""
    with pytest.raises(EquipoiseError, match=r"read with encoding 'cp1252', which its records"):
        states(ROWS.encode() + b"Bern,\xe9\n", ledger, tmp_path)
    assert ledger.accounts() == ()
    assert states(ROWS.encode(), ledger, tmp_path) == ("Bern", "Zürich", "other")


def test_what_is_stated_of_the_file_is_heeded(ledger, tmp_path):
    shown = states(ROWS.encode("latin-1"), ledger, tmp_path, encoding="latin-1")
    assert shown == ("Bern", "Zürich", "other")


def test_one_of_several_sheets_is_stated(ledger, tmp_path):
    """The widest is read, which one cell more decides."""
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("before")):
        for row in (["city"], *[["Bern"]] * 300):
            sheet.append(row)
    book.save(tmp_path / "cities.xlsx")
    data = ("cities.xlsx", (tmp_path / "cities.xlsx").read_bytes())
    with pytest.raises(EquipoiseError, match="read with sheet 'Sheet', which its records"):
        publish_domain(domain_order(data=data), ledger, tmp_path / "out", workers=here())
    stated = ("schema.json", b'{"columns": [], "file": {"sheet": "before"}}')
    wish = domain_order(data=data, schema=stated)
    shown = publish_domain(wish, ledger, tmp_path / "out", workers=here()).states
    assert shown == ("Bern", "other")


SCHEMA = {"columns": [
    {"name": "age", "bins": [0, 18, 65, 120], "outside": "state"},
    {"name": "ill", "states": ["yes", "no"], "outside": "state"},
]}  # fmt: skip
FILES = {
    "encoding": ("latin-1", "age,ill\n1,yes\n2,né\n".encode("latin-1")),
    "decimal": (",", b"age;ill\n1,5;yes\n2,5;no\n"),
    "thousands": (" ", b"age,ill\n1 000,yes\n2 000,no\n"),
    "trim": (True, b"age, ill\n1, yes\n2, no\n"),
    "header": (False, b"1,yes\n2,yes\n1,no\n"),
}


@pytest.mark.parametrize("engine", ["", "duckdb://"])
@pytest.mark.parametrize("key", FILES)
def test_a_release_waits_until_it_is_stated(key, engine, tmp_path, capsys):
    """Values that no longer fit would all be of the state for others: counts of hundreds move."""
    stated, content = FILES[key]
    also = {"header": {"names": ["age", "ill"]}, "decimal": {"delimiter": ";"}}.get(key, {})
    (tmp_path / "records.csv").write_bytes(content)
    (tmp_path / "graph.csv").write_text("parent,child\nage,ill\n")
    for file, code in ((also, 2), ({**also, key: stated}, 0)):
        (tmp_path / "schema.json").write_text(json.dumps({**SCHEMA, "file": file}))
        words = {"dag": "graph.csv", "schema": "schema.json", "ledger": "ledger.db", "out": "out"}
        paths = [word for name, path in words.items() for word in (f"--{name}", tmp_path / path)]
        paths += ["--data", f"{engine}{tmp_path}/records.csv"]
        assert main(["release", *map(str, paths), "--preview", "--json"]) == code
        refused = rf"read with {key} .*, which its records decide"
        if engine and key == "encoding":  # not one of DuckDB's, so it is not even counted
            refused = "could not be counted"
        assert bool(re.search(refused, capsys.readouterr().err)) == bool(code)
    assert Ledger(tmp_path / "ledger.db").accounts() == ()
