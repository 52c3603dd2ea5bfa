"""After a loss of power the next start finds what it was promised.

``python -m tests.release.power`` looks at every state, of every way to release.
"""

import random
import shutil

import pytest

from tests.release.power import lose_power
from tests.release.ways import WAYS

traced = pytest.mark.skipif(not shutil.which("strace"), reason="no strace here to record calls")


@traced
@pytest.mark.slow
@pytest.mark.parametrize("way", ["equipoise", "structure", "domain", "lost"])
def test_nothing_promised_is_lost(way):
    assert set(WAYS) >= {way}
    found, looked = lose_power(way, 400, random.Random(0))
    assert found > 1000 and looked > 100


@traced
@pytest.mark.slow
def test_names_that_are_not_flushed_would_be_noticed():
    with pytest.raises(AssertionError):
        lose_power("equipoise", 400, random.Random(0), flushes=False)
