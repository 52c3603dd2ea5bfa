"""The steps of a release: what each leaves to the next, and what is tried before it is paid."""

import os
import re
import time
from dataclasses import replace
from fractions import Fraction

import pytest

from core.errors import EquipoiseError
from core.table import Table
from release import files, publish
from release.ledger.book import Ledger
from release.order import AS_MEASURED
from release.publish import tidy
from release.worker import ExactSampler
from tests.release.ordering import here, order
from tests.release.paying import spend
from tests.release.test_acceptance import LOOSE


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def released(study, ledger, out, token="click", **changes):
    return publish.publish(order(study, token, **changes), ledger, out, workers=here())


class Source:
    """The counts of a study, seen by whoever asks, and changed."""

    def __init__(self, study, seen=lambda: None, change=lambda values: values):
        self.study, self.seen, self.change = study, seen, change

    def counts(self, families):
        self.seen()
        own = self.study.counts.counts(families)
        return tuple(Table(t.variables, self.change(t.values.copy())) for t in own)


def counted_by(study, source):
    """The study with another source of counts, where it would keep its own."""
    own = replace(study)
    vars(own)["counts"] = source
    return own


@pytest.mark.parametrize("changes", [{}, {"acceptance": LOOSE}])
def test_every_table_is_counted_before_it_is_paid(study, ledger, out, changes):
    paid = []
    source = Source(study, lambda: paid.append(len(ledger.accounts())))
    released(counted_by(study, source), ledger, out, **changes)
    assert paid and not any(paid)


@pytest.mark.parametrize("value", [-1.0, 0.5])
def test_counts_that_are_no_numbers_of_records_cost_nothing(study, ledger, out, value):
    def wrong(values):
        values.flat[0] = value
        return values

    with pytest.raises(EquipoiseError, match="are not whole numbers of records"):
        released(counted_by(study, Source(study, change=wrong)), ledger, out)
    assert ledger.accounts() == ()


def test_the_number_of_records_is_not_to_be_had_from_a_release(study):
    with pytest.raises(EquipoiseError, match="it is private"):
        publish._Whole(study.counts).records  # noqa: B018 - asked, and refused


@pytest.mark.parametrize(
    ("owner", "step"), [(files, "write"), (files, "read_published"), (publish, "check_rebuilt")]
)
def test_files_are_written_read_and_made_again_before_they_are_paid(
    study, ledger, out, monkeypatch, owner, step
):
    def refused(*_, **named):
        raise EquipoiseError("it is not as it should be")

    monkeypatch.setattr(owner, step, refused)
    with pytest.raises(EquipoiseError, match=r"^it is not as it should be; nothing was spent$"):
        released(study, ledger, out)
    assert ledger.accounts() == () and list(out.iterdir()) == []


def test_a_trial_that_breaks_is_told_in_its_own_words(study, ledger, out, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("by half\na line")

    monkeypatch.setattr(publish, "check_rebuilt", broken)
    said = r"\(ZeroDivisionError: by half\\na line\); nothing was spent$"
    with pytest.raises(EquipoiseError, match=said):
        released(study, ledger, out)


def test_a_trial_is_told_what_the_release_will_be_told(study, ledger, out):
    """Of the same length too: a disk that holds the one holds the other."""
    told = []

    def extra(published, account):
        told.append((published, account, account.lines[-1]))
        return {}

    asked = order(study, override="why", synthetic=AS_MEASURED)
    publish.publish(asked, ledger, out, workers=here(), extra=extra)
    (tried, before, line), (made, account, paid) = told
    assert re.fullmatch("[0-9a-f]{16}", tried.id) and tried.id != made.id == paid.id
    assert tried.synthetic == 100 != made.synthetic  # so many as noise on zeros says are no trial
    assert tried.receipt.number == 0 and len(tried.receipt.digest) == len(made.receipt.digest)
    assert replace(before, lines=[]) == replace(account, lines=[])
    own = {"id": "", "time": "", "receipt": None, "order": "", "rows": ""}
    assert replace(line, **own) == replace(paid, **own)
    assert len(files.trial(out, "x").name) == len(files.hidden(out, "x").name)


def test_a_known_graph_is_no_graph_that_was_paid_for(study, ledger, out):
    """Else a release of tables alone would let a graph learned elsewhere go free."""
    done = released(study, ledger, out)
    assert ledger.line(done.published.id).graph == ""
    assert ledger.line(done.published.id).directory == str(out.resolve())


def test_what_a_kill_left_is_put_in_place_or_removed_by_the_next_release(study, ledger, out):
    done = released(study, ledger, out)
    whole = sorted(path.name for path in done.directory.iterdir())
    with pytest.raises(EquipoiseError, match="lost"):
        publish.publish(order(study, "lost"), ledger, out, workers=here(Failing()))
    lost = ledger.accounts()[0].lines[1].id
    done.directory.rename(files.hidden(out, done.published.id))
    files.hidden(out, lost).mkdir()
    released(study, ledger, out, "next")
    assert sorted(path.name for path in done.directory.iterdir()) == whole
    assert not list(out.glob(".*"))


class Failing(ExactSampler):
    """Fails once it has drawn for the trial."""

    def __init__(self):
        self.tried = False

    def noise(self, kind, scales, cells):
        if self.tried:
            raise EquipoiseError("the process ended")
        self.tried = True
        return super().noise(kind, scales, cells)


def test_a_trial_that_cannot_be_removed_stops_nothing(ledger, out, monkeypatch):
    left = files.trial(out, "0123456789abcdef")
    left.mkdir(parents=True)

    def refused(*_, **named):
        raise PermissionError

    monkeypatch.setattr("os.rmdir", refused)
    monkeypatch.setattr(time, "time", lambda: left.stat().st_mtime + publish.SECONDS + 1)
    tidy(ledger, out)
    assert left.is_dir()


def test_a_trial_may_be_under_way_for_as_long_as_any_takes(ledger, out, monkeypatch):
    left = files.trial(out, "0123456789abcdef")
    left.mkdir(parents=True)
    os.utime(left, (1000, 1000))
    for seconds, there in ((publish.SECONDS, True), (publish.SECONDS + 1, False)):
        monkeypatch.setattr(time, "time", lambda now=1000 + seconds: now)
        tidy(ledger, out)
        assert left.is_dir() == there


def test_a_click_waits_for_the_release_that_it_has_paid_for(study, ledger, out, monkeypatch):
    """The first of two processes is still at work: the second looks again, and does not spin."""
    done = released(study, ledger, out)
    line = ledger.line(done.published.id)
    pending, slept = replace(line, state="pending"), []
    answers = [pending, pending, line]
    monkeypatch.setattr(Ledger, "line", lambda *_: answers.pop(0))
    monkeypatch.setattr(time, "sleep", slept.append)
    assert publish.complete_line(ledger, pending).state == "complete"
    assert len(slept) == 3 and all(0 < seconds < 1 for seconds in slept)


def test_a_click_waits_no_longer_than_a_release_takes(ledger, monkeypatch):
    line, clock = ledger.spend(spend()).line, [1000.0]
    monkeypatch.setattr(Ledger, "line", lambda *_: line)
    monkeypatch.setattr(time, "monotonic", lambda: clock[-1])
    monkeypatch.setattr(time, "sleep", lambda _: clock.append(clock[-1] + publish.SECONDS / 2))
    with pytest.raises(EquipoiseError, match=r"came to nothing \(no answer\)"):
        publish.complete_line(ledger, line)
    assert clock[-1] == 1000 + publish.SECONDS


@pytest.mark.parametrize(("reason", "told"), [("the disk is full", "the disk is full"),
                                              ("", "no answer")])  # fmt: skip
def test_a_click_whose_release_is_lost_is_told_why(ledger, reason, told):
    release = ledger.spend(spend()).line.id
    ledger.lose(release, reason)
    with pytest.raises(EquipoiseError, match=rf"came to nothing \({told}\)"):
        publish.complete_line(ledger, ledger.line(release))


def test_a_click_is_answered_where_its_files_are(study, ledger, out, tmp_path):
    """Put in place first, whichever folder is asked for now."""
    done = released(study, ledger, out)
    done.directory.rename(files.hidden(out, done.published.id))
    again = released(study, ledger, tmp_path / "elsewhere")
    assert again.repeated and again.directory == done.directory
    assert again.published.override == "" and again.account.spent == Fraction(1, 2)
