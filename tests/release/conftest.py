"""Shared by the tests of releases."""

import pytest

from release.ledger.book import Ledger
from sources.study import sampled_study


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.db")


@pytest.fixture(scope="session")
def study():
    return sampled_study("asia", None, records=2000, seed=0)
