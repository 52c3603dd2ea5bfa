"""Files of known tables: what they say, and one sentence where they are wrong."""

import json

import pytest

from core.errors import EquipoiseError
from core.options import PLAIN
from sources.known import read_known, stated_known
from sources.networks import sample
from sources.study import open_network

ASIA = sample("asia").network
EITHER = {"name": "either", "parents": ["tub", "lung"],
          "conditional": [[1, 0], [1, 0], [1, 0], [0, 1]]}  # fmt: skip


def read(**document):
    return read_known("k.json", json.dumps(document).encode(), ASIA)


def test_a_file_says_what_the_network_file_says():
    """Its parents are in another order there: lung, tub."""
    (known,), possible = read(known=[EITHER])
    own = stated_known(PLAIN, ASIA, open_network("asia", None), ["either"], None).known[0]
    assert possible == ()
    assert known.on(ASIA).tolist() == own.on(ASIA).tolist()
    assert (known.source, own.source) == ("k.json", "")


def test_impossible_settings_close_the_cells_that_hold_them():
    _, (possible,) = read(
        impossible=[{"tub": "yes", "either": "no"}, {"either": "no", "lung": "yes"}]
    )
    marks = possible.on(ASIA).reshape(2, 2, 2)  # lung, tub, either; yes before no
    assert marks.tolist() == [[[1, 0], [1, 0]], [[1, 0], [1, 1]]]


def test_rows_that_are_off_by_rounding_are_normalised():
    (known,), _ = read(known=[{"name": "smoke", "conditional": [[0.3333333, 0.6666666]]}])
    assert sum(known.cells) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"zeros": []}, "the key 'zeros'"),
        ({"known": 3}, "must be a list"),
        ({"known": [{"name": "either"}]}, "needs a name, its parents and a conditional"),
        ({"known": [{**EITHER, "name": "nobody"}]}, "no variable 'nobody'"),
        ({"known": [{**EITHER, "conditional": [[1, 0]]}]}, "a list of 4 rows"),
        ({"known": [{**EITHER, "conditional": [[0.5, 0]] * 4}]}, "no distribution given tub=yes"),
        ({"impossible": [{"asia": "yes", "dysp": "no"}]}, "not within one family"),
        ({"impossible": [{}]}, "not within one family"),
        ({"impossible": [{"tub": "maybe"}]}, "no state 'maybe'"),
        ({"impossible": [{"tub": "yes"}, {"tub": "no"}]}, "no state of 'tub' is left given asia"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(document, message):
    with pytest.raises(EquipoiseError, match=f"^k.json: .*{message}"):
        read(**document)


@pytest.mark.parametrize(
    ("names", "file", "message"),
    [
        (["either", "either"], None, "stated twice"),
        (["either"], {"known": [EITHER]}, "stated twice"),
        (["nobody"], None, "no variable 'nobody'"),
        ([], {"known": [{**EITHER, "parents": ["tub"], "conditional": [[1, 0]] * 2}]},
         "state it for this family"),
    ],
)  # fmt: skip
def test_statements_that_do_not_fit_are_refused(names, file, message):
    data = None if file is None else ("k.json", json.dumps(file).encode())
    with pytest.raises(EquipoiseError, match=message):
        stated_known(PLAIN, ASIA, open_network("asia", None), names, data)


def test_a_network_without_probabilities_has_no_table_to_take():
    edges = open_network(None, ("g.csv", b"parent,child\na,b\n"))
    with pytest.raises(EquipoiseError, match="has no probabilities"):
        stated_known(PLAIN, ASIA, edges, ["either"], None)
