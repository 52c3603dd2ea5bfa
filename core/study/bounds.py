"""The published error bounds of an answer, computed as printed, and what they are worth.

Chowdhury et al. 2020 (ICML), Theorems 4.1 and 4.2, for one sum-product term of variable
elimination whose factors are the published parameters. The upper bound holds for one term; the
lower bound is proved for one constructed network and rests on first-order error propagation.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.inference.queries import treewidth
from core.network import Network
from core.parameters import Model
from core.table import Array


@dataclass(frozen=True, eq=False)
class ErrorBounds:
    """Bounds on the L1 error of an answer, one for each replicate.

    ``eta`` is the largest number of neighbours of a variable plus one, ``kappa`` the treewidth
    found, ``domain`` the largest number of states.
    """

    eta: int
    kappa: int
    domain: int
    lower: Array
    upper: Array

    def normalised(self, errors: Array) -> Array:
        """μ = (error - lower) / (upper - lower): 0 at the lower bound, 1 at the upper one.

        ``errors`` are L1 errors of answers, replicates last. Source: Chowdhury et al. 2019
        (arXiv), experimental results, Table 2.
        """
        width = np.maximum(self.upper - self.lower, np.finfo(float).tiny)
        return np.asarray((errors - self.lower) / width)


def degree(network: Network) -> int:
    """η: the largest in-degree plus out-degree of a variable, plus one."""
    pairs = zip(network.parents, network.children, strict=True)
    return max(len(parents) + len(children) for parents, children in pairs) + 1


def constants(network: Network) -> tuple[int, int, int]:
    """η, κ and d."""
    return degree(network), treewidth(network), max(v.cardinality for v in network.variables)


def published_bounds(
    eta: int, kappa: int, domain: int, *, least: Array, most: Array, smallest: float
) -> ErrorBounds:
    """Lower: sqrt(η - 1) · δ_min · φ_min^(η - 2). Upper: 2 η d^κ δ_max.

    δ, from ``least`` to ``most``, are errors of the factors, φ their exact values.
    """
    factor = math.sqrt(eta - 1) * smallest ** max(eta - 2, 0)
    upper = 2 * eta * float(domain) ** kappa * most
    return ErrorBounds(eta, kappa, domain, factor * least, upper)


def error_bounds(exact: Model, private: Model) -> ErrorBounds:
    """Theorems 4.1 and 4.2 with minima and maxima over all parameters. Compares with the truth."""
    errors = np.abs(private.values - exact.values)
    ends = {"least": errors.min(axis=-1), "most": errors.max(axis=-1)}
    return published_bounds(*constants(exact.network), **ends, smallest=float(exact.values.min()))
