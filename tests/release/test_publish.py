"""Publishing: once for each click, exact from counts to files, nothing visible unless paid."""

import os
import signal
import threading
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.errors import EquipoiseError
from core.methods.registry import METHODS
from core.privacy import Neighbours
from core.scenario import Scenario
from release.ledger.people import BudgetError
from release.order import AS_MEASURED
from release.preview import preview
from release.process import Worker
from release.publish import publish, tidy
from release.worker import ExactSampler
from sources.study import sampled_study
from tests.release.ordering import here, order

RELEASABLE = [name for name, method in METHODS.items() if not method.refused]


class Counting(ExactSampler):
    """Exact noise in this process, and how often it was asked for."""

    def __init__(self):
        self.asked = 0

    def noise(self, kind, scales, cells):
        self.asked += 1
        return super().noise(kind, scales, cells)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", RELEASABLE)
def test_every_private_method_is_released_as_it_is_rehearsed(
    method, neighbours, study, ledger, tmp_path
):
    scenario = Scenario(epsilon=0.5, neighbours=neighbours)
    ordered = order(study, method=method, scenario=scenario)
    found = publish(ordered, ledger, tmp_path, workers=here()).published
    shown = preview(study.network, method, scenario)
    assert found.cost <= (found.rho or found.epsilon)
    sensitivity = neighbours.l1_sensitivity
    for m in found.measurements:
        gaussian = m.noise == "discrete gaussian"
        cost = sensitivity / (2 * m.scale**2) if gaussian else sensitivity / m.scale
        assert cost <= m.budget
    if shown.public:
        assert found.measurements == shown.measurements
        assert sum(m.budget for m in found.measurements) == found.cost
    assert found.cost <= shown.cost + Fraction(1, 10**12)
    rows = found.model.network.layout.row_totals(found.model.values)
    assert np.allclose(rows, 1)
    assert found.model.replicates == ()
    names = {tuple(sorted(m.variables)) for m in found.measurements}
    assert all(any(set(f) <= set(n) for n in names) for f in study.network.parents)


def test_what_has_no_noise_is_refused_in_one_sentence(study, ledger, tmp_path):
    with pytest.raises(EquipoiseError, match="'exact' cannot be released: it adds no noise"):
        publish(order(study, method="exact"), ledger, tmp_path, workers=here())
    with pytest.raises(EquipoiseError, match="finite budget"):
        publish(order(study, scenario=Scenario(epsilon=np.inf)), ledger, tmp_path, workers=here())
    assert ledger.accounts() == ()


def test_the_same_click_gives_the_same_release(study, ledger, tmp_path):
    drawer = Counting()
    first = publish(order(study), ledger, tmp_path, workers=here(drawer))
    again = publish(order(study), ledger, tmp_path / "elsewhere", workers=here(drawer))
    assert (first.repeated, again.repeated) == (False, True)
    assert again.published.id == first.published.id
    assert np.array_equal(again.published.model.values, first.published.model.values)
    assert again.published.measurements == first.published.measurements
    assert again.published.files == first.published.files
    assert drawer.asked == 2  # once on zeros, once on the records
    assert ledger.accounts()[0].spent == Fraction(1, 2)


def test_a_second_release_costs_a_second_time(study, ledger, tmp_path):
    first = publish(order(study, "one"), ledger, tmp_path, workers=here())
    second = publish(order(study, "two"), ledger, tmp_path, workers=here())
    assert second.account.spent == 1
    assert not np.array_equal(first.published.model.values, second.published.model.values)


def test_a_double_click_draws_once(study, ledger, tmp_path):
    two, both, found = (Counting(), Counting()), threading.Barrier(2), []
    drawers = list(two)

    @contextmanager
    def together():
        both.wait(timeout=60)
        yield drawers.pop()

    def click():
        found.append(publish(order(study), ledger, tmp_path, workers=together))

    clicks = [threading.Thread(target=click) for _ in range(2)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join(timeout=120)
    assert {outcome.published.id for outcome in found} == {found[0].published.id}
    assert sorted(outcome.repeated for outcome in found) == [False, True]
    assert sorted(drawer.asked for drawer in two) == [1, 2]  # the slower one has only tried


class Failing(ExactSampler):
    """Fails once it is drawn for the records, or at its trial already."""

    def __init__(self, trials=1):
        self.trials = trials

    def noise(self, kind, scales, cells):
        self.trials -= 1
        if self.trials < 0:
            raise EquipoiseError("the process that draws noise ended before its answer")
        return super().noise(kind, scales, cells)


def test_a_worker_that_fails_loses_the_release_and_nothing_else(study, ledger, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(EquipoiseError, match=r"ended before its answer; .* stays spent"):
        publish(order(study), ledger, out, workers=here(Failing()))
    (line,) = ledger.accounts()[0].lines
    assert (line.state, line.reason[:11]) == ("lost", "the process")
    assert list(out.iterdir()) == []
    with pytest.raises(EquipoiseError, match="was paid for and came to nothing"):
        publish(order(study), ledger, out, workers=here())
    assert publish(order(study, "new"), ledger, out, workers=here()).account.spent == 1


class Doomed:
    """A real worker that is killed after so many answers."""

    def __init__(self, worker, answers):
        self.worker, self.answers = worker, answers

    def noise(self, kind, scales, cells):
        if not self.answers:
            os.kill(self.worker.number, signal.SIGKILL)
        self.answers -= 1
        return self.worker.noise(kind, scales, cells)


@pytest.mark.parametrize(("answers", "said"), [(0, "nothing was spent"), (1, "stays spent")])
def test_a_real_worker_that_is_killed_loses_the_release_only(
    study, ledger, tmp_path, answers, said
):
    """At its trial not even that."""

    @contextmanager
    def doomed():
        with Worker() as worker:
            yield Doomed(worker, answers)

    with pytest.raises(EquipoiseError, match=said):
        publish(order(study), ledger, tmp_path / "out", workers=doomed)
    lines = [line.state for account in ledger.accounts() for line in account.lines]
    assert lines == ["lost"] * answers
    assert list((tmp_path / "out").iterdir()) == []


def test_a_paper_that_cannot_be_written_leaves_no_file(study, ledger, tmp_path):
    def extra(published, account):
        if published.receipt.number or not fails_late:
            raise ZeroDivisionError
        return {}

    fails_late = False
    with pytest.raises(EquipoiseError, match=r"ZeroDivisionError.*nothing was spent"):
        publish(order(study), ledger, tmp_path / "out", workers=here(), extra=extra)
    assert ledger.accounts() == ()
    fails_late = True
    with pytest.raises(ZeroDivisionError):
        publish(order(study), ledger, tmp_path / "out", workers=here(), extra=extra)
    assert list((tmp_path / "out").iterdir()) == []
    assert ledger.accounts()[0].lines[0].reason == "ZeroDivisionError"


def test_files_that_the_ledger_could_not_record_are_removed(study, ledger, tmp_path, monkeypatch):
    """All is drawn and written, under a hidden name, and then the last entry fails."""
    out = tmp_path / "out"

    def refused(*arguments, **named):
        assert [path.suffix for path in out.iterdir()] == [".partial"]
        raise EquipoiseError("the disk is full")

    monkeypatch.setattr(ledger, "complete", refused)
    with pytest.raises(EquipoiseError, match=r"the disk is full; release .* stays spent"):
        publish(order(study), ledger, out, workers=here())
    assert list(out.iterdir()) == []
    assert ledger.accounts()[0].lines[0].state == "lost"


def test_a_worker_that_does_not_start_costs_nothing(study, ledger, tmp_path):
    @contextmanager
    def broken():
        raise EquipoiseError("the process that draws noise did not start; try again")
        yield

    with pytest.raises(EquipoiseError, match="did not start"):
        publish(order(study), ledger, tmp_path, workers=broken)
    assert ledger.accounts() == ()


def test_what_cannot_be_written_costs_nothing(study, ledger, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EquipoiseError, match="cannot be written"):
        publish(order(study), ledger, tmp_path / "file", workers=here())
    assert ledger.accounts() == ()


def test_a_short_budget_is_refused_before_a_worker_starts(study, ledger, tmp_path):
    def never():
        raise AssertionError("started")

    with pytest.raises(BudgetError, match=r"has 0\.3 left"):
        publish(order(study, budget=Fraction(3, 10)), ledger, tmp_path, workers=never)


def test_a_method_is_not_told_the_number_of_records(study, ledger, tmp_path, monkeypatch):
    def curious(network, counts, scenario, *, rng):
        return METHODS["exact"].run(network, counts, scenario, rng=rng) if counts.records else None

    nosy = replace(METHODS["equipoise"], run=curious)
    monkeypatch.setitem(METHODS, "equipoise", nosy)
    with pytest.raises(EquipoiseError, match="it is private"):
        publish(order(study), ledger, tmp_path, workers=here())


def test_a_method_that_forgets_its_noise_is_refused(study, ledger, tmp_path, monkeypatch):
    monkeypatch.setitem(METHODS, "equipoise", replace(METHODS["exact"], refused=""))
    with pytest.raises(EquipoiseError, match="draws no noise"):
        publish(order(study), ledger, tmp_path, workers=here())


def test_unknown_hidden_directories_are_left_alone(ledger, tmp_path):
    stranger = tmp_path / ".0123456789abcdef.partial"
    stranger.mkdir()
    tidy(ledger, tmp_path)
    assert stranger.is_dir()


@pytest.mark.slow
def test_publishing_alarm_takes_at_most_five_seconds(ledger, tmp_path):
    """Of the processor's time, the worker's, counts and everything else included."""
    study = sampled_study("alarm", None, records=10_000, seed=0)
    for method in ("data-dependent-icml", "equipoise-filter", "equipoise-zcdp"):
        started = sum(os.times()[:4])
        publish(order(study, method, method, synthetic=AS_MEASURED), ledger, tmp_path)
        assert sum(os.times()[:4]) - started < 5
