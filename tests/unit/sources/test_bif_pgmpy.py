"""Our BIF reader against pgmpy's, on the files that the pgmpy package ships."""

import gzip
import importlib.util
import warnings
from pathlib import Path

import numpy as np
import pytest

from core.network import Network
from sources.bif import read_bif, write_bif
from sources.networks import SAMPLES, sample, sample_names

FOLDER = Path(importlib.util.find_spec("pgmpy").origin).parent / "utils" / "example_models"

QUICK = ("asia", "sachs", "child", "alarm", "insurance", "hailfinder")
SLOWER = (
    "andes",
    "barley",
    "cancer",
    "earthquake",
    "hepar2",
    "munin1",
    "pigs",
    "survey",
    "water",
    "win95pts",
)
SLOWEST = {  # pgmpy takes 5 to 13 seconds for each; nodes, edges and parameters are published
    "diabetes": (413, 602, 429_409),
    "link": (724, 1125, 14_211),
    "mildew": (35, 46, 540_150),
    "munin": (1041, 1397, 80_592),
    "munin2": (1003, 1244, 69_431),
    "munin3": (1041, 1306, 71_059),
    "munin4": (1038, 1388, 80_352),
    "pathfinder": (109, 195, 72_079),
}


def shipped(name):
    with gzip.open(FOLDER / f"{name}.bif.gz", "rt", encoding="utf-8") as file:
        return file.read()


def theirs(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.readwrite import BIFReader

        return BIFReader(string=text)


def test_every_shipped_file_is_tested():
    found = {path.name.removesuffix(".bif.gz") for path in FOLDER.glob("*.bif.gz")}
    assert found == {*QUICK, *SLOWER, *SLOWEST}


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOWER)]
)
def test_equal_to_pgmpy(name):
    text = shipped(name)
    loaded, reader = read_bif(name, text), theirs(text)
    assert loaded.network.names == tuple(reader.variable_names)
    for index, variable in enumerate(loaded.network.variables):
        assert variable.states == tuple(reader.variable_states[variable.name])
        assert loaded.network.parents[index] == tuple(reader.variable_parents[variable.name])
        expected = reader.variable_cpds[variable.name]  # child first, settings of parents after
        ours = loaded.model.conditional(index).values.reshape(-1, variable.cardinality).T
        np.testing.assert_allclose(ours, expected / expected.sum(axis=0), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", SLOWEST)
def test_large_files_have_the_published_size(name):
    loaded = read_bif(name, shipped(name))
    network = loaded.network
    size = (len(network.variables), len(network.edges), network.complexity)
    assert size == SLOWEST[name]
    assert loaded.model.values.shape == (network.layout.size,)


@pytest.mark.parametrize("name", ["asia", "child"])
def test_pgmpy_reads_what_we_write(name):
    loaded = sample(name)
    reader = theirs(write_bif(loaded.network, loaded.model))
    assert (
        Network(
            loaded.network.variables,
            tuple(tuple(reader.variable_parents[n]) for n in loaded.network.names),
        )
        == loaded.network
    )
    for index, variable in enumerate(loaded.network.variables):
        assert variable.states == tuple(reader.variable_states[variable.name])
        ours = loaded.model.conditional(index).values.reshape(-1, variable.cardinality).T
        assert np.array_equal(ours, reader.variable_cpds[variable.name])


def test_a_table_of_a_child_means_the_same_to_pgmpy():
    names = "".join(f"variable {v} {{\n type discrete [ 2 ] {{ 0, 1 }};\n}}\n" for v in "abc")
    roots = "".join(f"probability ( {v} ) {{\n table 0.5, 0.5;\n}}\n" for v in "ab")
    table = "probability ( c | a, b ) {\n table .1, .2, .3, .4, .9, .8, .7, .6;\n}\n"
    text = "network x {\n}\n" + names + roots + table
    ours = read_bif("t.bif", text).model.conditional(2).values
    assert np.array_equal(ours.reshape(4, 2).T, theirs(text).variable_cpds["c"])


PUBLISHED = {
    "figure-one": (6, 6, 14),
    "asia": (8, 8, 18),
    "sachs": (11, 17, 178),
    "child": (20, 25, 230),
    "alarm": (37, 46, 509),
}


@pytest.mark.parametrize("name", sample_names())
def test_sample_networks_have_the_published_size_and_are_described(name):
    network = sample(name).network
    size = (len(network.variables), len(network.edges), network.complexity)
    assert size == PUBLISHED[name]
    row = f"| `{name}.bif` | {' | '.join(map(str, size))} |"
    assert row in (SAMPLES / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["asia", "sachs", "child", "alarm"])
def test_sample_networks_are_the_shipped_ones_below_the_comment(name):
    text = (SAMPLES / f"{name}.bif").read_text(encoding="utf-8")
    assert text.split("\n", 2)[2] == shipped(name)


def test_the_teaching_network_has_the_edges_of_the_figure():
    edges = sample("figure-one").network.edges
    assert set(edges) == {("A", "C"), ("B", "C"), ("C", "D"), ("C", "E"), ("D", "F"), ("E", "F")}
