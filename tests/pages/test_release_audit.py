"""The audit on its page: which mechanism it is remembered for, and what its board says."""

import shlex

import pytest

from cli import main
from core.options import Options
from core.privacy import Neighbours
from core.scenario import Scenario
from pages.ui.release.audit import view
from pages.ui.release.numbers import audit_key
from release.audit.auditing import Ask, audit

LOCKED = Options(floors=(("smoke", 0.3),), weights=(("lung", 2.0),), delta=1e-5)


@pytest.mark.parametrize(
    "other",
    [
        Options(floors=LOCKED.floors),
        Options(weights=LOCKED.weights),
        Options(prior=0.5),
        Options(delta=1e-5),
    ],
)
def test_an_audit_is_remembered_for_its_own_locks_weights_and_delta(other):
    plain = audit_key("equipoise-zcdp", Scenario())
    assert audit_key("equipoise-zcdp", Scenario(options=other)) != plain
    assert audit_key("equipoise-zcdp", Scenario(seed=5, replicates=7)) == plain
    assert audit_key("equipoise-zcdp", Scenario(neighbours=Neighbours.REPLACE)) != plain
    assert audit_key("equipoise-zcdp", Scenario(), "half-noise") != plain


def test_the_board_names_the_delta_tested_and_the_power():
    scenario = Scenario(epsilon=1.0, options=LOCKED)
    found = audit(Ask(method="equipoise-zcdp", scenario=scenario, trials=400))
    shown = view(found)
    assert f"tested at δ = {found.tested.delta:.2g}" in shown["subtitle"]
    assert "400 runs cannot see δ = 10⁻⁵" in shown["subtitle"]
    assert "do not catch a copy with half the noise" in shown["caption"]
    assert shown["table"]["columns"][2][0] == round(found.tested.epsilon, 4) < 1


def test_the_command_on_the_board_repeats_the_audit(capsys):
    scenario = Scenario(epsilon=1.0, split=0.2, options=LOCKED, seed=3)
    found = audit(Ask(method="data-dependent-icml", scenario=scenario, trials=400))
    (command,) = [text for name, text in view(found)["details"] if name == "Command line"]
    _, _, *arguments = shlex.split(command)
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[0] == found.sentence
