"""Known tables in a release: published as stated, not charged, and said where it is signed."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from cli import main
from core.methods.registry import METHODS
from core.options import PLAIN
from core.scenario import Scenario
from core.study.metrics import Truth, node_errors
from release.audit.auditing import SMALL, Ask, auditing
from release.files import read_published
from release.ledger.spending import order_digest
from release.preview import preview
from release.publish import publish
from release.review.checklist import review
from sources.known import stated_known
from sources.networks import sample
from sources.study import open_network
from tests.release.ordering import here, order
from tests.release.reviewing import proposal

RELEASABLE = [name for name, method in METHODS.items() if not method.refused]
ASIA = sample("asia").network
FILE = ("zeros.json", b'{"impossible": [{"asia": "no", "tub": "yes"}]}')
KNOWN = stated_known(PLAIN, ASIA, open_network("asia", None), ["either"], FILE)


@pytest.mark.parametrize("method", RELEASABLE)
def test_a_known_table_is_released_byte_for_byte_and_not_measured(method, study, ledger, tmp_path):
    scenario = Scenario(epsilon=0.5, options=KNOWN)
    asked = order(study, method=method, scenario=scenario, synthetic=50)
    outcome = publish(asked, ledger, tmp_path, workers=here())
    found = outcome.published
    place = ASIA.position["either"]
    own = ASIA.layout.slices[place]
    assert found.model.values[own].tobytes() == KNOWN.known[0].on(ASIA).tobytes()
    tub = found.model.conditional(ASIA.position["tub"]).values
    assert tub[1].tolist() == [0, 1]
    shown = preview(ASIA, method, scenario)
    plain = preview(ASIA, method, Scenario(epsilon=0.5))
    assert found.cost <= (found.rho or found.epsilon)
    assert sum(m.cells for m in shown.measurements) < sum(m.cells for m in plain.measurements)
    read = read_published(outcome.directory, found.files)
    assert read.options == KNOWN
    assert read.model.values.tobytes() == found.model.values.tobytes()


def test_only_the_tables_that_are_left_share_the_budget():
    shown = preview(ASIA, "one-table", Scenario(epsilon=0.7, options=KNOWN))
    assert len(shown.measurements) == 7
    assert {m.variables[-1] for m in shown.measurements} == set(ASIA.names) - {"either"}
    assert all(m.budget == pytest.approx(0.1) for m in shown.measurements)
    assert shown.cost <= Fraction(7, 10)


def test_the_review_names_what_is_stated_and_by_whom():
    plain, stated = (
        review(proposal(scenario=Scenario(options=options))) for options in (PLAIN, KNOWN)
    )
    assert "known" not in {line.key for line in plain.lines}
    (line,) = [line for line in stated.lines if line.key == "known"]
    assert (line.state, line.basis) == ("note", "stated")
    assert "either (as in the network file)" in line.sentence
    assert "1 impossible cell of tub (zeros.json)" in line.sentence
    assert "stated public" in line.sentence


def test_another_statement_is_another_order():
    def digest(options):
        return order_digest(
            ASIA, "uniform", Scenario(options=options), synthetic=0, graph_epsilon=0,
            acceptance=(), acceptance_epsilon=0,
        )  # fmt: skip

    assert len({digest(o) for o in (PLAIN, KNOWN, replace(KNOWN, possible=()))}) == 3


def test_a_known_table_has_no_noise_in_the_forecast():
    for method in ("equipoise", "uniform", "one-table", "equipoise-filter"):
        noise = proposal(method=method, scenario=Scenario(options=KNOWN)).noise.deviations
        assert [n for n, d in zip(ASIA.names, noise, strict=True) if d == 0] == ["either"]


def test_asia_gains_where_either_is_known(study):
    """The same ε, the same records: less error in every other table together, none in either."""
    counts, errors = study.counts, []
    for options in (PLAIN, replace(KNOWN, possible=())):
        truth = Truth.of(ASIA, counts, options)
        scenario = Scenario(epsilon=0.3, replicates=200, options=options)
        release = METHODS["one-table"].run(ASIA, counts, scenario, rng=np.random.default_rng(0))
        errors.append(node_errors(truth, release.model).mean(axis=0))
    place = ASIA.position["either"]
    assert errors[1][place] == 0 < errors[0][place]
    assert np.delete(errors[1], place).sum() < np.delete(errors[0], place).sum()


def test_the_shell_says_known(capsys):
    line = ["allocate", "--network", "asia", "--records", "500", "--replicates", "3"]
    assert main([*line, "--known", "either"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in shown if row.endswith("known")] == ["either"]
    assert main([*line, "--known", "nobody"]) == 2
    assert "no variable 'nobody'" in capsys.readouterr().err
    assert main([*line, "--known", "either", "--floors", "either=0.2"]) == 2
    assert "takes no budget" in capsys.readouterr().err


@pytest.mark.parametrize("method", ("equipoise", "uniform"))
def test_an_audit_of_known_tables_finds_nothing_and_catches_half_the_noise(method):
    scenario = Scenario(epsilon=1.0, options=KNOWN)
    ask = Ask(method=method, scenario=scenario, trials=2000)
    for network in SMALL:
        own = ask.on(network).options
        assert len(own.known) == min(1, len(network.names) - 1)
    (*_, last) = auditing(ask)
    assert last.verdict == "none found"
    assert last.catches_half
