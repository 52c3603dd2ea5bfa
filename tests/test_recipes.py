"""CONTRIBUTING's recipes, followed as they are written."""

import json
import re
import textwrap
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from cli import main
from core.methods.method import Method, Release, packed_counts
from core.methods.plans import paired_plan
from core.methods.procedure import draw_families, merge
from core.methods.registry import METHODS
from core.parameters import fit
from core.privacy import Guarantee
from core.scenario import Scenario
from core.study.experiments import rehearsals
from core.study.frontier_points import GRID
from figures.bands import Axes, Band, band_figure
from figures.template import resolved
from pages.ui.compare import points
from pages.ui.kit import entries
from sources.study import sampled_study
from tests.pages.conftest import curve, ledger, open_app  # noqa: F401 - fixtures

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAMES = {
    thing.__name__: thing
    for thing in (Axes, Band, Guarantee, Method, Release, band_figure, draw_families, fit, merge,
                  packed_counts, paired_plan)
} | {"np": np}  # fmt: skip


def recipe(title):
    """The code of one recipe."""
    section = TEXT.split(f"### {title}\n")[1].split("\n### ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return "\n".join(textwrap.dedent(block) for block in blocks)


def followed(title):
    space = dict(NAMES)
    exec(recipe(title), space)
    return space


@pytest.fixture
def method(monkeypatch):
    added = followed("A method")["method"]
    monkeypatch.setitem(METHODS, added.name, added)
    return added


def test_a_method_of_the_recipe_spends_its_budget_and_no_more(method):
    study = sampled_study("asia", None, records=500, seed=0)
    scenario = Scenario(epsilon=0.7, replicates=4)
    (release,) = rehearsals(method.name, study.network, study.counts, scenario)
    assert release.plan.spent == pytest.approx(0.7)
    assert release.plan.node_epsilon[0] == pytest.approx(0.35)
    np.testing.assert_allclose(study.network.layout.row_totals(release.model.values), 1)


def test_the_shell_offers_it_without_another_line(method, capsys):
    line = ["--network", "asia", "--replicates", "2", "--records", "200", "--method", method.name]
    assert main(["allocate", *line]) == 0
    assert "halves spends ε = 1 of 1" in capsys.readouterr().out


def test_it_stands_on_the_frontier_in_the_shell_and_is_audited(method, capsys, tmp_path):
    line = ["--network", "asia", "--replicates", "3", "--records", "200", "--epsilons", "1,3"]
    few = ["--workers", "1", "--figure", str(tmp_path / "frontier.json")]
    assert main(["compare", *line, *few, "--json"]) == 0
    told = capsys.readouterr().out
    (network,) = json.loads(told)["networks"]
    assert [r["epsilon"] for r in network["rows"] if r["method"] == method.name] == [1.0, 3.0]
    assert f'"name": "{method.name}"' in (tmp_path / "frontier.json").read_text(encoding="utf-8")
    assert main(["audit", "--method", method.name, "--trials", "400"]) == 0
    assert method.name in capsys.readouterr().out


def test_it_stands_on_the_frontier_page(method, open_app, monkeypatch):  # noqa: F811
    monkeypatch.setattr(
        points, "cores", lambda: 1
    )  # other processes know the registry's file alone
    screen = open_app(network="asia", records="200", replicates="10").visit("compare_methods")
    assert method.name in screen.at.pills(key="compare_methods").options
    screen.at.pills(key="compare_methods").set_value([method.name, "equipoise"]).run()
    screen.at.session_state["jobs"]["frontier"].thread.join(60)
    screen.at.run()
    view = screen.sheet("compare")["frontier0"]
    assert curve(view, method.name)["x"] == list(GRID)


def test_a_figure_of_the_recipe_is_one_that_plotly_draws():
    epsilons = np.geomspace(0.1, 3, 5)
    quantiles = np.linspace(0.5, 1.5, 7)[:, None] / epsilons
    figure = followed("A figure")["doubt_figure"](epsilons, quantiles, 1.0)
    go.Figure(resolved(figure, 0))
    median = next(trace for trace in figure["data"] if trace.get("name") == "equipoise")
    np.testing.assert_allclose(median["y"], quantiles[3], rtol=1e-4)


def test_a_page_of_the_recipe_shows_its_number(tmp_path, monkeypatch):
    (tmp_path / "pages").mkdir()
    for path in (ROOT / "pages").iterdir():
        (tmp_path / "pages" / path.name).symlink_to(path)
    (tmp_path / "pages" / "size_up.py").write_text(recipe("A page"), encoding="utf-8")
    (tmp_path / "app.py").write_text((ROOT / "app.py").read_text("utf-8"), encoding="utf-8")
    added = entries.Entry("size_up", "Size", "How much is there to protect?")
    monkeypatch.setattr(entries, "PAGES", (*entries.PAGES, added))
    screen = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=60).run()
    screen.switch_page("pages/size_up.py").run()
    assert not screen.exception
    assert added.answers in [caption.value for caption in screen.caption]
    network = sampled_study("asia", None, records=10, seed=0).network
    assert [m.value for m in screen.metric] == [f"{network.complexity:,}"]
