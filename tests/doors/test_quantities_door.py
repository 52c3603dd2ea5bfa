"""One quantity, one number: the same on Explore, on Utility and in the shell."""

import re

import pytest

from core.study.quantities import ANSWERS, QUANTITIES, ROW_ALIKE, ROW_WEIGHTED
from core.study.quantities import SINGLE_PROBABILITIES as PROBABILITIES
from release import words
from tests.doors.conftest import finish, same

SCENARIO = {"network": "asia", "records": "2000", "replicates": "10", "seed": "5"}
KNOBS = "--network asia --records 2000 --replicates 10 --seed 5 --epsilons 1 --methods equipoise"
LINE = f"sweep {KNOBS}"


def finding(data):
    return "".join(text for text, _ in data["finding"])


def value(view, variant, method):
    said = view["variants"][variant]["figure"]["layout"]["meta"]["values"][method]
    return said.split()[0]


@pytest.fixture
def utility(page):
    return finish(page("measure_utility", **SCENARIO), "sweep").sheet("utility")


def test_both_row_errors_are_told_apart_and_agree(page, utility, shell):
    told = {row["metric"]: row for row in shell(LINE.split())["rows"]}
    alike, weighted = (told[q.key]["quantiles"][3] for q in (ROW_ALIKE, ROW_WEIGHTED))
    assert alike > 5 * weighted, "two quantities that one name would confuse"
    explore = page("explore_tradeoff", **SCENARIO).board
    assert value(explore["error"], 0, "equipoise") == f"{weighted:.2g}"
    rows = utility["l1_row"]
    titles = [v["figure"]["layout"]["yaxis"]["title"]["text"] for v in rows["variants"]]
    assert titles[:2] == [ROW_ALIKE.axis, ROW_WEIGHTED.axis]
    assert value(rows, 0, "equipoise") == f"{alike:.2g}"
    assert value(rows, 1, "equipoise") == f"{weighted:.2g}"
    assert f"{ROW_WEIGHTED.subject} {words.error(weighted)}" in finding(explore)
    assert PROBABILITIES.subject in finding(explore)
    assert ROW_WEIGHTED.name in explore["error"]["subtitle"]


def test_utilitys_finding_is_the_shells_number(utility, shell):
    told = next(r for r in shell(LINE.split())["rows"] if r["metric"] == ANSWERS.key)
    said = finding(utility).replace(f" ({ANSWERS.unit})", "")
    assert f"At ε = 1 {ANSWERS.subject} " in said
    assert re.search(rf"{words.error(told['quantiles'][3])} with equipoise[,. ]", said)


def test_the_tables_of_page_and_shell_carry_the_names(utility, capsys):
    from cli import main

    assert main(LINE.split()) == 0
    printed = capsys.readouterr().out
    heads = utility["matches"]["table"]["head"]
    for key in ("l1_row", "l1_weighted", "marginal_l1", "query_l1", "map_accuracy"):
        assert f"{key} ({QUANTITIES[key].name}" in printed
        assert QUANTITIES[key].name in heads


def test_a_point_of_a_curve_is_the_shells(utility, shell):
    table = dict(zip(utility["l1_row"]["table"]["head"], utility["l1_row"]["table"]["columns"],
                     strict=True))  # fmt: skip
    points = list(zip(table["metric"], table["method"], table["epsilon"], strict=True))
    for row in shell(LINE.split(), "--metrics", "l1_row,l1_weighted")["rows"]:
        place = points.index((row["metric"], row["method"], row["epsilon"]))
        same(table["median"][place], row["quantiles"][3])
