"""Which pairs a tree has room for: by a bound what trees of all pairs say, without making them."""

import itertools

import numpy as np

from core.inference import cliques
from core.inference.cliques import forest_of
from core.synthesis import room
from core.synthesis.room import pairs_with_room

MOST = 2**10


def grown_sets(sizes, seed):
    """Pairs in random order, each kept while the tree stays small: a tree with little room."""
    known, pairs = [], list(itertools.combinations(range(len(sizes)), 2))
    for place in np.random.default_rng(seed).permutation(len(pairs)).tolist():
        if forest_of(sizes, [*known, pairs[place]]).cells(sizes) <= MOST:
            known.append(pairs[place])
    return known[: len(known) * 3 // 4]


def test_the_bound_lets_in_what_trees_do(monkeypatch):
    there, apart = 0, 0
    for seed in range(6):
        sizes = np.random.default_rng(seed).integers(2, 5, 14).tolist()
        known = grown_sets(sizes, seed)
        monkeypatch.setattr(room, "EXACT", 14)
        exact = set(pairs_with_room(sizes, known, MOST))
        left = set(itertools.combinations(range(14), 2)).difference(known)
        assert exact == {p for p in left if forest_of(sizes, [*known, p]).cells(sizes) <= MOST}
        monkeypatch.setattr(room, "EXACT", 0)
        bound = set(pairs_with_room(sizes, known, MOST))
        assert all(forest_of(sizes, [*known, pair]).cells(sizes) <= 1.1 * MOST for pair in bound)
        there, apart = there + len(exact), apart + len(exact ^ bound)
    assert there > 100 and apart < 0.15 * there


def test_no_pair_has_room_that_a_chain_of_large_cliques_parts(monkeypatch):
    """Two triples that share a column, and a column alone."""
    sizes, known = [4] * 6, [(0, 1, 2), (2, 3, 4)]
    cells = 64 + 64 + 4
    monkeypatch.setattr(room, "EXACT", 0)
    assert forest_of(sizes, known).cells(sizes) == cells
    inside = {(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)}
    assert set(pairs_with_room(sizes, known, cells)) == inside
    alone = {(column, 5) for column in range(5)}
    assert set(pairs_with_room(sizes, known, cells + 16)) == inside | alone
    assert len(pairs_with_room(sizes, known, cells + 64)) == 15  # (2, 0, 3) stands beside both


def test_many_columns_take_one_tree(monkeypatch):
    """At two hundred columns a tree takes half a second, and there are 19,900 pairs."""
    made, own = [], cliques.triangulate
    for module in (room, cliques):
        monkeypatch.setattr(module, "triangulate", lambda *of: made.append(0) or own(*of))
    known = [(column, column + 1) for column in range(room.EXACT)]
    assert len(pairs_with_room([2] * (room.EXACT + 1), known, 2**18)) > 1_000
    assert len(made) == 1
