import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from figures.palette import PALETTE
from figures.template import numbers, resolved, spread_apart, tone

PLACES = st.lists(st.floats(0, 100), min_size=1, max_size=8)


@given(PLACES, st.floats(0.1, 5))
def test_labels_do_not_touch_where_there_is_room(places, room):
    high = 200.0
    found = spread_apart(places, room, 0.0, high)
    apart = sorted(found)
    assert all(b - a >= room - 1e-9 for a, b in pairwise(apart))
    assert [found[i] for i in sorted(range(len(places)), key=lambda i: places[i])] == apart


@given(st.lists(st.floats(0, 10, allow_nan=False), min_size=1, max_size=6))
def test_labels_that_are_apart_stay(places):
    grid = [20.0 * i for i in range(len(places))]
    assert spread_apart(grid, 1.0, 0.0, 200.0) == grid


def test_every_tone_of_the_palette_resolves_in_both_schemes():
    for name, (light, _) in PALETTE.items():
        red, green, blue = (int(light[i : i + 2], 16) for i in (1, 3, 5))
        assert resolved(tone(name)) == f"rgba({red},{green},{blue},1)"
        assert resolved([tone(name, 0.25)], 1)[0].endswith(",0.25)")


def test_numbers_keep_five_digits_and_lose_what_json_lacks():
    assert numbers([1 / 3, 123456.0, 0.0]) == [0.33333, 123460.0, 0.0]
    assert numbers([math.nan, math.inf, -2e-9 / 3]) == [None, None, -6.6667e-10]
