"""What the records show: a column is read only in the ways that its values look like."""

import random
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

from sources import seen
from sources.dialect import Dialect
from sources.opening import open_table


def test_values_that_look_like_no_date_are_not_read_as_one(monkeypatch):
    """A row of 10,000 columns took a minute: each was read in thirteen ways."""
    asked, own = [], seen.quantities

    def quantities(values, written, dialect):
        asked.append(written)
        return own(values, written, dialect)

    monkeypatch.setattr(seen, "quantities", quantities)
    stream = open_table("t.csv", b"word,number\nx,1\ny,2\n")
    assert seen.look(stream, stream.header)["number"].numeric
    assert set(asked) == {""}
    stream = open_table("t.csv", b"day\n2020-01-02\n2021-01-02\n")
    assert seen.look(stream, stream.header)["day"].dates == (seen.ISO,)


@pytest.mark.parametrize("written", seen.DATES)
def test_what_can_be_read_as_a_date_looks_like_one(written):
    rng, read = random.Random(written), 0
    for _ in range(100):
        day = datetime(rng.randrange(1000, 9999), 1, 2) + timedelta(days=360 * rng.random())
        text = day.isoformat() if written == seen.ISO else day.strftime(written)
        at = rng.randrange(len(text) + 1)
        cell = pa.array([text[:at] + rng.choice(("", "", " ", "0", "-")) + text[at:]])
        for way in seen.DATES:
            if not np.isnan(seen.quantities(cell, way, Dialect())).any():
                assert seen._may_be(cell, way), cell
                read += 1
    assert read > 10
