"""What a review says does not depend on one record: byte for byte, for neighbours of all kinds."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.release.neighbouring import fits, pairs, said

WORDS = ("--budget", "2", "--unit", "person", "--graph", "known", "--state", "use=teaching",
         "--state", "contact=the ward, room 7")  # fmt: skip


@settings(max_examples=25, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(
    pair=pairs(),
    policy=st.sampled_from(["drop", "state", "refuse"]),
    stated=st.sampled_from(["0", "6", "2000"]),
    method=st.sampled_from(["equipoise", "data-dependent-icml", "equipoise-zcdp"]),
)
def test_a_preview_says_the_same_of_neighbours(tmp_path, capsys, pair, policy, stated, method):
    relation, *both = pair
    words = (*WORDS, "--neighbours", relation, "--missing", policy, "--public-records", stated,
             "--method", method)  # fmt: skip
    found = [said(tmp_path, rows, capsys, *words) for rows in both]
    usable = [fits(rows, policy) for rows in both]
    if all(usable):
        assert found[0] == found[1]
        assert found[0][1]
    for (answers, papers), fine in zip(found, usable, strict=True):
        if not fine:  # no table over the domain: refused as a file, before any review
            assert papers == {}
            for code, out, err in answers:
                assert (code, out) == (2, "")
                assert "said of the file as it is written, to its keeper alone" in err


def complete(number, short=0):
    return [("30", "yes", "no")] * (number - short) + [("", "yes", "no")] * short


@pytest.mark.parametrize("relation", ["replace", "add-remove"])
def test_a_record_that_is_left_out_is_not_told(tmp_path, capsys, relation):
    """1,000 complete records, and the same with a missing value in one of them."""
    words = (*WORDS, "--neighbours", relation, "--missing", "drop")
    first, second = (said(tmp_path, complete(1000, short), capsys, *words) for short in (0, 1))
    assert first == second
    if relation == "replace":
        assert b"1,000 records" in first[1]["dossier.html"]


@pytest.mark.parametrize("stated", ["2000", "500", "1"])
def test_a_stated_number_is_judged_without_the_exact_one(tmp_path, capsys, stated):
    words = (*WORDS, "--public-records", stated)
    first, second = (said(tmp_path, complete(n), capsys, *words) for n in (1000, 999))
    assert first == second
    assert first[0][0][0] == 0
