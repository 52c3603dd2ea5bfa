"""A scenario saved behind one door gives the same numbers behind the other."""

import argparse
import json
import re
import shlex

import pytest
import streamlit

from cli import ask, build_parser, main
from commands.arguments import study_arguments
from core.options import Options
from figures.bands import QUANTILE_NAMES
from pages.ui.kit.around import DRAWING, offered
from pages.ui.utility import words as say
from sources.known import stated_known
from sources.networks import sample
from sources.study import sampled_study
from tests.doors.conftest import ask as ask_session
from tests.doors.conftest import command, finish, same
from tests.unit.test_cli_figures import VERBS

ASIA = sample("asia")
EDITED = ASIA.network.without_edge("smoke", "bronc")
OWN = Options(0.25, (("xray", 0.2),), (("lung", 3.0),), 1e-5)
OPTIONS = stated_known(OWN, EDITED, ASIA, ["either"], None)
SCENARIO = {"network": "asia", "records": "700", "eps": "0.61234567891", "replicates": "12",
            "seed": "5", "beta": "0.2", "neighbours": "replaced"}  # fmt: skip


@pytest.fixture
def saving(monkeypatch):
    """What the button of the sidebar hands out, whenever it is pressed."""
    kept, original = [], streamlit.download_button

    def spy(label, data, *args, **more):
        if more.get("key") == "save_scenario":
            kept[:] = [data]
        return original(label, data, *args, **more)

    monkeypatch.setattr(streamlit, "download_button", spy)
    return lambda: kept[0]()


def answers(screen):
    """The numbers of Utility's question, and of the first method's curve."""
    data = screen.sheet("answers")["answers"]
    return data, dict(zip(data["table"]["head"], data["table"]["columns"], strict=True))


TAKING = ("allocate", "attack", "compare", "groups", "query", "risk", "solve", "sweep")
"""Verbs that take a scenario file."""

FEWER = {"compare": ("--methods", "uniform", "--epsilons", "0.5,1", "--workers", "1"),
         "sweep": ("--methods", "equipoise", "--epsilons", "0.5,1"),
         "attack": ("--pools", "3"), "risk": ("--method", "uniform")}  # fmt: skip
"""What keeps a line short; one that names no method would take the file's."""


def lasting(document):
    """Without what differs from run to run."""
    return {key: value for key, value in document.items() if key != "scored_per_second"}


def test_saved_on_a_page_it_gives_the_shell_the_same_numbers(page, saving, shell, tmp_path):
    screen = page("measure_utility", **SCENARIO)
    session = screen.at.session_state["session"]
    fields = {**vars(session), "options": {"asia": OPTIONS}, "edits": {"asia": EDITED},
              "method": "uniform"}  # fmt: skip
    screen.at.session_state["session"] = type(session)(**fields)
    screen.at.run()
    finish(screen, "sweep")
    file = tmp_path / "scenario.json"
    file.write_bytes(saving())
    data, table = answers(screen)
    document = shell(["query", "--scenario", str(file)])
    assert document["method"] == "uniform"
    assert data["title"] == say.question(document["targets"], document["given"])
    own = [i for i, name in enumerate(table["method"]) if name == "uniform"]
    same([table["truth"][i] for i in own], [t["probability"] for t in document["truth"]])
    for place, row in zip(own, document["private"], strict=True):
        same([table[level][place] for level in QUANTILE_NAMES], row["quantiles"])


def test_saved_in_the_shell_it_gives_a_page_the_same_numbers(page, shell, tmp_path):
    file = tmp_path / "scenario.json"
    line = ["query", "--network", "asia", "--records", "700", "--epsilon", "0.3456789012",
            "--replicates", "12", "--seed", "7", "--neighbours", "replace", "--floors", "xray=0.3",
            "--weights", "lung=2", "--known", "either", "--pseudo-count", "0.5",
            "--target", "dysp", "--given", "smoke=yes", "--method", "uniform"]  # fmt: skip
    document = shell(line, "--save-scenario", str(file))
    screen = page("measure_utility", network="child", replicates="10")
    screen.at.file_uploader(key="scenario_file").set_value(
        ("scenario.json", file.read_bytes(), "application/json")
    ).run()
    screen.at.button(key="open_scenario").click().run()
    assert [s.value for s in screen.at.success] == ["scenario\\.json is on show\\."]
    finish(screen, "sweep")
    _, table = answers(screen)
    own = [i for i, name in enumerate(table["method"]) if name == "uniform"]
    same([table["truth"][i] for i in own], [t["probability"] for t in document["truth"]])
    for place, row in zip(own, document["private"], strict=True):
        same([table[level][place] for level in QUANTILE_NAMES], row["quantiles"])
    again = shell(["query", "--scenario", str(file)])
    same(again, document)


PAGES = ("explore_tradeoff", "allocate_budget", "measure_utility", "assess_risk",
         "compare_methods")  # fmt: skip
"""Pages whose views answer for the scenario of the sidebar."""


def lines(screen):
    """Command lines of all views on a page, each once."""
    shown = [e.proto for e in screen.at.get("bidi_component") if e.proto.bytes]
    views = [view for proto in shown for view in json.loads(proto.bytes).get("views", [])]
    every = [dict(map(tuple, view.get("details", ()))).get("Command line", "") for view in views]
    return [shlex.split(line)[2:] for line in dict.fromkeys(every) if line.startswith("python cli")]


def own(line):
    """The verb and what a view adds to the scenario."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    study_arguments(parser)
    return [line[0], *parser.parse_known_args(line[1:])[1]]


@pytest.mark.parametrize("name", PAGES)
def test_every_view_of_every_page_answers_as_the_saved_scenario_does(
    page, saving, shell, tmp_path, name
):
    """Saved on a page, opened on another visitor's: each line there equals the file's answer."""
    file = tmp_path / "scenario.json"
    few = {"compare_methods": "uniform"} if name == "compare_methods" else {}
    first = ask_session(page(name, **SCENARIO, **few), options={"asia": OWN})
    file.write_bytes(saving())
    second = page(name, network="child", replicates="10", **few)
    second.at.file_uploader(key="scenario_file").set_value(
        ("scenario.json", file.read_bytes(), "application/json")
    ).run()
    second.at.button(key="open_scenario").click().run()
    assert saving() == file.read_bytes()
    assert lines(second) == lines(first)
    asked = [line for line in lines(first) if line[0] in TAKING]
    assert asked
    for line in asked:
        more = FEWER.get(line[0], ())
        told = shell([*own(line), *more, "--scenario", str(file)])
        same(lasting(told), lasting(shell([*line, *more])), " ".join(line))


def test_what_is_said_on_the_line_holds_before_the_file(shell, tmp_path):
    file = tmp_path / "s.json"
    shell(["query", "--network", "asia", "--records", "300", "--replicates", "4", "--epsilon", "2",
           "--target", "lung", "--save-scenario", str(file)])  # fmt: skip
    other = shell(["query", "--target", "tub", "--epsilon", "1", "--scenario", str(file)])
    assert other["targets"] == ["tub"] and other["epsilon"] == 1
    for verb in ("allocate", "risk"):
        told = shell([verb, "--scenario", str(file), "--method", "uniform"])
        plain = shell([verb, "--network", "asia", "--records", "300", "--replicates", "4",
                       "--epsilon", "2", "--method", "uniform"])  # fmt: skip
        same(told, plain)


def test_a_scenario_of_ones_own_records_is_taken_up_beside_them(shell, tmp_path, capsys):
    study = sampled_study("asia", None, records=200, seed=1)
    rows = tmp_path / "rows.csv"
    codes = study.dataset.codes
    named = [[v.states[k] for v, k in zip(study.network.variables, r, strict=True)] for r in codes]
    text = "\n".join(",".join(row) for row in [study.network.names, *named])
    rows.write_text(text, encoding="utf-8")
    file, data = tmp_path / "s.json", ["--network", "asia", "--data", str(rows)]
    line = ["--target", "dysp", "--replicates", "5", "--method", "equipoise"]
    document = shell(["query", *data, *line, "--save-scenario", str(file)])
    assert json.loads(file.read_text(encoding="utf-8"))["network"] is None
    same(shell(["query", *data, "--scenario", str(file)]), document)
    assert main(["query", "--scenario", str(file)]) == 2
    assert "give exactly one of --network NAME and --dag FILE" in capsys.readouterr().err
    assert main(["query", "--network", "child", "--scenario", str(file)]) == 2
    assert "with another graph or other states" in capsys.readouterr().err


def test_a_file_that_is_none_is_one_sentence_behind_both_doors(page, tmp_path, capsys):
    file = tmp_path / "s.json"
    file.write_text('{"equipoise-scenario": 1, "network": "<b>x</b>"}', encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["query", "--scenario", str(file)])
    assert ended.value.code == 2
    assert capsys.readouterr().err.strip().count("\n") == 0
    screen = page("explore_tradeoff", network="asia", replicates="10")
    screen.at.file_uploader(key="scenario_file").set_value(
        ("s.json", file.read_bytes(), "application/json")
    ).run()
    screen.at.button(key="open_scenario").click().run()
    assert not screen.at.exception
    (said,) = [e.value for e in screen.at.error]
    assert "no sample network" in said and "<b>" not in said
    assert screen.at.session_state["network"] == "asia"


def test_a_view_offers_its_call_its_line_and_its_figure(page, shell):
    views = page("explore_tradeoff", network="asia", records="300", replicates="10").board["views"]
    details = dict(views[0]["details"])
    assert details["Python"] == ""  # the browser writes it, as tests/browser/test_explore.py holds
    calls = dict(offered([("Command line", details["Command line"])]))
    called = re.fullmatch(r'from cli import ask\nask\("(.*)"\)', calls["Python"])
    assert called is not None
    same(ask(called[1]), shell(command(views[0])))
    assert "--figure" in details["Figure"]


def test_the_verbs_that_draw_are_those_that_say_so():
    drawing = set()
    for verb in VERBS.keys() | {"query"}:
        parser = build_parser()
        options = parser.parse_known_args([verb, *VERBS.get(verb, ())])[0]
        if "figure" in vars(options):
            drawing.add(verb)
    assert drawing == set(DRAWING)
