"""What the product does step by step, asked for at once; and what tests compare by."""

from itertools import product

import numpy as np

from core.privbayes.distances import distance, distributions
from core.reproduce.documents import CHANGING
from core.study.experiments import sweeping
from release.review.standin import rehearsing


def sweep(truth, counts, scenario, *, methods, epsilons, **asked):
    """Every method at every ε."""
    wanted = list(product(methods, epsilons))
    steps = sweeping(truth, counts, scenario, wanted=wanted, **asked)
    return tuple(point for points in steps for point in points)


def rehearse(stand_in, method, scenario, *, records):
    """A whole rehearsal on a stand-in."""
    *_, last = rehearsing(stand_in, method, scenario, records=records)
    return last


def distances(real, other, marginals):
    """Total variation distance of each marginal: half the L1 distance.

    Source: Zhang et al. 2017 (TODS), section 6.1.
    """
    pairs = zip(distributions(real, marginals), distributions(other, marginals), strict=True)
    return np.array([distance(p, q) for p, q in pairs])


def lasting(kept):
    """A document without what changes from run to run: equal for equal seeds, digit for digit.

    Of an item that prints seconds what was measured stays, and neither how long it took nor what
    follows from that.
    """
    same = {key: value for key, value in kept.items() if key not in CHANGING}
    if kept["timed"]:
        same["ours"] = [[row[key] for key in ("reading", "what", "replicates")]
                        for row in kept["ours"]]  # fmt: skip
        same = {k: v for k, v in same.items() if k not in ("verdict", "why", "readings")}
    return same
