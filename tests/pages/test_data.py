"""The Data page: what is understood, what is refused, and that nothing crosses sessions."""

import pytest

from tests.unit.test_cli_files import EDGES, PAIR, ROWS, WIDE

SECRET = "a,b\n" + "yes,no\n" * 40 + "no,yes\n" * 23


def load(open_app, **files):
    return open_app(replicates="10").visit("load_data").upload(**files)


def use(screen):
    next(b for b in screen.at.button if b.label == "Use this data").click().run()
    assert not screen.at.exception
    return screen


def test_records_and_network_are_previewed_and_used(open_app):
    screen = load(open_app, data_file=("secret-name.csv", SECRET), dag_file=("n.bif", PAIR))
    assert screen.errors == []
    assert any("63 records, 2 columns understood" in m.value for m in screen.at.markdown)
    table = screen.at.dataframe[0].value
    assert list(table["states come from"]) == ["network", "network"]
    use(screen)
    assert "63 records" in screen.at.success[0].value
    screen.visit("explore_tradeoff")
    board = screen.board
    assert [n["name"] for n in board["graph"]["nodes"]] == ["a", "b"]
    assert sum(board["panel"]["records"]) == 63


def test_the_sidebar_shows_how_many_records_there_are(open_app):
    screen = open_app(replicates="10", records="500").visit("load_data")
    use(screen.upload(data_file=("d.csv", SECRET), dag_file=("n.bif", PAIR)))
    (records,) = [field for field in screen.at.sidebar.text_input if field.label == "Records"]
    assert records.disabled and records.value == "63"
    screen.visit("explore_tradeoff").visit("compare_methods")
    screen.at.selectbox(key="network").set_value("asia").run()
    assert screen.at.number_input(key="records").value == 500, "what was set before still holds"


def test_nothing_of_an_upload_reaches_the_address(open_app):
    screen = use(load(open_app, data_file=("secret-name.csv", SECRET), dag_file=("n.bif", PAIR)))
    screen.visit("explore_tradeoff")
    written = str(dict(screen.at.query_params))
    for word in ("secret", "n.bif", "63", "yes"):
        assert word not in written


def test_one_sessions_upload_is_unknown_to_another(open_app):
    use(load(open_app, data_file=("d.csv", SECRET), dag_file=("n.bif", PAIR)))
    other = open_app()
    assert "your upload" not in other.at.selectbox(key="network").options
    assert {n["name"] for n in other.board["graph"]["nodes"]} != {"a", "b"}
    stranger = open_app(network="your upload")
    assert stranger.at.selectbox(key="network").value == "asia"


def test_one_column_alone_is_not_every_node(open_app):
    screen = load(open_app, data_file=("a.csv", "answer\n" + "yes\nno\nmaybe\n" * 60))
    screen.at.segmented_control(key="graph_from").set_value("learn").run()
    told = use(screen).visit("allocate_budget").board["finding"]
    finding = "".join(part for part, _ in told)
    assert "equipoise gives the only node 1.00: one table of 3 cells holds all of ε and" in finding
    assert "every node" not in finding and "them all" not in finding


def test_an_inferred_domain_is_warned_about(open_app):
    screen = load(open_app, data_file=("d.csv", ROWS), dag_file=("e.csv", EDGES))
    assert "not private" in screen.at.warning[0].value
    use(screen)


def test_a_network_alone_is_studied_on_sampled_records(open_app):
    screen = use(load(open_app, dag_file=("n.bif", PAIR)))
    screen.visit("explore_tradeoff")
    assert sum(screen.board["panel"]["records"]) == 10_000


@pytest.mark.parametrize(("missing", "records"), [("drop", 3), ("state", 4)])
def test_missing_values_follow_the_choice(open_app, missing, records):
    screen = load(open_app, data_file=("d.csv", ROWS + ",no\n"), dag_file=("n.bif", PAIR))
    assert any("missing" in e for e in screen.errors)
    screen.at.segmented_control(key="missing").set_value(missing).run()
    assert screen.errors == []
    assert f"{records} records" in use(screen).at.success[0].value


BAD = {
    "a cycle": ({"dag_file": ("n.csv", "parent,child\na,b\nb,a\n"), "data_file": ("d.csv", ROWS)},
                "->"),
    "an unknown parent": ({"dag_file": ("n.bif", PAIR.replace("( b | a )", "( b | z )"))}, "z"),
    "a duplicate variable": ({"dag_file": ("n.bif", PAIR.replace("variable b", "variable a"))},
                             "'a'"),
    "an unknown state": ({"dag_file": ("n.bif", PAIR), "data_file": ("d.csv", ROWS + "maybe,no\n")},
                         "'maybe'"),
    "a column missing": ({"dag_file": ("n.bif", PAIR), "data_file": ("d.csv", "a\nyes\n")}, "'b'"),
    "rows that do not sum to one": ({"dag_file": ("n.bif", PAIR.replace("0.9, 0.1", "0.9, 0.3"))},
                                    "1.2"),
    "an empty file": ({"dag_file": ("n.bif", PAIR), "data_file": ("d.csv", "")}, "empty"),
    "a header only": ({"dag_file": ("n.bif", PAIR), "data_file": ("d.csv", "a,b\n")}, "d.csv"),
    "a NUL": ({"dag_file": ("n.bif", PAIR), "data_file": ("d.csv", b"a,b\nyes,no\nyes,\0\n")},
              "line 3: there is a NUL"),
    "a ragged row": ({"dag_file": ("n.bif", PAIR), "data_file": ("d.csv", ROWS + "yes\n")},
                     "line 5"),
    "ten million cells": ({"dag_file": ("n.bif", WIDE)}, "10,077,696"),
    "a BIF that never ends": ({"dag_file": ("n.bif", PAIR[:-2])}, "line"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_one_sentence_and_nothing_is_lost(open_app, case):
    files, words = BAD[case]
    screen = load(open_app, **files)
    assert screen.errors, "the page must say what is wrong"
    assert words in screen.errors[0]
    assert not [b for b in screen.at.button if b.label == "Use this data"]
    assert screen.at.session_state["session"].upload is None
    screen.visit("explore_tradeoff")
    assert {n["name"] for n in screen.board["graph"]["nodes"]} >= {"asia", "dysp"}


def test_names_from_files_are_carried_as_they_are(open_app):
    nasty = "<script>alert(1)</script>"
    screen = load(
        open_app, dag_file=("n.bif", PAIR.replace("variable a", f'variable "{nasty}"')
                            .replace("( a )", f'( "{nasty}" )').replace("| a )", f'| "{nasty}" )'))
    )  # fmt: skip
    assert screen.errors == []
    use(screen).visit("explore_tradeoff")
    assert screen.board["graph"]["nodes"][0]["name"] == nasty
