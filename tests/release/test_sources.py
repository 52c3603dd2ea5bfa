"""Where every number of a release comes from: noisy tables and public facts, nothing else.

Two sets of records, and noise that makes up for the difference: all noisy tables are the same, so
every released file must be, byte for byte, synthetic records and their number included. A number
that has come past the noise differs.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.methods.registry import METHODS
from core.privacy import Neighbours
from core.scenario import Scenario
from release import files
from release.dossier.document import dossier, dossier_files
from release.ledger.book import Ledger
from release.order import AS_MEASURED
from release.preview import preview
from release.publish import publish
from release.review.checklist import review
from release.review.facts import Statements
from release.worker import ExactSampler
from sources.study import sampled_study
from tests.release.ordering import here, order
from tests.release.reviewing import proposal

RELEASABLE = [name for name, method in METHODS.items() if not method.refused]
RECORDS = {Neighbours.ADD_REMOVE: (2000, 1700), Neighbours.REPLACE: (2000, 2000)}


class Kept(ExactSampler):
    """Exact noise, and every answer."""

    def __init__(self):
        self.noises, self.samples = [], []

    def noise(self, kind, scales, cells):
        self.noises.append(super().noise(kind, scales, cells))
        return self.noises[-1].copy()

    def thinned(self, counts, rate):
        self.samples.append(super().thinned(counts, rate))
        return self.samples[-1].copy()


class MakingUp:
    """Noise for other records that gives the noisy tables of a release that was kept."""

    def __init__(self, kept, measured, studies):
        self.noises, self.samples = iter(kept.noises), iter(kept.samples)
        self.measured, self.studies = iter(measured), studies
        self.trial = len(kept.noises) // 2  # the release is tried on zeros before

    def noise(self, kind, scales, cells):
        if self.trial:
            self.trial -= 1
            return next(self.noises)
        tables = [next(self.measured) for _ in scales]
        assert [table.cells for table in tables] == list(cells)
        return next(self.noises) + np.concatenate([self.difference(table) for table in tables])

    def difference(self, table):
        if table.rate < 1:  # the sample is the same
            return np.zeros(table.cells, dtype=np.int64)
        first, second = (counted(study, table.variables) for study in self.studies)
        return first - second

    def thinned(self, counts, rate):
        return next(self.samples)


def counted(study, names):
    variables = tuple(study.network.variables[study.network.index(name)] for name in names)
    return study.counts.counts([variables])[0].values.ravel().astype(np.int64)


def studies_of(neighbours):
    """Two sets of private records over one graph; as many where the number may be public."""
    first, second = (
        replace(sampled_study("asia", None, records=n, seed=seed), sampled=False, name="ward")
        for n, seed in zip(RECORDS[neighbours], (0, 1), strict=True)
    )
    assert first.fingerprint != second.fingerprint
    return first, second


def released(study, drawer, place, method, scenario, synthetic=AS_MEASURED):
    """All files of one release with its dossier; what names the release itself is blanked."""
    stated = Statements(unit="person", records=1000, graph="known")

    def extra(published, account):
        asked = proposal(study, method=method, stated=stated, scenario=scenario)
        return dossier_files(
            dossier(asked, review(asked), published=published, account=account, command="x")
        )

    place.mkdir()
    ordered = order(study, method=method, scenario=scenario, name="ward", synthetic=synthetic)
    found = publish(ordered, Ledger(place / "ledger.db"), place, workers=here(drawer), extra=extra)
    assert len(found.published.files) == (9 if synthetic else 8)
    own = (found.published.id, found.published.time, found.published.time[:10])
    return {p.name: blanked(p.read_text(), own) for p in sorted(found.directory.iterdir())}


def blanked(text, own):
    for name in own:
        text = text.replace(name, "·")
    return re.sub(r"[0-9a-f]{64}", "·", text)  # checksums and receipts


@pytest.fixture
def both(monkeypatch, tmp_path):
    """Files of two releases whose noisy tables are the same."""
    seeded = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda *seed: seeded(*(seed or (5,))))

    def run(method, neighbours, synthetic=AS_MEASURED):
        scenario = Scenario(epsilon=0.5, neighbours=neighbours, replicates=20)
        first, second = studies_of(neighbours)
        kept, measured = Kept(), preview(first.network, method, scenario).measurements
        one = released(first, kept, tmp_path / "one", method, scenario, synthetic)
        made_up = MakingUp(kept, measured, (first, second))
        return one, released(second, made_up, tmp_path / "two", method, scenario, synthetic)

    return run


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", RELEASABLE)
def test_the_same_noisy_tables_give_the_same_files(method, neighbours, both):
    one, other = both(method, neighbours)
    assert one.keys() == other.keys() >= {"model.bif", "model.json", "records.csv", "dossier.json",
        "measurements.json", "intervals.json", "registry.yaml", "card.md"}  # fmt: skip
    for name in one:
        assert one[name] == other[name], name


def test_an_exact_number_of_synthetic_records_is_noticed(both, monkeypatch):
    """The planted bug: as many synthetic records as there are records."""
    write = files.model_files
    sizes = iter([size for size in RECORDS[Neighbours.ADD_REMOVE] for _ in ("trial", "release")])

    def bug(published):
        other = write(replace(published, synthetic=next(sizes)))
        return {**write(published), "records.csv": other["records.csv"]}

    monkeypatch.setattr(files, "model_files", bug)
    one, other = both("equipoise", Neighbours.ADD_REMOVE)
    assert one["records.csv"] != other["records.csv"]


def test_a_cell_that_came_past_the_noise_is_noticed(both, monkeypatch):
    """The planted bug: one cell of the model from the exact counts."""
    run = METHODS["equipoise"].run

    def leaking(network, counts, scenario, *, rng):
        release = run(network, counts, scenario, rng=rng)
        values = release.model.values.copy()
        exact = counts.counts([(network.variables[0],)])[0].values
        exact = exact + (not exact.any())  # a trial has no records
        values[..., network.layout.slices[0]] = exact / exact.sum()
        return replace(release, model=replace(release.model, values=values))

    monkeypatch.setitem(METHODS, "equipoise", replace(METHODS["equipoise"], run=leaking))
    one, other = both("equipoise", Neighbours.REPLACE, synthetic=0)
    assert one["model.bif"] != other["model.bif"]
