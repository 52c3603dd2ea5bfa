"""Results that sessions share: of public records alone, computed once, whoever is stopped."""

import threading
from dataclasses import replace

import pytest

from core.options import Options
from pages.ui.kit import commons
from pages.ui.kit.commons import Commons, Public
from sources.study import sampled_study
from sources.study import uploaded_study as uploaded

ASIA = ("asia", 500)


@pytest.fixture
def store():
    return Commons()


def test_only_the_very_study_that_the_store_drew_is_public(store):
    study = store.study(*ASIA)
    assert store.public(study, study.network) == Public(*ASIA)
    assert store.study(*ASIA) is study
    assert store.drawn_on(study.network) == Public(*ASIA)
    alike = sampled_study("asia", None, records=500, seed=0)
    assert alike.fingerprint == study.fingerprint
    assert store.public(alike, alike.network) is None
    assert store.public(replace(study), study.network) is None
    assert store.drawn_on(alike.network) is None


def test_what_a_visitor_says_is_not_public(store):
    study = store.study(*ASIA)
    edited = study.network.without_edge(*study.network.edges[0])
    assert store.public(study, edited) is None and store.drawn_on(edited) is None
    assert store.public(study, study.network, Options(prior=1.0)) is None
    assert store.public(study, study.network, Options(weights=(("asia", 2.0),))) is None


def test_an_upload_is_not_public_even_with_our_network(store):
    study = store.study(*ASIA)
    names = study.network.names
    data = (",".join(names) + "\n" + ",".join(["yes"] * len(names)) + "\n").encode()
    upload = uploaded("asia", None, data=("a.csv", data), schema=None, missing="refuse")
    assert store.public(upload, upload.network) is None
    assert store.public(upload, study.network) is None
    assert store.public(study, upload.network) is None


@pytest.mark.parametrize("name", ["your upload", "../asia", ""])
def test_no_other_name_is_drawn(store, name):
    assert store.study(name, 100) is None


def test_what_is_held_is_bounded(store, monkeypatch):
    monkeypatch.setattr(commons, "RESULTS", 3)
    for records in range(50, 50 + 2 * commons.STUDIES):
        public = store.public(study := store.study("asia", records), study.network)
        store.once(public, "sum", (), object)
    assert len(store._drawn) == commons.STUDIES
    assert len(store._kinds["sum"]) == 3
    monkeypatch.setattr(commons, "LARGEST", 100)
    assert store.study("asia", 99) is None


def test_those_who_ask_at_once_share_one_computation(store):
    study = store.study(*ASIA)
    public, begun, go = store.public(study, study.network), threading.Event(), threading.Event()
    calls, results = [], []

    def make():
        calls.append(1)
        begun.set()
        go.wait(10)
        return object()

    def ask():
        results.append(store.once(public, "slow", (1,), make, go.set))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    threads[0].start()
    begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(calls) == 1
    assert len(results) == 8 and len(set(map(id, results))) == 1


def test_another_goes_on_where_the_first_was_stopped(store):
    study = store.study(*ASIA)
    public = store.public(study, study.network)

    class Stopped(BaseException):
        """As Streamlit stops a script."""

    def stopped():
        raise Stopped

    with pytest.raises(Stopped):
        store.once(public, "curve", (), stopped)
    assert store.once(public, "curve", (), lambda: 5) == 5
    assert store.once(public, "curve", (), stopped) == 5
