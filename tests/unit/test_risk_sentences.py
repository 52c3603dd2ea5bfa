"""Risk's words: few are not none, one table is not composed."""

from core.membership.curves import find
from core.network import Network
from core.scenario import Scenario
from core.study.exposure import guarantees, standing
from core.study.metrics import Truth
from sources.study import sampled_study

STUDY = sampled_study("asia", None, records=10_000, seed=0)


def test_three_of_ten_thousand_members_are_not_none():
    truth = Truth.of(STUDY.network, STUDY.counts)
    rails = standing(truth, STUDY.counts.rows, STUDY.population).rails
    (cells,) = [rail for rail in rails if rail.key == "cells"]
    inside = int(cells.rest.split("; ")[1].split()[0])
    assert 0 < inside < 50
    assert f"{inside} members ({inside / 100:.2f} %) are in one" in cells.rest


def test_one_table_holds_all_of_the_budget():
    scenario = Scenario(replicates=2)
    (alone, *_) = STUDY.network.variables
    one = Network((alone,), ((),))
    curves = guarantees("equipoise", one, STUDY.counts, scenario, spent=0.0)
    assert find(curves, "composed").estimate == "1 table holds all of ε"
    curves = guarantees("uniform", STUDY.network, STUDY.counts, scenario, spent=0.0)
    assert find(curves, "composed").estimate == "composed over 16 tables"
