"""Synthesise does not contradict itself: what was searched, which records, which β."""

import json

import numpy as np
import pytest

from tests.pages.releasing import letters

FILE = "synthesise_data"


def records(count):
    """Two columns that depend on each other."""
    rng = np.random.default_rng(3)
    first = rng.integers(2, size=count)
    second = np.where(rng.random(count) < 0.9, first, 1 - first)
    return "a,b\n" + "".join(f"{a},{b}\n" for a, b in zip(first, second, strict=True))


SCHEMA = json.dumps({"columns": [{"name": n, "states": ["0", "1"]} for n in ("a", "b")]})


def use(page, count):
    page.upload(synth_data=("people.csv", records(count)), synth_schema=("s.json", SCHEMA))
    page.at.button(key="synth_use").click().run()
    assert not page.errors
    return page


def searched(page):
    (said,) = (c.value for c in page.at.main.caption if c.value.startswith("The search:"))
    return said


def finding(page):
    return "".join(text for text, _ in page.sheet("synthesis")["finding"])


@pytest.mark.parametrize(
    ("seed", "search", "found"),
    [
        (0, "142 records, as counted with noise, and 2 columns, tables", "a network of 1 edge"),
        (1, "138 records, as counted with noise, and 2 columns, tables", "chose no edge"),
        (2, "goes to single columns (k = 0)", "no structure pays"),
    ],
)
def test_the_search_and_the_finding_agree_where_noise_decides(open_app, seed, search, found):
    """By the exact 30 records no edge pays; the search goes by a noisy number, 1 to 142 here."""
    page = open_app(network="asia", seed=str(seed)).visit(FILE)
    page.at.selectbox(key="synth_method").set_value("privbayes-plus")
    use(page, 30)
    assert search in searched(page)
    assert found in finding(page)


def sidebar(page):
    return [letters(caption.value) for caption in page.at.sidebar.caption]


def test_the_sidebar_says_which_records_are_synthesised(open_app):
    page = use(open_app(network="asia").visit(FILE), 60)
    assert page.at.selectbox(key="network").disabled
    (records,) = [field for field in page.at.sidebar.text_input if field.label == "Records"]
    assert records.disabled and records.value == "60"
    assert sidebar(page)[0].startswith("Not used here: Synthesise works on people.csv, 60 records")
    line = "people.csv, 60 records, ε 1, one record added or removed"
    assert any(said.startswith(line) for said in sidebar(page))
    assert not any("10,000" in said for said in sidebar(page))
    page.visit("explore_tradeoff")
    assert not page.at.selectbox(key="network").disabled
    line = "asia (8 nodes, 8 edges), 10,000 records"
    assert any(said.startswith(line) for said in sidebar(page))


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (FILE, "Synthesise has one β, the structure's"),
        ("compare_undirected", "no estimator of this page has a Stage I"),
    ],
)
def test_the_sidebars_beta_and_gamma_are_inactive_with_a_reason(
    open_app, monkeypatch, file, reason
):
    """Also while a method with a Stage I is on show elsewhere."""
    from pages.ui.undirected import page as undirected

    monkeypatch.setattr(undirected, "START", [])
    screen = open_app(network="asia", replicates="10")
    screen.at.button(key="show_stage_one").click().run()
    assert not screen.at.number_input(key="beta").disabled
    screen.visit(file)
    assert screen.at.number_input(key="beta").disabled
    assert screen.at.number_input(key="gamma").disabled
    assert any(reason in said for said in sidebar(screen))
    assert "show_stage_one" not in [button.key for button in screen.at.button]
    screen.visit("explore_tradeoff")
    assert not screen.at.number_input(key="beta").disabled
