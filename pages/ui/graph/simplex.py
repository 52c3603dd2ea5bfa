"""Network simplex: whole-number positions that keep minimum distances and pull least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Arc = tuple[int, int, int, int]
"""(tail, head, minimum distance, weight)"""


def settle(start: Sequence[int], arcs: Sequence[Arc], pivots: int) -> list[int]:
    """Positions minimising the sum of weight * (head - tail) with head - tail >= distance.

    ``start`` must keep all distances, and the arcs must connect all nodes. Stopping after
    ``pivots`` steps leaves positions that keep the distances but may pull more than needed.
    Source: Gansner, Koutsofios, North and Vo 1993, section 2.3.
    """
    if len(start) == 1:
        return [0]
    tree = _Tree(start, arcs)
    for _ in range(pivots):
        if not tree.pivot():
            break
    return [int(p) for p in tree.place - tree.place.min()]


class _Tree:
    """A spanning tree of tight arcs, hung from node 0.

    ``pull[v]`` is the weight leaving minus entering the branch that hangs from v: arcs inside a
    branch cancel, so it is the sum over the branch of each node's own out minus in.
    """

    def __init__(self, start: Sequence[int], arcs: Sequence[Arc]) -> None:
        columns: Places = np.array(arcs, dtype=np.int64).T
        self.tail, self.head, self.distance, self.weight = columns
        self.place: Places = np.array(start, dtype=np.int64)
        count = len(start)
        self.parent = [-1] * count
        self.arc = [-1] * count  # the arc to the parent
        self.branches: list[list[int]] = [[] for _ in range(count)]
        pull = np.zeros(count, dtype=np.int64)
        np.add.at(pull, self.tail, self.weight)
        np.subtract.at(pull, self.head, self.weight)
        self.pull = pull
        self.sign = np.zeros(count, dtype=np.int64)  # +1 where a node is its arc's tail
        for node in reversed(self._grow()):
            pull[self.parent[node]] += pull[node]

    def _slack(self) -> Places:
        slack: Places = self.place[self.head] - self.place[self.tail] - self.distance
        return slack

    def _grow(self) -> list[int]:
        """Hang every node on the tree, shifting what hangs already until an arc is tight."""
        inside = np.zeros(len(self.place), dtype=bool)
        inside[0] = True
        added = []
        for _ in range(len(self.place) - 1):
            crossing = np.flatnonzero(inside[self.tail] != inside[self.head])
            slack = self._slack()[crossing]
            best = int(slack.argmin())
            arc = int(crossing[best])
            tail, head = int(self.tail[arc]), int(self.head[arc])
            outward = bool(inside[tail])
            self.place[inside] += slack[best] if outward else -slack[best]
            self._hang(*((head, tail) if outward else (tail, head)), arc)
            added.append(head if outward else tail)
            inside[added[-1]] = True
        return added

    def _hang(self, node: int, parent: int, arc: int) -> None:
        self.parent[node], self.arc[node] = parent, arc
        self.sign[node] = 1 if self.tail[arc] == node else -1
        self.branches[parent].append(node)

    def pivot(self) -> bool:
        """Exchange the tree arc that pulls most the wrong way; false when none does."""
        cut = self.pull * self.sign
        top = int(cut.argmin())
        if cut[top] >= 0:
            return False
        inside = self._branch(top)
        upwards = self.sign[top] > 0
        enters = inside[self.head] & ~inside[self.tail]
        leaves = inside[self.tail] & ~inside[self.head]
        candidates = np.flatnonzero(enters if upwards else leaves)
        slack = self._slack()[candidates]
        best = int(slack.argmin())
        self.place[inside] += -slack[best] if upwards else slack[best]
        self._exchange(top, int(candidates[best]), inside)
        return True

    def _branch(self, top: int) -> np.ndarray:
        inside = np.zeros(len(self.place), dtype=bool)
        stack = [top]
        while stack:
            node = stack.pop()
            inside[node] = True
            stack.extend(self.branches[node])
        return inside

    def _exchange(self, top: int, arc: int, inside: np.ndarray) -> None:
        """Cut the branch at ``top`` off and hang it up again by ``arc``."""
        tail, head = int(self.tail[arc]), int(self.head[arc])
        grip, hook = (tail, head) if inside[tail] else (head, tail)
        total = int(self.pull[top])
        self._add_above(self.parent[top], -total)
        self._add_above(hook, total)
        node, parent, below = grip, hook, 0
        while True:  # turn the path from the grip up to the old top around
            above, old_arc, own = self.parent[node], self.arc[node], int(self.pull[node])
            self.branches[above].remove(node)
            self._hang(node, parent, arc)
            self.pull[node] = total - below
            if node == top:
                break
            node, parent, arc, below = above, node, old_arc, own

    def _add_above(self, node: int, amount: int) -> None:
        while node != -1:
            self.pull[node] += amount
            node = self.parent[node]
