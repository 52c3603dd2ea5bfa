"""``--figure``: the page's picture from a shell, with the numbers of the same answer."""

import json
import re

import pytest

from cli import main
from core.study.bands import MEDIAN, QUANTILES
from figures import chromium
from figures.risk import CLAIMS
from figures.template import numbers
from figures.undirected import SHORT

FAST = ("--network", "asia", "--records", "300")
SCENARIO = (*FAST, "--replicates", "5")
SMALL = ("--nodes", "4", "--states", "2", "--populations", "2", "--repeats", "1", "--steps", "5")
VERBS = {
    "allocate": (*SCENARIO, "--method", "equipoise"),
    "sweep": (*SCENARIO, "--methods", "uniform,equipoise", "--metrics", "l1_row,l1_weighted"),
    "compare": (*SCENARIO, "--methods", "uniform,equipoise", "--epsilons", "0.5,1,2"),
    "risk": (*SCENARIO, "--method", "uniform", "--alpha", "0.001,0.01,0.1"),
    "attack": (*FAST, "--pools", "5", "--alpha", "0.01,0.1"),
    "synthesise": (*FAST, "--pair", "smoke,bronc"),
    "undirected": (*SMALL, "--records", "100,1000", "--epsilon", "0.5,2"),
}


def drawn(tmp_path, capsys, verb, *more, code=0):
    """What the verb prints and the figure it writes."""
    path = tmp_path / "figure.json"
    assert main([verb, *VERBS[verb], *more, "--json", "--figure", str(path)]) == code
    figure = json.loads(path.read_text(encoding="utf-8"))
    named = {t["name"]: t for t in figure["data"] if "name" in t}
    return json.loads(capsys.readouterr().out), named, figure["layout"]


@pytest.mark.parametrize("verb", VERBS)
def test_a_figure_is_stamped_and_changes_nothing_else(tmp_path, capsys, verb):
    document, _, layout = drawn(tmp_path, capsys, verb)
    stamp = layout["title"]["subtitle"]["text"]
    assert stamp.startswith("Study: computed from the records, not private, not for publication.")
    assert "ε" in stamp and "seed 0" in stamp
    assert main([verb, *VERBS[verb], "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    for document_ in (document, alone):
        document_.pop("scored_per_second", None)
        for row in document_.get("rows", []):
            row.pop("seconds", None)
    assert alone == document


def test_allocate_draws_its_nodes(tmp_path, capsys):
    document, named, _ = drawn(tmp_path, capsys, "allocate")
    assert list(named) == ["equipoise"]
    bars = dict(zip(named["equipoise"]["x"], named["equipoise"]["y"], strict=True))
    assert bars == dict(
        zip(
            [n["name"] for n in document["nodes"]],
            numbers([n["epsilon"] for n in document["nodes"]]),
            strict=True,
        )
    )
    assert list(bars.values()) == sorted(bars.values(), reverse=True)


def test_sweep_draws_its_first_metric(tmp_path, capsys):
    document, named, layout = drawn(tmp_path, capsys, "sweep")
    assert list(named) == ["uniform", "equipoise"]
    assert layout["title"]["text"] == "Row error, every row counted alike"
    for method, curve in named.items():
        rows = [r for r in document["rows"] if (r["method"], r["metric"]) == (method, "l1_row")]
        assert curve["x"] == [row["epsilon"] for row in rows]
        assert curve["y"] == numbers([row["quantiles"][MEDIAN] for row in rows])
        assert curve["customdata"] == numbers(
            [[row["quantiles"][0], row["quantiles"][-1]] for row in rows]
        )


def test_risk_draws_its_curves(tmp_path, capsys):
    document, named, _ = drawn(tmp_path, capsys, "risk")
    keys = document["claims"]
    assert set(named) == {*(CLAIMS[key] for key in keys), "guessing"}
    for key in keys:
        curve = dict(zip(named[CLAIMS[key]]["x"], named[CLAIMS[key]]["y"], strict=True))
        told = {p["alpha"]: p[key] for p in document["power"]}
        assert {a: curve[a] for a in told} == pytest.approx(told, rel=1e-4)


def test_attack_draws_what_it_found_and_the_bound(tmp_path, capsys):
    document, named, _ = drawn(tmp_path, capsys, "attack")
    assert list(named) == [CLAIMS["published"], "guessing", "measured, exact tables"]
    rings, power = named["measured, exact tables"], document["power"]
    assert all(p["mean"] > 0 for p in power)  # nothing is left out on a logarithmic scale
    assert rings["x"] == [p["alpha"] for p in power]
    assert rings["y"] == numbers([p["mean"] for p in power])
    assert rings["customdata"] == numbers([[p["low"], p["high"]] for p in power])
    bound = dict(zip(named[CLAIMS["published"]]["x"], named[CLAIMS["published"]]["y"], strict=True))
    assert [bound[p["alpha"]] for p in power] == pytest.approx(
        [p["bound"] for p in power], rel=1e-4
    )


def test_synthesise_draws_two_columns_side_by_side(tmp_path, capsys):
    document, named, layout = drawn(tmp_path, capsys, "synthesise")
    pair = document["pair"]
    assert pair["columns"] == ["smoke", "bronc"]
    assert list(named) == ["records", "synthetic"]
    for name, heat in named.items():
        assert heat["customdata"] == numbers(pair[name])
        assert sum(map(sum, pair[name])) == pytest.approx(1)
        assert [heat["y"], heat["x"]] == pair["states"]
    assert layout["title"]["text"] == "smoke and bronc, records and synthetic"


def test_synthesise_draws_the_first_two_columns_unless_told(tmp_path, capsys):
    path = tmp_path / "figure.json"
    assert main(["synthesise", *FAST, "--json", "--figure", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["pair"]["columns"] == ["asia", "tub"]
    assert main(["synthesise", *FAST, "--pair", "asia,nosuch"]) == 2
    assert "not asia, nosuch; there are asia, tub" in capsys.readouterr().err


def test_undirected_draws_a_curve_for_each_estimator_and_budget(tmp_path, capsys):
    document, named, _ = drawn(tmp_path, capsys, "undirected")
    assert document["quantile_levels"] == list(QUANTILES)
    assert len(named) == 4
    for row in document["rows"]:
        curve = named[f"{SHORT[row['estimator']]}, ε = {row['epsilon']:g}"]
        place = curve["x"].index(row["records"])
        assert [curve["y"][place]] == numbers([row["quantiles"][MEDIAN]])
        ends = [row["quantiles"][0], row["quantiles"][-1]]
        assert curve["customdata"][place] == numbers(ends)


def test_one_number_of_records_is_a_point_on_an_axis(tmp_path, capsys):
    arguments = ("--records", "100", "--epsilon", "1", "--estimators", "naive,random")
    _, named, layout = drawn(tmp_path, capsys, "undirected", *arguments)
    assert list(named) == [SHORT["naive"], SHORT["random"]]
    low, high = layout["xaxis"]["range"]
    assert 10**low == pytest.approx(50) and 10**high == pytest.approx(200)


def test_html_asks_nothing_of_a_network(tmp_path, capsys):
    path = tmp_path / "figure.html"
    assert main(["risk", *VERBS["risk"], "--figure", str(path)]) == 0
    page = path.read_text(encoding="utf-8")
    assert not re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=", page)
    assert "<title>Members found against false alarms: uniform</title>" in page
    assert page.count("Study: computed from the records") == 1
    assert f"figure: {path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("figure.pdf", "figure.pdf is no kind of picture that is written; end it with .html, .svg"),
        ("figure", "figure is no kind of picture"),
        ("nosuch/figure.html", "nosuch; make it, or choose another"),
        (".", "is a folder; name a file in it, as"),
        ("folder.html", "folder.html is a folder; name a file in it"),
        ("figure.svg", "there is no Chromium here to draw figure.svg with; end it with .html"),
        ("figure.png", "there is no Chromium here to draw figure.png with"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    tmp_path, capsys, monkeypatch, name, said
):
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(SystemExit) as ended:  # by the parser: no verb has run yet
        main(["allocate", "--network", "nosuch", "--figure", str(tmp_path / name)])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert [p.name for p in tmp_path.iterdir()] == ["folder.html"]


def test_a_method_that_spends_nothing_has_no_budget_to_draw(tmp_path, capsys):
    path = tmp_path / "figure.json"
    assert main(["allocate", *SCENARIO, "--method", "exact", "--figure", str(path)]) == 2
    assert "exact spends nothing" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.browser
@pytest.mark.parametrize(("kind", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG\r\n\x1a\n")])
def test_chromium_draws_the_same(tmp_path, kind, begins):
    path = tmp_path / f"figure.{kind}"
    assert main(["allocate", *VERBS["allocate"], "--figure", str(path)]) == 0
    drawing = path.read_bytes()
    assert drawing.startswith(begins)
    if kind == "svg":
        text = drawing.decode()
        assert "Study: computed from the records" in text
        assert "budget ε of the node" in text
