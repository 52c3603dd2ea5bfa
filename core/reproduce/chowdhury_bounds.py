"""Bounds of Chowdhury et al. on answers: C11 (Table 2) and C12 (Theorems 4.1 and 4.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.inference.queries import answer, treewidth
from core.parameters import Model
from core.reproduce.chowdhury_printed import NORMALISED
from core.reproduce.error_study import THEIRS, UNIFORM
from core.reproduce.item import Finding, Inquiry, OwnNumber, Steps, mean, value
from core.reproduce.sampled import NETWORKS, truth_and_counts
from core.reproduce.sum_products import SumProduct, sum_products
from core.reproduce.verdicts import best, factor, holds, order, weaker
from core.scenario import Scenario
from core.study.bounds import degree
from core.study.experiments import interval, rehearsals
from core.study.metrics import Truth, distance
from core.table import Array

RUNS = 20
"""Releases whose terms are looked at."""

BOUNDS = (
    "one bound from all parameters",
    "the last term of each question",
    "κ is the size of the largest factor",
    "minima over values that are not zero",
)


def _constants(network_model: Model) -> tuple[int, int, int]:
    """η, κ and d."""
    network = network_model.network
    return degree(network), treewidth(network), max(v.cardinality for v in network.variables)


def _normalised(errors: Array, lower: Array, upper: Array) -> Array:
    return (errors - lower) / np.maximum(upper - lower, np.finfo(float).tiny)


def _bound(model: Model, private: Model, reading: str) -> tuple[Array, Array]:
    """Lower and upper bound from the parameters' errors, one for each replicate."""
    eta, kappa, domain = _constants(model)
    errors, exact = np.abs(private.values - model.values), model.values
    if reading == BOUNDS[2]:
        kappa += 1
    least, smallest = errors.min(axis=-1), float(exact.min())
    if reading == BOUNDS[3]:
        least = np.where(errors > 0, errors, np.inf).min(axis=-1)
        smallest = float(exact[exact > 0].min())
    lower = math.sqrt(eta - 1) * least * smallest ** max(eta - 2, 0)
    return lower, 2 * eta * float(domain) ** kappa * errors.max(axis=-1)


def _last_terms(truth: Truth, private: Model, errors: Sequence[Array]) -> Array:
    """μ with the bounds of the last sum-product term of each question, averaged over them."""
    eta, kappa, domain = _constants(truth.model)
    each = []
    for question, error in zip(truth.questions, errors, strict=True):
        terms = sum_products(truth.model, private, question.targets, question.given)
        if terms:
            last = terms[-1]
            lower = math.sqrt(eta - 1) * last.least * last.smallest ** max(eta - 2, 0)
            each.append(_normalised(error, lower, 2 * eta * domain**kappa * last.most))
    return np.asarray(np.mean(each, axis=0))


def normalised_errors(truth: Truth, private: Model) -> dict[str, Array]:
    """μ of Table 2 under each reading of the bounds, one for each replicate."""
    pairs = zip(answer(private, truth.questions), truth.answers, strict=True)
    errors = [distance(p, q).reshape(len(p), -1).sum(axis=-1) for p, q in pairs]
    whole = np.mean(errors, axis=0)
    by_reading = {
        reading: _normalised(whole, *_bound(truth.model, private, reading))
        for reading in BOUNDS
        if reading != BOUNDS[1]
    }
    return {**by_reading, BOUNDS[1]: _last_terms(truth, private, errors)}


def table_two(inquiry: Inquiry) -> Steps:
    """C11: μ at ε = 1."""
    runs: dict[tuple[str, str, str], Array] = {}
    for name in NETWORKS:
        truth, counts = truth_and_counts(inquiry.laboratory.model(name), inquiry.seed)
        scenario = Scenario(replicates=inquiry.size(10, 20), seed=inquiry.seed)
        for method in (UNIFORM, *THEIRS):
            release = next(rehearsals(method, truth.network, counts, scenario))
            for reading, values in normalised_errors(truth, release.model).items():
                runs[reading, method, name] = values
        yield len(NETWORKS)
    ours: list[OwnNumber] = []
    judged = {}
    for reading in BOUNDS:
        for method in (UNIFORM, *THEIRS):
            ours += [mean(reading, f"{name}, {method}", interval(runs[reading, method, name]),
                          len(runs[reading, method, name])) for name in NETWORKS]  # fmt: skip
        for method in THEIRS:
            means = {n: (float(runs[reading, UNIFORM, n].mean()),
                         float(runs[reading, method, n].mean())) for n in NETWORKS}  # fmt: skip
            ratios = {f"{n} {who}": means[n][k] / NORMALISED[n][k]
                      for n in NETWORKS for k, who in enumerate(("D-Ind", "theirs"))}  # fmt: skip
            same = all(theirs < base for base, theirs in means.values())
            differences = [runs[reading, UNIFORM, n] - runs[reading, method, n] for n in NETWORKS]
            judged[f"{reading}, {method}"] = weaker(
                {"values": factor(ratios, same), "theirs below D-Ind": order(differences)}
            )
    return Finding(tuple(ours), best(judged), (
        "An L1 distance of two distributions is at most 2; the upper bounds are 15 and more.",
    ))  # fmt: skip


def _terms(inquiry: Inquiry, name: str) -> tuple[list[SumProduct], tuple[int, int, int]]:
    """Terms of eliminating every variable, of some releases."""
    truth, counts = truth_and_counts(inquiry.laboratory.model(name), inquiry.seed)
    scenario = Scenario(replicates=RUNS, seed=inquiry.seed)
    release = next(rehearsals(UNIFORM, truth.network, counts, scenario))
    return sum_products(truth.model, release.model), _constants(truth.model)


def theorems(inquiry: Inquiry) -> Steps:
    """C12: both theorems, term by term."""
    ours: list[OwnNumber] = []
    over = under = -math.inf
    names = ("figure-one", *NETWORKS)
    for name in names:
        terms, (eta, kappa, domain) = _terms(inquiry, name)
        upper = [2 * eta * domain**kappa * t.most for t in terms]
        lower = [math.sqrt(eta - 1) * t.least * t.smallest ** max(eta - 2, 0) for t in terms]
        errors = np.array([t.error for t in terms])
        over = max(over, float((errors - upper).max()))
        under = max(under, float((np.array(lower) - errors).max()))
        ours += [
            value(
                name, "share of terms below the upper bound", float((errors <= upper).mean()), RUNS
            ),
            value(
                name, "share of terms above the lower bound", float((errors >= lower).mean()), RUNS
            ),
            value(
                name, "share of lower bounds that are 0", float((np.array(lower) == 0).mean()), RUNS
            ),
        ]
        yield len(names)
    judged = {"upper": holds(over, "error less bound"), "lower": holds(under, "bound less error")}
    return Finding(tuple(ours), weaker(judged))


def proof_step(inquiry: Inquiry) -> Steps:
    """C12b: the step before the lower bound, with the number of factors t in place of η."""
    ours: list[OwnNumber] = []
    worst = -math.inf
    names = ("figure-one", *NETWORKS)
    for name in names:
        terms, _ = _terms(inquiry, name)
        lower = np.array(
            [math.sqrt(t.factors - 1) * t.least * t.smallest ** (t.factors - 2) for t in terms]
        )
        errors = np.array([t.error for t in terms])
        worst = max(worst, float((lower - errors).max()))
        ours.append(
            value(name, "share of terms above the bound", float((errors >= lower).mean()), RUNS)
        )
        yield len(names)
    return Finding(tuple(ours), holds(worst, "bound less error"), (
        "The step rests on first-order error propagation and on one constructed network; with η in "
        "place of t the bound is smaller and holds.",
    ))  # fmt: skip
