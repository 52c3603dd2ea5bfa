"""Synthesise on the page and in the shell: one rehearsal, the same numbers."""

import itertools
import json
import math
import shlex

import numpy as np
import pytest

import cli
from benchmarks.synthesis import survey_rows
from core.privbayes.comparison import Measured
from core.privbayes.rehearsal import Rehearsal
from pages.ui.synthesise import words as say
from sources.records import records_csv

FILE, PLUS = "synthesise_data", "privbayes-plus"
TWO = "a,b\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(400))
TWO_SCHEMA = json.dumps(
    {"columns": [{"name": "a", "states": ["0", "1", "2"]}, {"name": "b", "states": ["0", "1"]}]}
)


def board(page):
    return page.sheet("synthesis")


def use(page, records, schema):
    page.upload(synth_data=("records.csv", records), synth_schema=("schema.json", schema))
    page.at.button(key="synth_use").click().run()
    assert not page.errors
    return page


def set_knobs(page, **knobs):
    """Set the page's widgets by key."""
    kinds = {"synth_method": "selectbox", "synth_encoding": "selectbox", "synth_score": "selectbox"}
    for key, value in knobs.items():
        getattr(page.at, kinds.get(key, "number_input"))(key=key).set_value(value)
    page.at.run()
    assert not page.errors


def rehearsed(page):
    """What the page computed last for the method on show."""
    method = page.at.selectbox(key="synth_method").value
    kept = [v for v in page.at.session_state["computed"].values() if isinstance(v, Rehearsal)]
    return [found for found in kept if found.synthesis.settings.recipe.name == method][-1]


def command_line(page):
    return shlex.split(dict(board(page)["graph"]["details"])["Command line"])[2:]


def in_shell(capsys, page, *more, files=()):
    """The document of the command line that the page shows."""
    line = command_line(page)
    for option, path in files:
        line[line.index(option) + 1] = str(path)
    assert cli.main([*line, *more, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def near(one, other):
    return math.isclose(one, other, rel_tol=0, abs_tol=1e-12)


def same(document, found):
    """Whether the shell's document holds what the page shows."""
    rows, pairs, spending = document["network"], found.pairs, found.synthesis.spending
    assert [row["name"] for row in rows] == [pair.name for pair in pairs]
    assert [row["parents"] for row in rows] == [list(pair.parents) for pair in pairs]
    assert document["records"] == found.synthesis.records == found.rows.records
    assert set(document["tvd"]) == {str(ways) for ways in found.intervals}
    numbers = [
        *((row[k], getattr(pair, k)) for row, pair in zip(rows, pairs, strict=True)
          for k in ("score", "sensitivity", "probability", "candidates")),
        *((document["intervals"][str(ways)][end], value)
          for ways, span in found.intervals.items() for end, value in vars(span).items()),
        *((document["tvd"][str(ways)], span.mean) for ways, span in found.intervals.items()),
        (document["spent"]["records"], spending.records),
        (document["spent"]["structure"], spending.structure),
        (document["spent"]["conditionals"], spending.tables),
        (document["spent"]["total"], spending.total),
    ]  # fmt: skip
    return all(near(one, other) for one, other in numbers)


@pytest.mark.parametrize(
    ("query", "knobs"),
    [
        ({"network": "asia"}, {}),
        ({"network": "asia", "eps": "0.3", "seed": "7"}, {"synth_method": "privbayes"}),
        (
            {"network": "sachs", "neighbours": "replaced", "records": "3000"},
            {"synth_method": "privbayes", "synth_encoding": "gray", "synth_score": "I"},
        ),
        (
            {"network": "sachs", "eps": "5"},
            {"synth_method": PLUS, "synth_encoding": "hierarchical", "synth_theta": 2.0},
        ),
        ({"network": "child", "records": "2000"}, {"synth_method": PLUS, "synth_degree": 1}),
    ],
)
def test_page_and_shell_agree_to_twelve_digits(open_app, capsys, tmp_path, query, knobs):
    page = open_app(**query).visit(FILE)
    for key, value in knobs.items():
        set_knobs(page, **{key: value})
    found = rehearsed(page)
    line = in_shell(capsys, page, files=[("--out", tmp_path / "synthetic.csv")])
    assert same(line, found)
    assert (tmp_path / "synthetic.csv").read_bytes() == records_csv(found.rows)


def test_page_and_shell_agree_on_private_records(open_app, capsys, tmp_path):
    page = use(open_app(network="asia").visit(FILE), TWO, TWO_SCHEMA)
    (tmp_path / "records.csv").write_text(TWO)
    (tmp_path / "schema.json").write_text(TWO_SCHEMA)
    files = [
        ("--data", tmp_path / "records.csv"),
        ("--schema", tmp_path / "schema.json"),
        ("--out", tmp_path / "synthetic-study.csv"),
    ]
    document = in_shell(capsys, page, files=files)
    found = rehearsed(page)
    assert same(document, found)
    assert list(found.errors) == [2]  # two columns have no marginals of three
    assert "of three" not in "".join(run[0] for run in board(page)["finding"])
    written = (tmp_path / "synthetic-study.csv").read_bytes()
    assert written == records_csv(found.rows, study=True)
    charts = page.sheet("compared")["views"]
    # nor has the default a phase that could be exact
    assert [chart["variants"][0]["key"] for chart in charts] == ["2-way"]


def download(page):
    (button,) = (
        b.proto for b in page.at.get("download_button") if b.proto.label.startswith("Synthetic")
    )
    return button


def test_private_records_are_downloaded_for_study_only(open_app):
    page = open_app(network="asia").visit(FILE)
    assert not download(page).disabled
    assert not [box for box in page.at.checkbox if box.key == "synth_study"]
    use(page, TWO, TWO_SCHEMA)
    assert download(page).disabled
    page.at.checkbox(key="synth_study").check().run()
    assert not download(page).disabled


def survey():
    rows = survey_rows()
    states = {"columns": [{"name": v.name, "states": v.states} for v in rows.dataset.variables]}
    return records_csv(rows), json.dumps(states)


def test_as_published_theta_alone_decides_how_many_parents(open_app, capsys, tmp_path):
    """16 binary columns, 21,574 records, ε = 1.6: seven parents (Lemma 4.8), not two."""
    data, schema = survey()
    page = open_app(network="asia", eps="1.6", neighbours="replaced").visit(FILE)
    use(page, data, schema)
    page.at.selectbox(key="synth_method").set_value("privbayes").run()
    assert not page.errors
    shown = board(page)["pairs"]["table"]["columns"][1]
    parents = [names.split(", ") for names in shown if names != "none"]
    assert max(map(len, parents)) == 7
    errors = [float(run[0]) for run in board(page)["finding"] if run[1] == "data-dependent"]
    assert errors[1] < 0.045
    (tmp_path / "survey.csv").write_bytes(data)
    (tmp_path / "schema.json").write_text(schema)
    code = cli.main(
        ["synthesise", "--data", str(tmp_path / "survey.csv"), "--method", "privbayes", "--json",
         "--schema", str(tmp_path / "schema.json"), "--epsilon", "1.6", "--neighbours", "replace"]
    )  # fmt: skip
    assert code == 0
    document = json.loads(capsys.readouterr().out)
    assert document["most_parents"] is None
    assert same(document, rehearsed(page))
    page.at.number_input(key="synth_degree").set_value(2).run()
    asked = rehearsed(page)
    assert max(len(pair.parents) for pair in asked.pairs) == 2
    assert asked.intervals[3].mean > 2 * document["tvd"]["3"]


def test_points_left_out_are_named():
    points = [Measured("privbayes", e, np.zeros((0, 2)), "too many pairs") for e in (2.0, 5.0)]
    said = say.left_out(points)
    assert said == "Left out: privbayes at ε = 2, 5: too many pairs."
    assert say.left_out([]) == ""


def test_curves_give_every_recipe_its_own_defaults(open_app):
    """The knobs of the recipe on show, left alone, are not lent to the other one."""
    page = open_app(network="asia").visit(FILE)
    for method, other in itertools.permutations(("privbayes", "privbayes-plus")):
        page.at.selectbox(key="synth_method").set_value(method).run()
        settings = rehearsed(page).synthesis.settings
        assert (settings.recipe.name, settings.split, settings.degree) == (method, None, None)
        drawn = page.sheet("compared")["ways2"]["variants"][0]["figure"]["data"]
        assert other in {trace.get("name") for trace in drawn}
