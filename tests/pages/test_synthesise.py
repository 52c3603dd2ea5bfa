"""Synthesise without a browser."""

import itertools
import time

import pytest

from core.privbayes.settings import RECIPES
from pages.ui.kit import words
from pages.ui.synthesise import numbers

FILE = "synthesise_data"
RECORDS = "a,b,c\n" + "".join(f"{i % 2},{i % 2},{(i // 7) % 3}\n" for i in range(400))
SCHEMA = (
    '{"columns": [{"name": "a", "states": ["0", "1"]}, {"name": "b", "states": ["0", "1"]},'
    ' {"name": "c", "states": ["0", "1", "2"]}]}'
)


@pytest.fixture
def page(open_app):
    """The page with a search for parents."""
    opened = open_app(network="asia").visit(FILE)
    opened.at.selectbox(key="synth_method").set_value("privbayes-plus").run()
    return opened


def test_the_default_shows_the_tables_of_one_model_and_no_knob_it_has_not(open_app):
    opened = open_app(network="child", records="2000").visit(FILE)
    assert not opened.errors
    assert "equipoise-synthesis" in board(opened)["scenario"]
    table = board(opened)["pairs"]["table"]
    assert table["head"][0] == "columns"
    assert any(", " in columns for columns in table["columns"][0])
    keys = {widget.key for widget in (*opened.at.selectbox, *opened.at.number_input)}
    assert not keys & {"synth_score", "synth_theta", "synth_degree"}
    line = dict(board(opened)["graph"]["details"])["Command line"]
    assert "--method equipoise-synthesis " in line
    assert "--theta" not in line


def test_one_table_alone_has_nothing_to_slide_over(open_app):
    opened = open_app(network="figure-one", replicates="10").visit(FILE)
    assert not opened.errors
    assert len(pairs(opened)) == 1
    assert not [slider for slider in opened.at.slider if slider.label == "Tables so far"]


def board(page):
    return page.sheet("synthesis")


def pairs(page):
    """The table of pairs, row by row."""
    return list(zip(*board(page)["pairs"]["table"]["columns"], strict=True))


def test_the_page_shows_the_synthesis_of_its_seed(page):
    assert not page.errors
    data = board(page)
    assert data["heading"] == "Synthesise records"
    assert any(c.value.startswith("The search:") for c in page.at.main.caption)
    setting_errors = [run[0] for run in data["finding"] if run[1] == "equipoise"]
    assert len(setting_errors) == 2
    assert len(pairs(page)) == 8
    heat = data["heat"]["table"]
    assert heat["head"][2:] == ["records", "synthetic"]
    assert sum(heat["columns"][3]) == pytest.approx(1, abs=1e-3)
    drawn = data["heat"]["variants"][0]["figure"]["data"]
    assert [t["name"] for t in drawn] == ["records", "synthetic"]
    assert [v for row in drawn[1]["customdata"] for v in row] == heat["columns"][3]


def test_the_page_and_the_shell_agree(page, capsys):
    import json

    import cli

    line = dict(board(page)["graph"]["details"])["Command line"].split()[2:]
    line = [part for part in line if part not in ("--out", "synthetic.csv")]
    assert cli.main([*line, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    shown = [run[0] for run in board(page)["finding"] if run[1] == "equipoise"]
    assert shown == [words.error(document["tvd"][ways]) for ways in ("2", "3")]
    order = [row[0] for row in pairs(page)]
    assert order == [row["name"] for row in document["network"]]


def test_the_network_grows_with_the_slider(page):
    page.at.slider(key="synth_shown_8").set_value(3).run()
    data = board(page)
    assert len(pairs(page)) == 3
    placed = {row[0] for row in pairs(page)}
    assert {edge["child"] for edge in data["graph"]["edges"]} <= placed


@pytest.mark.parametrize(
    ("method", "encoding"),
    [
        *itertools.product(
            ["privbayes", "privbayes-plus"], ["vanilla", "hierarchical", "binary", "gray"]
        ),
        *((name, "vanilla") for name, recipe in RECIPES.items() if recipe.way),
    ],
)
def test_every_method_and_encoding_draws(page, method, encoding):
    page.at.selectbox(key="synth_method").set_value(method)
    page.at.selectbox(key="synth_encoding").set_value(encoding).run()
    assert not page.errors
    assert method in board(page)["scenario"]


def test_a_node_tells_the_choice_of_a_table_that_it_shares_with_a_parent(page):
    page.at.selectbox(key="synth_method").set_value("adaptive").run()
    graph = board(page)["graph"]
    scores = {tuple(sorted(row[0].split(", "))): row[1] for row in pairs(page)}
    (score,) = (m for m in graph["measures"] if m["key"] == "score")
    names = [node["name"] for node in graph["nodes"]]
    told = dict(zip(names, score["values"], strict=True))
    asked = 0
    for child in {edge["child"] for edge in graph["edges"]}:
        ties = (tuple(sorted((e["parent"], child))) for e in graph["edges"] if e["child"] == child)
        shared = [float(scores[tie]) for tie in ties if tie in scores]
        asked += bool(shared)
        assert not shared or told[child] == pytest.approx(max(shared), rel=0.06), child
    assert asked > 3


def test_a_score_that_cannot_be_used_is_refused_in_a_sentence(page):
    page.at.selectbox(key="synth_score").set_value("I").run()
    assert page.errors == [
        "score I grows with the number of records, which is private when a record is added or "
        "removed; use R or F, or neighbours that replace a record"
    ]
    page.at.selectbox(key="synth_score").set_value("F").run()
    assert not page.errors


def test_the_learned_structure_goes_to_the_other_pages(page):
    learned = {(e["parent"], e["child"]) for e in board(page)["graph"]["edges"]}
    button = next(b for b in page.at.button if b.label == "Use this structure")
    button.click().run()
    page.visit("explore_tradeoff")
    assert not page.errors
    shown = {(e["parent"], e["child"]) for e in page.board["graph"]["edges"]}
    assert shown == learned
    assert "for the learned graph" in page.board["scenario"]


def use(page, records, **files):
    page.upload(synth_data=("records.csv", records), **files)
    page.at.button(key="synth_use").click().run()
    return page


def test_uploaded_records_with_a_schema_are_synthesised(page):
    use(page, RECORDS, synth_schema=("schema.json", SCHEMA))
    assert not page.errors
    assert len(pairs(page)) == 3


def test_a_typed_schema_serves_as_well(page):
    page.at.text_area(key="synth_typed").set_value(SCHEMA)
    use(page, RECORDS)
    assert not page.errors
    assert len(pairs(page)) == 3


def test_records_without_a_schema_are_refused_unless_exploring(page):
    use(page, RECORDS)
    assert "comes without a schema" in page.errors[0]
    assert len(pairs(page)) == 8  # what was there is still there
    page.at.toggle(key="synth_explore").set_value(True)
    page.at.button(key="synth_use").click().run()
    assert not page.errors
    assert len(pairs(page)) == 3
    assert any("not private" in info.value for info in page.at.info)


@pytest.mark.parametrize(
    ("records", "sentence"),
    [
        ("a\n1\n2\n", "there is 1 column to synthesise"),
        ("a,b\n" + "".join(f"{i},x\n" for i in range(2000)), "more than 100 distinct values"),
        (",".join(f"c{i}" for i in range(500)) + "\n" + ",".join("0" * 500) + "\n", "500 columns"),
        ("a,b\n" + "".join(f"{i / 7},y\n" for i in range(300)), "supply a schema that gives it"),
    ],
)
def test_bad_records_are_refused_and_nothing_is_lost(page, records, sentence):
    page.at.toggle(key="synth_explore").set_value(True)
    use(page, records)
    assert sentence in page.errors[0]
    assert len(pairs(page)) == 8


def test_a_taxonomy_that_misses_a_value_is_refused(page):
    tree = ("tree.json", '{"c": {"low": ["0", "1"]}}')
    use(page, RECORDS, synth_schema=("schema.json", SCHEMA), synth_taxonomy=tree)
    assert "the taxonomy of 'c' misses the state '2'" in page.errors[0]
    assert len(pairs(page)) == 8


def counted(charts):
    """Each chart with how many curves it has."""
    return zip(charts, (8, 8, 3), strict=True)


def named(chart):
    return [t for t in chart["variants"][0]["figure"]["data"] if "name" in t]


def test_curves_are_measured_in_the_background_and_kept(page, monkeypatch):
    monkeypatch.setattr(numbers, "GRID", (0.5, 1.0))
    monkeypatch.setattr(numbers, "REPETITIONS", 2)
    page.at.run()
    page.at.button(key="synth_measure").click().run()
    for _ in range(100):
        page.at.run()
        charts = page.sheet("compared")["views"]
        if all(len(c["table"]["columns"][0]) == 2 * n for c, n in counted(charts)):
            break
        time.sleep(0.2)
    assert [c["variants"][0]["key"] for c in charts] == ["2-way", "3-way", "sources"]
    assert {t["name"] for t in named(charts[0])} == {
        "privbayes",
        "privbayes-plus",
        "equipoise-synthesis",
        "equipoise-synthesis-zcdp",
        "uniform",
        "independent",
        "laplace",
        "fourier",
        "contingency",
        "mwem",
    }
    for chart in charts:
        values = chart["variants"][0]["figure"]["layout"]["meta"]["values"]
        for trace in named(chart):
            assert trace["x"] == [0.5, 1.0]
            assert "to" in values[trace["name"]]


def test_the_classifier_answers(page):
    page.at.button(key="synth_train").click().run()
    assert not page.errors
    table = page.at.dataframe[-1].value
    assert list(table.columns) == ["trained on", "misclassified"]
    assert len(table) == 6
