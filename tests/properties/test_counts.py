"""Laws of counting, and equality with the obvious way of doing it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.counts import count
from core.dataset import Dataset
from tests import strategies as own


def plain(dataset, family):
    """The slow twin: one record after the other."""
    names = [v.name for v in dataset.variables]
    columns = [names.index(v.name) for v in family]
    table = np.zeros([v.cardinality for v in family])
    for row in dataset.codes:
        table[tuple(int(row[j]) for j in columns)] += 1
    return table


@st.composite
def questions(draw):
    dataset = draw(own.datasets())
    return dataset, draw(own.families(dataset.variables))


@given(questions())
def test_equals_counting_one_record_after_the_other(question):
    dataset, families = question
    for family, table in zip(families, count(dataset, families), strict=True):
        assert table.variables == family
        np.testing.assert_array_equal(table.values, plain(dataset, family))


@given(questions())
def test_totals_equal_records(question):
    dataset, families = question
    assert all(t.values.sum() == dataset.records for t in count(dataset, families))


@given(questions())
def test_one_record_more_changes_one_cell_by_one(question):
    dataset, families = question
    one = np.array([[v.cardinality - 1 for v in dataset.variables]], dtype=dataset.codes.dtype)
    more = Dataset(dataset.variables, np.concatenate([dataset.codes, one]))
    pairs = zip(count(dataset, families), count(more, families), strict=True)
    for before, after in pairs:
        change = after.values - before.values
        assert np.count_nonzero(change) == 1
        assert change.sum() == 1


@given(questions(), st.data())
def test_counting_then_summing_equals_counting_fewer_variables(question, data):
    dataset, families = question
    for family in families:
        fewer = tuple(v for v in family if data.draw(st.booleans()))
        both = count(dataset, [family, fewer])
        summed = both[0].marginal([v.name for v in fewer])
        np.testing.assert_array_equal(summed.values, both[1].values)


@given(questions(), own.SEEDS)
def test_order_of_records_does_not_matter(question, seed):
    dataset, families = question
    order = np.random.default_rng(seed).permutation(dataset.records)
    shuffled = Dataset(dataset.variables, dataset.codes[order])
    pairs = zip(count(dataset, families), count(shuffled, families), strict=True)
    assert all(np.array_equal(one.values, other.values) for one, other in pairs)
