"""Releases from a connection: the dossier of the same rows in memory, but for the source."""

import contextlib
import json
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from cli import main
from commands import release as release_verb
from core.inference.sampling import sample as draw
from release.publish import publish
from sources.networks import sample
from tests.servers import postgres
from tests.unit.test_cli_release import STATED

PASSWORD = "hunter2secret"


OWN = {
    "/checksum", "/decision/release", "/decision/time", "/files/0/sha256", "/files/1/sha256",
    "/files/2/sha256", "/files/3/sha256", "/ledger/entries/0/id",
    "/ledger/entries/0/time", "/ledger/receipt/digest",
    "/reproducibility/command",
}  # fmt: skip
"""What is each release's own: its name, its time, and where the records are."""


class Still:
    """No noise, so that releases can be compared."""

    def noise(self, kind, scales, cells):
        return np.zeros(sum(cells), dtype=np.int64)

    def thinned(self, counts, rate):
        return (counts * rate.numerator) // rate.denominator

    def chosen(self, law, gaps, rate):
        return int(np.argmin(gaps))


@pytest.fixture(autouse=True)
def still(monkeypatch):
    def quick(*arguments, **named):
        return publish(*arguments, workers=lambda: nullcontext(Still()), **named)

    monkeypatch.setattr(release_verb, "publish", quick)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    model = sample("asia").model
    drawn = draw(model, 3000, rng=np.random.default_rng(0))
    columns = {v.name: np.array(v.states)[drawn.codes[:, j]] for j, v in enumerate(drawn.variables)}
    place = tmp_path_factory.mktemp("asia")
    pa.parquet.write_table(pa.table(columns), place / "people.parquet", row_group_size=500)
    return place


@contextlib.contextmanager
def served(folder):
    psycopg = pytest.importorskip("psycopg")
    table = pa.parquet.read_table(folder / "people.parquet")
    with postgres(PASSWORD) as address:
        with psycopg.connect(address) as own:
            own.execute(
                f"create table people ({', '.join(f'{n} text' for n in table.column_names)})"
            )
            marks = ", ".join(["%s"] * table.num_columns)
            rows = list(zip(*(c.to_pylist() for c in table.columns), strict=True))
            own.cursor().executemany(f"insert into people values ({marks})", rows)
        yield f"{address}?table=people"


def release(data, place, capsys, *more):
    words = ["release", "--network", "asia", "--data", str(data), "--ledger", str(place / "l.db"),
             "--out", str(place / "out"), "--epsilon", "0.5", "--budget", "5", *STATED, "--json",
             "--graph", "known",
             "--public-records", "3000",
             *more]  # fmt: skip
    code = main(words)
    out, err = capsys.readouterr()
    assert PASSWORD not in out + err
    assert code == 0, err
    found = json.loads(out)
    for path in place.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()
    files = {Path(path).name: Path(path) for path in found["files"]}
    return found, json.loads(files["dossier.json"].read_text()), files


def model_of(files):
    """Every number that is published: the model, and the tables it is made from."""
    drawn = json.loads(files["measurements.json"].read_text())
    model = json.loads(files["model.json"].read_text())
    limits = json.loads(files["intervals.json"].read_text())
    return model["variables"], drawn["measurements"], drawn["records"], limits["variables"]


def differing(one, other, at=""):
    """Places in which two documents differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differing(one.get(key), other.get(key), f"{at}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from differing(a, b, f"{at}/{number}")
    elif one != other:
        yield at


def test_the_dossier_is_that_of_the_rows_in_memory_but_for_the_source(folder, tmp_path, capsys):
    for name in ("memory", "folder", "duckdb", "server"):
        (tmp_path / name).mkdir()
    _, papers, model = release(folder / "people.parquet", tmp_path / "memory", capsys)
    with served(folder) as server:
        places = {"folder": folder, "duckdb": f"duckdb://{folder}/*.parquet", "server": server}
        for name, place in places.items():
            _, other, same = release(place, tmp_path / name, capsys)
            assert model_of(same) == model_of(model)
            assert set(differing(papers, other)) <= OWN, name


def test_a_graph_is_learned_from_a_connection(folder, tmp_path, capsys):
    _, papers, _ = release(
        folder, tmp_path, capsys, "--method", "privbayes-structure", "--people", "none"
    )
    assert papers


def test_the_ledger_knows_a_table_again_by_counts_and_by_place(folder, tmp_path, capsys):
    release(folder, tmp_path, capsys, "--name", "visits")
    again, *_ = release(f"duckdb://{folder}/people.parquet", tmp_path, capsys)
    assert again["remaining"] == pytest.approx(4.0)


def test_a_table_that_is_not_known_needs_the_statement_about_people(folder, tmp_path, capsys):
    release(folder / "people.parquet", tmp_path, capsys, "--name", "visits")
    code = main(["release", "--network", "asia", "--data", str(folder), "--ledger",
                 str(tmp_path / "l.db"), "--out", str(tmp_path / "out"), "--epsilon", "0.5",
                 "--budget", "5", *STATED])  # fmt: skip
    assert code
    assert "may know their people" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["allocate"], ["sweep", "--replicates", "4", "--methods", "uniform", "--epsilons", "1"],
        ["risk"], ["risk", "--method", "equipoise"],
    ],
)  # fmt: skip
def test_a_verb_says_the_same_from_a_connection(folder, capsys, words):
    said = []
    for data in (folder / "people.parquet", folder):
        assert main([*words, "--network", "asia", "--data", str(data), "--json"]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert _close(*said)


def _close(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_close(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, float):
        return one == pytest.approx(other, rel=2e-3)
    return one == other


def test_what_needs_rows_says_so_and_offers_others(folder, capsys):
    assert main(["attack", "--network", "asia", "--data", str(folder)])
    said = capsys.readouterr().err
    assert "needs rows" in said and "public" in said and "charged" in said
    assert main(["schema", "--data", f"duckdb://{folder}/*.parquet"])
    assert "counts alone" in capsys.readouterr().err
