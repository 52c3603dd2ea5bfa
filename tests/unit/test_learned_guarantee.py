"""A graph learned from the records costs privacy too: its ε is in the guarantee."""

import numpy as np
import pytest

from core.membership.bound import guaranteed_power
from core.membership.curves import find, release_curves
from core.privacy import Neighbours
from core.scenario import Scenario
from core.study.experiments import rehearsals
from sources.study import sampled_study

STUDY = sampled_study("asia", None, records=1000, seed=0)


@pytest.mark.parametrize("method", ["uniform", "data-dependent-icml", "equipoise"])
def test_what_the_graph_cost_is_composed_in(method):
    scenario = Scenario(epsilon=1.0, replicates=2)
    release = next(rehearsals(method, STUDY.network, STUDY.counts, scenario))
    alarms = np.array([0.01, 0.1])
    known = (release.plan, release.noise, STUDY.network, STUDY.records)
    alone, learned = release_curves(*known), release_curves(*known, 0.5)
    expected = [guaranteed_power(float(a), 1.5, Neighbours.ADD_REMOVE) for a in alarms]
    np.testing.assert_allclose(find(learned, "pure_epsilon").powers(alarms), expected)
    together = find(learned, "composed").powers(alarms)
    assert (together <= np.array(expected) + 1e-9).all()
    assert (together > find(alone, "composed").powers(alarms)).all()


def test_a_guarantee_with_delta_is_not_composed_as_pure():
    scenario = Scenario(epsilon=1.0, replicates=2)
    release = next(rehearsals("equipoise-zcdp", STUDY.network, STUDY.counts, scenario))
    assert release.plan.delta > 0
    curves = release_curves(release.plan, release.noise, STUDY.network, STUDY.records, 0.5)
    assert find(curves, "composed") is None
    assert find(curves, "pure_epsilon") is not None
