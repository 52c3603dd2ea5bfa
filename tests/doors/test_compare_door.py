"""Compare against ``compare``."""

import pytest

from figures.bands import QUANTILE_NAMES
from tests.doors.conftest import command, finish, same

SCENARIO = {"network": "asia", "records": "500", "eps": "0.6", "replicates": "10", "seed": "5"}
FEW = ["uniform", "equipoise", "equipoise-zcdp"]


@pytest.mark.parametrize("price", ["epsilon", "power", "auc"])
def test_curves_pareto_set_and_words(page, shell, price):
    screen = page("compare_methods", **SCENARIO)
    screen.at.pills(key="compare_methods").set_value(FEW).run()
    screen.at.segmented_control(key="compare_price").set_value(price).run()
    view = finish(screen, "frontier").sheet("compare")["frontier0"]
    document = shell(command(view), "--workers", "1")
    (told,) = document["networks"]
    table = dict(zip(view["table"]["head"], view["table"]["columns"], strict=True))
    assert table["network"] == [told["network"]] * len(told["rows"])
    for place, row in enumerate(told["rows"]):
        assert table["method"][place] == row["method"]
        assert table["promise"][place] == row["promise"]
        assert table["pareto"][place] == row["pareto"]
        same(table["paid"][place], row["paid"])
        same([table[level][place] for level in QUANTILE_NAMES], row["quantiles"])
    finding = "".join(text for text, _ in screen.sheet("compare")["finding"])
    assert " ".join(told["said"]) == f"{finding} {view['subtitle']}"
    assert all(sentence in view["caption"] for sentence in told["absent"])
