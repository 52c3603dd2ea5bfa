"""Moments of the likelihood ratio L in closed form, as the appendices of Murakonda et al. 2021."""

from __future__ import annotations


def expected_loss(records: int, share: float) -> float:
    """E[1{Pa = v} L_v], the part of one parameter: (1 / 2n) (1 + (1 - p_v) / (n p_v)). Lemma 1."""
    return (1 + (1 - share) / (records * share)) / (2 * records)


def naive_bayes_variance(attributes: int, records: int, share: float) -> float:
    """Variance of L for a naive Bayes model of m binary attributes, the class among them.

    C / n + (m² / 4n²) (1 / (p (1 - p)) - 4) with C = 2m - 1 and p the share of the class. Eq. 33.
    """
    spread = 1 / (share * (1 - share)) - 4
    return (2 * attributes - 1) / records + (attributes / (2 * records)) ** 2 * spread
