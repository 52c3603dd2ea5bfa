"""One review, two doors: the page's document and that of its command line are the same bytes."""

import html
import json
import re
import shlex
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from cli import main
from core.options import Options
from pages.ui.kit import state
from pages.ui.release import rehearse
from release.dossier.page import page as dossier_page
from tests.pages.releasing import (
    EDGES,
    SCHEMA,
    lines,
    overrule,
    page,
    paper,
    records,
    stated,
    uploaded,
)


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    """The files of an upload under the names that a command line gives them, and a shell there."""
    for name, text in (EDGES, SCHEMA, ("records.csv", records()[1])):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main([*words, "--json"])
        said = capsys.readouterr()
        assert code == 0, said.err
        return json.loads(said.out)

    return run


def printed(screen):
    """The command on the page, as a shell splits it."""
    (found,) = re.findall(r'<code class="command">(.*?)</code>', paper(screen), re.S)
    words = shlex.split(html.unescape(re.sub(r"</?span>", "", found)))
    assert words[:3] == ["python", "cli.py", "release"]
    return words[2:]


def same(screen, document):
    """The page's paper holds the checksum of its whole document."""
    assert dossier_page(document["dossier"]) == paper(screen)
    shown = lines(screen)
    for line in document["checklist"]:
        for key in ("state", "number", "sentence", "reason"):
            assert shown[line["key"]][key] == line[key]
        advice = "" if line["state"] == "pass" else line["advice"]
        assert shown[line["key"]]["advice"] == advice
    exact = screen.at.dataframe[0].value.iloc[:, 3]
    assert list(exact) == [m["budget"] for m in document["measurements"]]


def test_a_sample_is_reviewed_alike(open_app, shell):
    screen = page(open_app, network="asia", records="2000", eps="0.35", beta="0.3")
    screen.at.text_area(key="release_said_use_0").set_value("teaching = showing").run()
    written = shell(
        "release", "--state", "use=teaching = showing",
        "--network", "asia", "--records", "2000", "--epsilon", "0.35", "--split", "0.3",
        "--replicates", "10", "--unit", "made-up person", "--name", "asia sample", "--budget", "4",
        "--ledger", "l.db", "--out", "out", "--preview",
    )  # fmt: skip
    same(screen, written)
    same(screen, shell(*printed(screen)))


@pytest.mark.parametrize("neighbours", ["added or removed", "replaced"])
def test_an_upload_with_reasons_and_a_rehearsal_is_reviewed_alike(open_app, shell, neighbours):
    screen = uploaded(open_app, schema=None, eps="1.3", neighbours=neighbours)
    number = 1200 if neighbours == "added or removed" else None
    overrule(stated(screen, records=number), "domain")
    name, content = screen.at.session_state["upload_files"].schema
    Path(name).write_bytes(content)
    screen.at.selectbox(key="rehearse_kind").set_value(rehearse.RANDOM).run()
    screen.at.button(key="rehearse_run").click().run()
    screen.at.session_state["jobs"]["release_rehearsal"].wait(30)
    screen.at.run()
    assert "uniformly random tables" in paper(screen)
    document = shell(*printed(screen))
    same(screen, document)
    assert {"domain"} == {x["key"] for x in document["checklist"] if x["reason"]}


def test_states_of_an_uploaded_network_are_public_only_if_the_steward_says_so(open_app, shell):
    states = ["zq-no", "zq-yes"]
    described = [{"name": "first", "states": states},
                 {"name": "second", "states": states, "parents": ["first"]}]  # fmt: skip
    graph = ("graph.json", json.dumps({"variables": described}))
    Path(graph[0]).write_text(graph[1])
    screen = stated(uploaded(open_app, schema=None, graph=graph, eps="0.2"))
    assert lines(screen)["domain"]["state"] == "fail"
    same(screen, shell(*printed(screen)))
    here = len(screen.at.session_state["release_slots"]) - 1
    screen.at.checkbox(key=f"release_domain_{here}").check().run()
    assert lines(screen)["domain"]["state"] == "pass"
    assert "The steward states that variables, states and bins are known" in paper(screen)
    same(screen, shell(*printed(screen)))


def test_locks_weights_delta_and_limits_are_in_the_pages_command(open_app, shell):
    screen = uploaded(open_app, eps="0.2")
    stated(screen)
    here = len(screen.at.session_state["release_slots"]) - 1
    session = screen.at.session_state["session"]
    asked = Options(0.123456789, (("first", 0.3333333333333333),), (("second", 2.5),))
    screen.at.session_state["session"] = replace(session, options={state.UPLOADED: asked})
    screen.at.run()
    screen.at.toggle(key=f"release_options_{here}").set_value(True).run()
    screen.at.selectbox(key=f"release_method_{here}").set_value("equipoise-zcdp").run()
    screen.at.number_input(key=f"release_delta_{here}").set_value(1.2345e-7).run()
    screen.at.number_input(key=f"release_noise_{here}").set_value(12.345678).run()
    words = printed(screen)
    told = dict(pairwise(words))
    assert told["--delta"] == "1.2345e-07"
    assert told["--floors"] == "first=0.3333333333333333"
    assert told["--weights"] == "second=2.5"
    assert told["--pseudo-count"] == "0.123456789"
    same(screen, shell(*words))
