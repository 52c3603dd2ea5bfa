"""Numbers that Chowdhury et al. print, where an item is compared with them."""

from __future__ import annotations

GRAPHS = {
    "asia": (8, 8, 18),
    "sachs": (11, 17, 178),
    "child": (20, 25, 230),
    "alarm": (37, 46, 509),
}
"""Nodes, arcs and parameters (arXiv and ICML, section 5.1)."""

EXAMPLE = {"height of A": 3.0, "out-degree of A": 1.0, "κ": 2.0}
"""The worked example (arXiv Fig. 2, ICML Fig. 1)."""

EPSILONS = (1.0, 1.5, 2.0, 2.5, 3.0)

ACCURACY = {
    "asia": ((0.88, 1), (0.93, 1), (1, 1), (1, 1), (1, 1)),
    "sachs": ((0.81, 0.86), (0.87, 0.93), (0.92, 0.98), (0.96, 1), (1, 1)),
    "child": ((0.79, 0.93), (0.83, 0.95), (0.89, 0.97), (1, 1), (1, 1)),
    "alarm": ((0.89, 0.95), (0.92, 0.98), (0.95, 1), (1, 1), (1, 1)),
}
"""Table 1: share of MAP questions answered rightly by D-Ind and by theirs, at each ε."""

ACCURACY_MEAN = {"ICML": 0.935, "arXiv": 0.938}
"""Mean over the networks at ε = 1, in the text."""

NORMALISED = {
    "asia": (0.008, 0.0035),
    "sachs": (0.065, 0.04),
    "child": (0.0035, 0.0014),
    "alarm": (0.0046, 0.0012),
}
"""Table 2: μ of D-Ind and of theirs at ε = 1."""

LIMITS = {"parameters, L1": 0.2, "parameters, KL": 0.13, "queries, L1": 0.05, "queries, KL": 0.05}
"""Highlights at ε = 1."""

ASIA_ORDER = ("asia", "smoke", "bronc", "lung", "tub", "xray", "either", "dysp")
"""Budgets from the largest to the smallest (ICML, section 5.2)."""

SACHS_BUDGETS = {"PKC": 0.1, "Jnk": 0.004}
"""The largest and the least at ε = 1 (arXiv, section 5.2)."""
