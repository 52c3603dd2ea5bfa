"""How well scores tell members from outsiders: area and power at a share of false alarms."""

from __future__ import annotations

import numpy as np

from core.table import Array


class Outsiders:
    """Scores of one pool's outsiders, sorted once; whatever is asked of members compares here."""

    def __init__(self, scores: Array) -> None:
        self.rising = np.sort(scores)
        self.size = scores.size

    def area(self, members: Array) -> float:
        """Chance that a member scores above an outsider, ties counting half (the AUC)."""
        below = np.searchsorted(self.rising, members, "left")
        upto = np.searchsorted(self.rising, members, "right")
        return float((below + upto).sum() / (2 * members.size * self.size))

    def powers(self, members: Array, alphas: Array) -> Array:
        """Share of members found at each share of false alarms.

        Where outsiders tie at the threshold, the tied are accused by lot so that the share of
        false alarms is met exactly.
        """
        wanted = np.asarray(alphas) * self.size
        at = self.rising[self.size - 1 - np.minimum(wanted.astype(np.int64), self.size - 1)]
        upto = np.searchsorted(self.rising, at, "right")
        tied = upto - np.searchsorted(self.rising, at, "left")
        share = (wanted - (self.size - upto)) / tied
        ordered = np.sort(members)
        hit = members.size - np.searchsorted(ordered, at, "right")
        level = members.size - hit - np.searchsorted(ordered, at, "left")
        return np.asarray((hit + share * level) / members.size)
