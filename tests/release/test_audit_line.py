"""An audit in a review: of the mechanism that is proposed, with the δ it tests and its power."""

import functools

import pytest

from core.errors import EquipoiseError
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from release.audit.auditing import Ask, audit
from release.dossier.document import dossier
from release.dossier.page import page
from release.review.checklist import review
from tests.release.reviewing import proposal

PLAIN = Scenario(epsilon=1.0)
LOCKED = Options(floors=(("smoke", 0.3),), weights=(("lung", 2.0),))


@functools.cache
def audited(scenario=PLAIN, trials=400, method="equipoise"):
    return audit(Ask(method=method, scenario=scenario, trials=trials))


def line_of(asked):
    (line,) = [line for line in review(asked).lines if line.key == "audited"]
    return line


@pytest.mark.parametrize(
    "other",
    [
        Scenario(epsilon=1.0, options=LOCKED),
        Scenario(epsilon=1.0, options=Options(weights=(("lung", 2.0),))),
        Scenario(epsilon=1.0, options=Options(prior=1.0)),
        Scenario(epsilon=1.0, neighbours=Neighbours.REPLACE),
        Scenario(epsilon=2.0),
    ],
)
def test_an_audit_of_other_knobs_does_not_count(other):
    """Locks and weights make another mechanism: what was found of it says nothing of this one."""
    found = audited()
    assert proposal(audit=found).audit is found
    with pytest.raises(EquipoiseError, match="other knobs"):
        proposal(audit=found, scenario=other)
    own = audited(other)
    assert proposal(audit=own, scenario=other).audit is own


def test_knobs_a_method_does_not_have_change_nothing():
    other = Scenario(epsilon=1.0, split=0.3, rate=0.2, seed=9, options=Options(delta=1e-9))
    found = audited()
    assert proposal(audit=found, scenario=other).audit is found
    first = audited(method="data-dependent-icml")
    with pytest.raises(EquipoiseError, match="other knobs"):
        proposal(method="data-dependent-icml", audit=first, scenario=other)


def test_the_line_says_that_half_the_noise_would_have_been_caught():
    line = line_of(proposal(audit=audited(trials=4000)))
    assert line.state == "pass"
    assert "half the noise would have been caught" in line.sentence


def test_line_and_dossier_name_the_delta_tested_and_an_audit_that_sees_little():
    scenario = Scenario(epsilon=1.0, options=Options(delta=1e-7))
    found = audited(scenario, method="equipoise-zcdp")
    asked = proposal(method="equipoise-zcdp", scenario=scenario, audit=found)
    line = line_of(asked)
    assert line.state == "note"
    at = f"at δ = {found.tested.delta:.2g}"
    assert line.number.endswith(at)
    assert "half the noise would not have been caught" in line.sentence
    assert "400 runs cannot see δ = 10⁻⁷" in line.sentence
    document = dossier(asked, review(asked), command="x")
    assert document["audit"]["delta"] == 1e-7
    assert document["audit"]["tested"]["delta"] == found.tested.delta
    assert document["audit"]["catches_half_the_noise"] is False
    assert at in page(document)
    assert "do not catch a copy with half the noise" in page(document)
