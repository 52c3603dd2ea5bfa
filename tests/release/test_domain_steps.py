"""The steps of a paid domain: what each refuses, what a kill leaves, what a faster click did."""

import json
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import pytest

from core.errors import EquipoiseError
from core.methods.threshold import passing
from release import domain, files
from release.domain import planned, publish_domain
from release.ledger.book import Ledger
from tests.release.ordering import here
from tests.release.test_domain import domain_order


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("column", "the name of the column"),
        ("name", "the name of the data"),
        ("token", "the token"),
    ],
)
def test_a_text_that_no_file_can_hold_is_no_order(field, said):
    with pytest.raises(EquipoiseError, match=f"^{said} holds .*write it in UTF-8$"):
        domain_order(**{field: "\ud800"})


def test_a_domain_that_the_ledger_does_not_know_costs_nothing(ledger, out, tmp_path):
    publish_domain(domain_order(), ledger, out, workers=here())
    other = Ledger(tmp_path / "other.db")
    with pytest.raises(EquipoiseError, match="holds a release that the ledger"):
        publish_domain(domain_order(), other, out, workers=here())
    assert other.accounts() == ()


def test_what_a_kill_left_is_put_in_place_by_the_next_domain(ledger, out):
    done = publish_domain(domain_order(), ledger, out, workers=here())
    done.directory.rename(files.hidden(out, done.line.id))
    publish_domain(domain_order("next"), ledger, out, workers=here())
    assert done.directory.is_dir() and not list(out.glob(".*"))


def test_a_click_that_was_faster_has_paid_and_drawn(ledger, out):
    """While the worker of this one starts, the same order is paid and done elsewhere."""
    order, faster = domain_order(), []

    @contextmanager
    def late():
        faster.append(publish_domain(order, ledger, out, workers=here()))
        yield None

    slower = publish_domain(order, ledger, out, workers=late)
    assert (faster[0].repeated, slower.repeated) == (False, True)
    assert (slower.states, slower.directory) == (faster[0].states, faster[0].directory)
    assert len(slower.account.lines) == 1


def test_noise_of_another_scale_than_the_threshold_is_for_publishes_nothing(
    ledger, out, monkeypatch
):
    def quieter(name, records, limit, **named):
        return passing(name, records, replace(limit, scale=limit.scale * 2), **named)

    monkeypatch.setattr(domain, "passing", quieter)
    with pytest.raises(EquipoiseError, match=r"the scale that the threshold is for; .* is lost"):
        publish_domain(domain_order(), ledger, out, workers=here())
    assert ledger.accounts()[0].lines[0].state == "lost" and list(out.iterdir()) == []


def test_a_domain_says_what_it_was_made_with(ledger, out):
    """All that is needed to judge it, in words that a fraction reads back."""
    order = domain_order(per_unit=3, delta=Fraction(1234567, 10**12))
    found = publish_domain(order, ledger, out, workers=here())
    limit, line = planned(order), found.line
    told = {
        "release": {
            "id": line.id,
            "time": line.time,
            "column": "city",
            "states": list(found.states),
            "guarantee": "(ε, δ)-DP",
            "epsilon": "1/2",
            "delta": "1234567/1000000000000",
            "neighbours": "add-remove",
            "per_unit": 3,
            "scale": limit.scale,
            "threshold": limit.least,
            "receipt": {"number": line.receipt.number, "digest": line.receipt.digest},
        }
    }
    written = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    assert (found.directory / "domain.json").read_text(encoding="utf-8") == written
    (entry,) = json.loads((found.directory / "schema.json").read_text())["columns"]
    assert entry["source"].startswith("paid: ε = 0.5, δ = 1.23457·10⁻⁶, release")


def test_a_changed_domain_is_not_given_for_the_one_that_was_paid(ledger, out):
    found = publish_domain(domain_order(), ledger, out, workers=here())
    (found.directory / "schema.json").unlink()
    with pytest.raises(EquipoiseError, match=r"schema\.json is missing; restore the files"):
        publish_domain(domain_order(), ledger, out, workers=here())
    assert len(ledger.accounts()[0].lines) == 1
