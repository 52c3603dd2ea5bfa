"""What can go wrong where the rows are: one sentence, nothing half done, a retry succeeds."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from core import parallel
from core.errors import EquipoiseError
from sources import engines
from sources.units import Unit
from tests.unit.sources.test_warehouse import TRIPLES, addresses, connected, in_memory, triples


def children():
    found = []
    for task in Path("/proc/self/task").iterdir():
        found += (task / "children").read_text().split()
    return {int(pid) for pid in found}


def killer(before, done):
    """End the first process that is started from now on."""
    while not done.is_set():
        for pid in children() - before:
            os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.001)


def test_a_killed_worker_is_one_sentence_and_a_retry_succeeds(tmp_path, monkeypatch):
    monkeypatch.setattr(parallel, "PATIENCE", 0.0)
    table = triples()
    source = connected(addresses(tmp_path, table)[1], TRIPLES, limit=3).people
    source.rows, source.workers = 7, 2
    wanted = [tuple(source.variables[:2])]
    done = threading.Event()
    hunting = threading.Thread(target=killer, args=(children(), done))
    hunting.start()
    try:
        with pytest.raises(EquipoiseError, match="ended before its answer"):
            source.counts(wanted)
    finally:
        done.set()
        hunting.join()
    (one,), (other,) = source.counts(wanted), in_memory(table, TRIPLES).counts(wanted)
    np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.slow
def test_a_full_disk_for_temporary_files_is_one_sentence_and_a_retry_succeeds(
    tmp_path, monkeypatch
):
    rows = 60_000
    owners = pa.array(np.random.default_rng(0).permutation(rows).astype(str))
    place = addresses(tmp_path, triples(rows, owner=owners))[0]
    spill = tmp_path / "spill"
    spill.mkdir()
    monkeypatch.setenv(engines.SPILL, f"{spill}:1MB")
    monkeypatch.setattr(engines.DuckDB, "connect", _small(engines.DuckDB.connect))
    with pytest.raises(EquipoiseError, match="no room for its temporary files"):
        connected(place, TRIPLES, unit=Unit("owner"))
    assert not list(spill.iterdir())
    monkeypatch.undo()  # there is room again
    assert connected(place, TRIPLES, unit=Unit("owner")).records == rows


def _small(connect):
    def small(engine):
        engine.memory = "12MB"
        return connect(engine)

    return small


def test_a_package_that_is_not_there_is_one_sentence():
    with pytest.raises(EquipoiseError, match="needs the package nowhere, which is not"):
        engines.Late("equipoise_nowhere", "nowhere").connect()
