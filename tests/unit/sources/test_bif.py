import time

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.parameters import Model
from sources.bif import read_bif, write_bif
from sources.networks import read_network, sample

HEAD = """network rain {
}
variable season {
  type discrete [ 2 ] { dry, wet };
}
variable rain {
  type discrete [ 3 ] { none, some, much };
}
"""
ROOT = """probability ( season ) {
  table 0.6, 0.4;
}
"""
CHILD = """probability ( rain | season ) {
  (dry) 0.7, 0.2, 0.1;
  (wet) 0.1, 0.3, 0.6;
}
"""
TEXT = HEAD + ROOT + CHILD


def rain(text):
    return read_bif("rain.bif", text).model.conditional(1).values


def test_network_and_numbers_are_read():
    loaded = read_bif("rain.bif", TEXT)
    assert loaded.network.names == ("season", "rain")
    assert loaded.network.variables[1].states == ("none", "some", "much")
    assert loaded.network.parents == ((), ("season",))
    assert rain(TEXT).tolist() == [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]


@pytest.mark.parametrize(
    "rows",
    [
        "(wet) 0.1, 0.3, 0.6; (dry) 0.7, 0.2, 0.1;",
        "( wet ) .1 .3 6e-1 ; (dry)0.7,0.2,0.1;",
        "table 0.7, 0.1, 0.2, 0.3, 0.1, 0.6;",
        "default 0.7, 0.2, 0.1; (wet) 0.1, 0.3, 0.6;",
        "(wet) 0.1, 0.3, 0.6; default 0.7, 0.2, 0.1;",
        'property "seen = (yes)"; ("wet") 0.1 0.3 0.6; // twice\n ("dry") 0.7 /* { */ 0.2 0.1;',
    ],
)
def test_the_same_rows_may_be_written_in_many_ways(rows):
    block = f"probability (rain|season) {{ {rows} }}"
    assert np.array_equal(rain(HEAD + ROOT + block), [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])


def test_a_table_with_two_parents_lets_the_child_vary_slowest():
    names = "".join(f"variable {v} {{ type discrete [2] {{ 0, 1 }}; }}" for v in "abc")
    roots = "probability (a) { table 1, 0; } probability (b) { table 1, 0; }"
    table = "probability (c | a, b) { table .1 .2 .3 .4 .9 .8 .7 .6; }"
    values = read_bif("t.bif", names + roots + table).model.conditional(2).values
    assert values[..., 0].tolist() == [[0.1, 0.2], [0.3, 0.4]]
    assert values[..., 1].tolist() == [[0.9, 0.8], [0.7, 0.6]]


def test_old_headers_without_a_bar_and_properties_are_understood():
    text = HEAD.replace("network rain {", 'network "rain" { property version "1"; ')
    text = text.replace("type discrete [ 2 ]", "property position = (7, 1) ;\n type discrete[2]")
    assert np.array_equal(rain(text + ROOT + CHILD.replace(" | ", " ")), rain(TEXT))


def test_the_network_block_may_be_unnamed_or_absent():
    for text in (TEXT.replace("network rain", "network"), TEXT.split("}\n", 1)[1]):
        assert np.array_equal(rain(text), rain(TEXT))


def test_probability_blocks_may_stand_before_the_variables():
    assert read_bif("t.bif", CHILD + ROOT + HEAD).network == read_bif("t.bif", TEXT).network


def test_empty_blocks_give_the_graph_only():
    text = HEAD + "probability ( season ) { } probability ( rain | season ) { }"
    loaded = read_bif("rain.bif", text)
    assert loaded.model is None and loaded.network.edges == (("season", "rain"),)


def test_rows_within_a_millionth_are_rescaled_and_exact_ones_are_kept():
    near = TEXT.replace("0.6, 0.4;", "0.6, 0.3999999;")
    season = read_bif("t.bif", near).model.conditional(0).values
    assert season.sum() == pytest.approx(1, abs=1e-15)
    assert season[0] == pytest.approx(0.6 / 0.9999999, abs=1e-15)


BAD = {
    "unknown parent": ("| season", "| saison", 12, "'saison' is not declared"),
    "unknown child": ("( rain", "( rane", 12, "'rane' is not declared"),
    "duplicate variable": (ROOT, HEAD + ROOT, 11, "'season' is declared twice"),
    "two blocks": (CHILD, CHILD + ROOT, 16, "second probability block for 'season'"),
    "unknown state": ("(dry)", "(moist)", 13, "no state 'moist'; it has dry, wet"),
    "two states for one parent": ("(dry)", "(dry, wet)", 13, "names 2 states and 'rain' has 1"),
    "missing row": ("  (wet) 0.1, 0.3, 0.6;\n", "", 12, "'rain' has no row for (wet)"),
    "row twice": ("(wet)", "(dry)", 14, "a second row for (dry)"),
    "default twice": ("(wet)", "default 1 0 0; default", 14, "a second 'default'"),
    "table and rows": ("(wet) 0.1", "table 0 0 0 1 1 1; (wet) 0.1", 14, "'table' stands beside"),
    "too few numbers": ("0.2, 0.1;", "0.3;", 13, "2 probabilities for 'rain' where 3 must stand"),
    "too many numbers": ("0.6, 0.4;", "0.6, 0.4, 0;", 10, "3 probabilities for 'season' where 2"),
    "not a number": ("0.3, 0.6", "0.3, much", 14, "'much' is not a number"),
    "sum below one": ("0.7, 0.2, 0.1", "0.7, 0.2, 0.05", 13, "'rain' for (dry) sum to 0.95"),
    "not finite": ("0.7, 0.2, 0.1", "nan, 0.2, 0.1", 13, "sum to nan"),
    "negative": ("0.7, 0.2, 0.1", "1.2, -0.3, 0.1", 13, "not all between 0 and 1"),
    "no semicolon": ("0.2, 0.1;", "0.2, 0.1", 14, "'(' is not a number"),
    "no last semicolon": ("0.3, 0.6;", "0.3, 0.6", 14, "where a row ending in ';' must stand"),
    "no type": ("  type discrete [ 2 ] { dry, wet };\n", "", 3, "'season' has no 'type discrete'"),
    "wrong count": ("[ 2 ]", "[ 3 ]", 4, "declares [3] states and lists 2 (dry, wet)"),
    "blank in a state": ("{ dry,", "{ very dry,", 4, "quote names that hold blanks"),
    "blank in a name": ("variable season", "variable the season", 3, "found 'season' where '{'"),
    "same state twice": ("{ dry, wet }", "{ wet, wet }", 3, "lists the state 'wet' twice"),
    "no states": ("[ 2 ] { dry, wet }", "[ 0 ] { }", 3, "'season' has no states"),
    "continuous": ("discrete [ 2 ]", "continuous [ 2 ]", 4, "only 'discrete' is supported"),
    "empty and full blocks": ("  table 0.6, 0.4;\n", "", 9, "'season' is empty while others"),
    "network not opened": ("network rain {\n}", "network rain", 2, "found 'variable' where '{'"),
    "unknown block": (ROOT, "utility x { }\n" + ROOT, 9, "found 'utility' where 'variable'"),
    "empty header": ("( season )", "( )", 9, "must begin '( child | parent, parent ) {'"),
    "variable never closed": ("wet };\n}", "wet };\n", 6, "'season', which began on line 3"),
    "states never closed": ("much };\n}\n" + ROOT + CHILD, "much ;", 6, "is never closed"),
    "probability never closed": ("0.4;\n}", "0.4;\n", 9, "block that begins here is never closed"),
    "file ends in a block": (
        CHILD,
        "probability ( rain | season ) {\n  (dry) 0.7,",
        12,
        "the block that begins here is never closed",
    ),
    "file ends in a header": (CHILD, "probability ( rain", 12, "never closed"),
    "comment never ends": (CHILD, CHILD + "/* more", 16, "comment that begins here never ends"),
    "quote never ends": ("variable rain", 'variable "rain', 6, "is not closed on its line"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_text_is_refused_by_line(case):
    old, new, line, words = BAD[case]
    assert TEXT.count(old) == 1
    with pytest.raises(EquipoiseError) as refused:
        read_bif("rain.bif", TEXT.replace(old, new))
    assert str(refused.value).startswith(f"rain.bif, line {line}: ")
    assert words in str(refused.value)


def test_problems_of_the_whole_network_name_the_file():
    with pytest.raises(EquipoiseError, match=r"^rain\.bif: variable 'rain' has no probability"):
        read_bif("rain.bif", HEAD + ROOT)
    loop = HEAD + ROOT.replace("( season )", "( season | rain )") + CHILD
    with pytest.raises(EquipoiseError, match=r"rain\.bif: .*not acyclic: .*season.* -> .*rain"):
        read_bif("rain.bif", loop)
    with pytest.raises(EquipoiseError, match=r"rain\.bif: the network has no variables"):
        read_bif("rain.bif", "// nothing\n")


def wide(parents, states=2, rows="default 1 0;"):
    """A variable with many parents, in few bytes."""
    names = [f"p{i}" for i in range(parents)]
    labels = ", ".join(f"s{k}" for k in range(states))
    text = (
        "".join(f"variable {n} {{ type discrete [ {states} ] {{ {labels} }}; }}\n" for n in names)
        + "variable x { type discrete [ 2 ] { a, b }; }\n"
    )
    text += "".join(f"probability ({n}) {{ default 1{' 0' * (states - 1)}; }}\n" for n in names)
    return text + f"probability (x | {', '.join(names)}) {{ {rows} }}\n"


def test_ten_million_cells_are_refused_before_memory_is_touched():
    with pytest.raises(EquipoiseError, match=r"wide\.bif: the table of 'x' and its 23 parents has"):
        read_bif("wide.bif", wide(23))


def test_many_large_tables_are_refused_together():
    text = wide(21)
    block = text[text.index("probability (x") :]
    for copy in "abcdefgh":
        text += f"variable x{copy} {{ type discrete [ 2 ] {{ a, b }}; }}\n"
        text += block.replace("(x", f"(x{copy}")
    with pytest.raises(EquipoiseError, match=r"wide\.bif: the tables have 37,748,778 cells"):
        read_bif("wide.bif", text)


def test_two_thousand_nodes_are_read_and_more_are_refused():
    def chain(count):
        blocks = [f"variable v{i} {{ type discrete [2] {{ 0, 1 }}; }}" for i in range(count)]
        blocks += [f"probability (v{i}|v{i - 1}) {{ default 0.5 0.5; }}" for i in range(1, count)]
        return "\n".join(["probability (v0) { table 0.5 0.5; }", *blocks])

    assert read_bif("long.bif", chain(2000)).network.complexity == 3999
    with pytest.raises(EquipoiseError, match=r"long\.bif: the network has 2,001 variables"):
        read_bif("long.bif", chain(2001))


ENDLESS = {
    "open block": "probability ( a ) {\n" + "(x) 0.5, 0.5;\n" * 400_000,
    "open comment": "/*" * 3_000_000,
    "open quotes": '"\\' * 3_000_000,
    "open brackets": "variable a { type discrete [ 2 ] {" + " x" * 3_000_000,
    "words with slashes": "/x" * 3_000_000,
}


@pytest.mark.parametrize("case", ENDLESS)
def test_text_that_never_ends_is_refused_promptly(case):
    start = time.process_time()
    with pytest.raises(EquipoiseError, match=r"^long\.bif, line 1: "):
        read_bif("long.bif", ENDLESS[case])
    assert time.process_time() - start < 10


def test_a_file_over_the_limit_is_refused_unread():
    with pytest.raises(EquipoiseError, match=r"^big\.bif is larger than 20 MB"):
        read_network("big.bif", b" " * 200_000_000)


def test_replicates_cannot_be_written():
    model = sample("asia").model
    stacked = Model(model.network, np.stack([model.values, model.values]))
    with pytest.raises(EquipoiseError, match="replicates of shape"):
        write_bif(model.network, stacked)
