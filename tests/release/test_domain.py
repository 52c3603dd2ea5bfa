"""A paid domain: charged before it is drawn, states alone, once for each click."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from cli import main
from core.errors import EquipoiseError
from core.membership.intervals import least_share, most_share
from core.methods.threshold import passing
from core.privacy import Neighbours
from release.domain import DomainOrder, planned, publish_domain
from release.ledger.folders import changed_files, check_receipts
from release.ledger.people import BudgetError
from release.meter import Meter
from release.process import Worker
from release.worker import ExactSampler
from tests.release.ordering import here

COUNTS = {"Bern": 900, "Basel": 300, "Uri": 1, "other": 40, "10": 200}
LINES = ["city,age", *(f"{city},1" for city, n in COUNTS.items() for _ in range(n)), ",1", "NA,1"]
DATA = ("cities.csv", "\n".join(LINES).encode())


def domain_order(token="click", **changes):
    first = DomainOrder(
        data=DATA,
        column="city",
        epsilon=Fraction(1, 2),
        delta=Fraction(1, 10**6),
        neighbours=Neighbours.ADD_REMOVE,
        token=token,
        budget=Fraction(2),
        delta_budget=Fraction(1, 10**5),
    )
    return replace(first, **changes)


class Fixed(ExactSampler):
    """Noise that a test decides."""

    def __init__(self, value):
        self.value = value

    def noise(self, kind, scales, cells):
        return np.full(sum(cells), self.value)


def test_states_are_those_present_and_other(ledger, tmp_path):
    found = publish_domain(domain_order(), ledger, tmp_path)  # in a process of its own
    assert set(found.states) <= {*COUNTS, "other"}
    assert found.states[-1] == "other"
    assert {"Bern", "Basel", "10"} <= set(found.states)  # above by 80 noise scales and more
    assert list(found.states[:-1]) == sorted(found.states[:-1])


def test_it_is_charged_exactly_and_known_to_the_ledger(ledger, tmp_path):
    found = publish_domain(domain_order(), ledger, tmp_path, workers=here())
    (line,) = found.account.lines
    assert (line.epsilon, line.delta) == (Fraction(1, 2), Fraction(1, 10**6))
    assert ledger.verify().problems == ()
    assert changed_files(ledger) == ()
    check_receipts(ledger, tmp_path)
    schema = json.loads((found.directory / "schema.json").read_bytes())
    (entry,) = schema["columns"]
    assert entry["states"] == list(found.states)
    assert entry["outside"] == "state"
    assert entry["source"].startswith("paid: ε = 0.5, δ = 10⁻⁶")
    assert found.line.id in entry["source"]
    assert f"entry {found.line.receipt.number} " in entry["source"]
    (found.directory / "domain.json").write_bytes(b"{}")
    assert len(changed_files(ledger)) == 1


def test_the_noise_and_the_threshold_decide(ledger, tmp_path):
    limit = planned(domain_order()).least
    lifted = publish_domain(domain_order(), ledger, tmp_path, workers=here(Fixed(limit - 1)))
    assert set(lifted.states) == set(COUNTS)
    sunk = domain_order("again")
    found = publish_domain(sunk, ledger, tmp_path, workers=here(Fixed(-1000)))
    assert found.states == ("other",)


def test_one_click_pays_once(ledger, tmp_path):
    first = publish_domain(domain_order(), ledger, tmp_path, workers=here())
    again = publish_domain(domain_order(), ledger, tmp_path, workers=here(Fixed(0)))
    assert again.repeated
    assert again.states == first.states
    assert len(ledger.accounts()[0].lines) == 1
    with pytest.raises(EquipoiseError, match="another release"):
        publish_domain(domain_order(column="age"), ledger, tmp_path, workers=here())


def test_what_fails_after_the_spend_is_lost_and_stays_spent(ledger, tmp_path):
    class Broken(ExactSampler):
        def noise(self, kind, scales, cells):
            assert len(ledger.accounts()[0].lines) == 1  # on disk before anything is drawn
            raise EquipoiseError("the process ended")

    with pytest.raises(EquipoiseError, match="is lost and its budget stays spent"):
        publish_domain(domain_order(), ledger, tmp_path, workers=here(Broken()))
    (line,) = ledger.accounts()[0].lines
    assert line.state == "lost"
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"column": "town"}, "has no column 'town'"),
        ({"delta": Fraction(0)}, "δ of a domain is 0"),
        ({"epsilon": Fraction(0)}, "must be more than zero"),
        ({"schema": ("s.json", b'{"columns": 3}')}, "no list 'columns'"),
        ({"per_unit": 0}, "at least 1 record"),
    ],
)
def test_bad_orders_cost_nothing(changes, message, ledger, tmp_path):
    with pytest.raises(EquipoiseError, match=message):
        publish_domain(domain_order(**changes), ledger, tmp_path, workers=here())
    assert ledger.accounts() == ()


def test_more_than_the_budget_is_refused(ledger, tmp_path):
    with pytest.raises(BudgetError, match="costs ε = 3"):
        publish_domain(domain_order(epsilon=Fraction(3)), ledger, tmp_path, workers=here())
    with pytest.raises(BudgetError, match="costs δ"):
        publish_domain(domain_order(delta=Fraction(1, 100)), ledger, tmp_path, workers=here())


def test_other_columns_of_a_schema_are_kept(ledger, tmp_path):
    own = {"columns": [{"name": "age", "bins": [0, 10]}, {"name": "city", "states": ["x"]}]}
    order = domain_order(schema=("s.json", json.dumps(own).encode()))
    found = publish_domain(order, ledger, tmp_path, workers=here())
    schema = json.loads((found.directory / "schema.json").read_bytes())
    assert [entry["name"] for entry in schema["columns"]] == ["age", "city"]
    assert schema["columns"][0] == {"name": "age", "bins": [0, 10]}


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("per_unit", [1, 3])
def test_the_release_noise_keeps_the_claim(neighbours, per_unit):
    """ExactSampler noise through meter and worker: 4,000 values at once are as many runs."""
    order = domain_order(delta=Fraction(1, 50), neighbours=neighbours, per_unit=per_unit)
    limit, runs = planned(order), 4000

    def shares(count, drawer):
        meter = Meter(order.epsilon, Fraction(0), neighbours, drawer)
        drawn = passing("c", np.full(runs, float(count)), limit, replicates=1, rng=meter)
        assert limit.scale <= meter.measurements[0].scale <= limit.scale * (1 + 1e-12)
        hits = int(drawn.sum())
        return least_share(hits, runs, 1e-6), most_share(hits, runs, 1e-6)

    with Worker() as drawer:
        for count in (1, limit.least - 1, limit.least):
            low, high = shares(count, drawer)
            assert low <= limit.chance(count) <= high
    assert limit.chance(1) <= float(order.delta)


def test_the_shell_buys_what_the_function_gives(tmp_path, capsys):
    file = tmp_path / DATA[0]
    file.write_bytes(DATA[1])
    line = ["domain", "--data", str(file), "--column", "city", "--epsilon", "0.5", "--delta"]
    line += ["1e-6", "--ledger", str(tmp_path / "l.db"), "--out", str(tmp_path / "out"), "--json"]
    assert main([*line, "--preview"]) == 0
    shown = json.loads(capsys.readouterr().out)
    limit = planned(domain_order())
    assert (shown["scale"], shown["threshold"]) == (limit.scale, limit.least)
    assert not (tmp_path / "l.db").exists()
    assert main([*line, "--token", "a"]) == 2  # no budget is stated
    assert "these data have no budget yet" in capsys.readouterr().err
    assert main([*line, "--token", "a", "--budget", "0.6", "--delta-budget", "1e-5"]) == 0
    bought = json.loads(capsys.readouterr().out)
    assert set(bought["states"]) <= {*COUNTS, "other"}
    assert bought["remaining"] == pytest.approx(0.1)
    assert main([*line, "--token", "b"]) == 3
    assert "has 0.1 left" in capsys.readouterr().err


def test_a_schema_that_no_file_can_hold_is_one_sentence(ledger, tmp_path):
    half = ("schema.json", b'{"columns": [{"name": "\\ud800", "states": ["a"]}]}')
    with pytest.raises(EquipoiseError, match=r"schema\.json holds a \\u escape"):
        publish_domain(domain_order(schema=half), ledger, tmp_path / "out", workers=here())
    assert ledger.accounts() == ()
