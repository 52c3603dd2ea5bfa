"""A sample of ``python -m tests.fuzz``, the harness itself, and what it once broke."""

import json
import random
import resource
import subprocess
import sys
import time

import pyarrow as pa
import pytest

from core.errors import EquipoiseError
from pages.ui.kit.dragging import EPSILON
from sources.networks import read_network
from sources.opening import open_table
from sources.records import read_taxonomies
from tests.fuzz import harness, seeds
from tests.fuzz.doors import doors
from tests.fuzz.harness import LETTERS, Door, fuzzed, judged, sorts
from tests.fuzz.mutators import LONG, text

INPUTS = 40
SLOW = {"shell": 15, "excel": 15, "ledger": 25}
"""Fewer where each takes long."""

pytestmark = pytest.mark.filterwarnings("ignore")  # openpyxl remarks on what is damaged


@pytest.fixture(scope="module")
def every():
    return doors()


@pytest.mark.parametrize("name", doors())
def test_a_door_gives_a_result_or_one_sentence(every, name):
    *_, (_, _, tally) = fuzzed(every[name], 0, SLOW.get(name, INPUTS), seed=1)
    assert not sorts(tally.problems)
    assert tally.tried >= 15


def test_the_seeds_are_taken(every):
    for door in every.values():
        problems = [judged(door, seed)[:2] for seed in door.seeds]
        assert ("", False) in problems, door.name


def raising(fault):
    def enter(data):
        raise fault

    return Door("broken", (b"seed",), text, enter)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (KeyError("x"), "KeyError"),
        (RecursionError(), "RecursionError"),
        (SystemExit(1), "SystemExit"),
        (type("Two", (EquipoiseError,), {"__str__": lambda _: "one\ntwo"})(), "several lines"),
        (type("Long", (EquipoiseError,), {"__str__": lambda _: "x" * 999})(), "999 letters"),
        (EquipoiseError(""), "without words"),
    ],
)
def test_the_harness_sees_what_is_wrong(fault, said):
    assert said in judged(raising(fault), b"seed")[0]


def test_the_harness_sees_a_repeated_file_and_a_slow_door(monkeypatch):
    monkeypatch.setattr(harness, "SECONDS", 0.1)
    told = "a secret " * 30
    again = type("Told", (EquipoiseError,), {"__str__": lambda _: told})()
    assert "repeats" in judged(raising(again), told.encode())[0]

    def slow(data):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass

    assert "slow" in judged(Door("slow", (b"",), text, slow), b"")[0]


def test_the_harness_sees_cells_of_others():
    told = EquipoiseError("line 3: zq3 is no number; zq50 is none either")
    assert "several cells" in judged(raising(told), seeds.MARKED.encode())[0]
    assert judged(raising(EquipoiseError("line 3: zq3 is no number")), b"")[0] == ""


def test_no_input_hides_behind_a_larger_one(monkeypatch):
    monkeypatch.setattr(harness, "MEGABYTES", 100)
    door = Door("large", (b"",), text, lambda data: bytearray(int(data)).find(b"x"))
    said = [judged(door, str(size * 2**20).encode())[0] for size in (300, 200, 50)]
    assert said == ["large: more than 500 MB"] * 2 + [""]


def test_the_same_seed_damages_alike(every):
    first, second = (
        [data for _, data, _ in fuzzed(every["bif"], 1000, 30, seed=3)] for _ in range(2)
    )
    assert first == second
    assert first != [data for _, data, _ in fuzzed(every["bif"], 1000, 30, seed=4)]


def test_a_refusal_is_one_short_line():
    said = str(EquipoiseError(f"the name '{'a b ' * 800}' and {LONG} stand\n\ntwice\x1b[31m"))
    assert said.isprintable() and len(said) < 200
    assert len(str(EquipoiseError(" ".join(["name"] * 3000)))) <= LETTERS
    plain = "the steward's name isn't 'x'; " * 5 + "write 'y'"
    assert str(EquipoiseError(plain)) == plain


def test_an_epsilon_beyond_any_float_is_no_answer():
    assert EPSILON.read(10**400) is None
    assert EPSILON.read(float("nan")) is None
    assert EPSILON.read(1) == 1.0


def nested(depth):
    tree = ["x"]
    for level in range(depth):
        tree = {f"group {level}": tree}
    return {"work": tree}


@pytest.mark.parametrize("depth", [17, 700, 5000])
def test_a_deep_taxonomy_is_refused(depth):
    told = '{"work": ' + '{"g": ' * depth + '["x"]' + "}" * depth + "}"
    with pytest.raises(EquipoiseError, match=r"groups deep|nested too deeply"):
        read_taxonomies("t.json", told.encode())


def test_a_small_taxonomy_takes_little():
    """41 kB of it once took 4.4 GB: a long name in front of very many states."""
    from core.privbayes.encoding import encoding
    from core.table import Variable

    states = [f"s{i}" for i in range(4000)]
    tree = {"work": {"g" * 100: {f"{i}": [s] for i, s in enumerate(states)}}}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    given = read_taxonomies("t.json", json.dumps(tree).encode())
    encoding("hierarchical", (Variable("work", tuple(states)),), taxonomies=given)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024
    with pytest.raises(EquipoiseError, match="100 letters"):
        read_taxonomies("t.json", json.dumps({"work": {"g" * 101: ["x"]}}).encode())


def test_text_in_parquet_that_is_no_utf_8_is_refused(every):
    data = seeds.parquet({"broken": seeds.odd_columns()["broken"]})
    with pytest.raises(EquipoiseError, match=r"is not valid Parquet \(.*UTF8"):
        every["parquet"].enter(data)


def test_a_footer_that_contradicts_itself_does_not_end_the_process():
    """pyarrow would: its column's description throws where nothing catches."""
    whole = seeds.parquets()[0]
    rng = random.Random(0)
    program = (
        "import sys\nfrom core.errors import EquipoiseError\n"
        "from tests.fuzz.doors import table\nenter = table('parquet')\n"
        "for line in sys.stdin.read().split():\n"
        "    try:\n        enter(bytes.fromhex(line))\n"
        "    except EquipoiseError:\n        pass\n"
    )
    footers = []
    for _ in range(120):
        damaged = bytearray(whole)
        at = rng.randrange(len(damaged) - 700, len(damaged) - 8)
        damaged[at] = rng.randrange(256)
        footers.append(bytes(damaged).hex())
    done = subprocess.run(
        [sys.executable, "-c", program], input="\n".join(footers), text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr[-300:]


def test_a_day_after_the_year_9999_is_refused(every):
    table = pa.table({"day": pa.array([0, 2**62], pa.timestamp("us")), "sex": ["f", "m"]})
    every["parquet"].enter(seeds.parquet({"sex": ["f", "m"]}))
    data = seeds.parquet({name: table.column(name) for name in table.column_names})
    assert open_table("t.parquet", data).header == ("day", "sex")
    assert judged(every["parquet"], data)[0] == ""


def test_whole_numbers_beyond_what_a_float_holds_are_read(every):
    every["parquet"].enter(seeds.parquet({"n": [2**62, 1], "sex": ["f", "m"]}))


def test_an_argument_of_many_words_is_not_repeated(every):
    given = "query\n--network\nasia\n--given\n" + "a b " * 800
    assert judged(every["shell"], given.encode())[:2] == ("", True)


def test_a_damaged_graph_file_is_refused():
    for name, data in (("g.gml", b'graph [ directed 1 node 1 label "a" ]'), ("g.adjlist", b"\x00")):
        with pytest.raises(EquipoiseError):
            read_network(name, data)
