"""One figure of each maker, from numbers that a reader can check."""

import numpy as np

from core.lessons.lesson import Bar
from core.scenario import Scenario
from core.study.frontier import frontier
from core.study.frontier_points import FrontierPoint
from figures.allocate import (
    budget_figure,
    printed_figure,
    sampling_figure,
    sensitivity_figure,
)
from figures.bands import Axes, Band, band_figure
from figures.bars import Bars, Dots, answer_figure, bar_figure, dot_figure, predictions_figure
from figures.frontier import frontier_figure, frontier_grid
from figures.ranges import Ranges, range_figure
from figures.readings import MeasuredRow, reading_figure
from figures.risk import accusation_figure, carrier_figure, edge_figure
from figures.synthesise import heat_figure
from figures.tradeoff import MeasuredPoints, Tradeoff, tradeoff_figure

HOSTILE = "<b>smoke</b>"
QUANTILES = np.linspace(0.5, 1.5, 7)
EPSILONS = np.geomspace(0.05, 10, 12)
ALARMS = np.geomspace(0.001, 0.999, 40)


def bands(name="uniform", **axes):
    curve = Band(name, 0.3 * QUANTILES[:, None] / EPSILONS, 0.3 * QUANTILES)
    other = Band("equipoise", 0.1 * QUANTILES[:, None] / EPSILONS, 0.1 * QUANTILES)
    return band_figure(EPSILONS, [curve, other], Axes("ε", "error", mark=1.0, **axes), revision="r")


def shares():
    curve = Band("uniform", np.clip(0.3 * QUANTILES[:, None] * EPSILONS, 0, 1), QUANTILES / 2)
    axes = Axes("ε", "share", mark=1.0, scale="share", points=True)
    return band_figure(EPSILONS, [curve], axes, revision="r")


def tradeoff(scale="log", name="composed"):
    curves = [
        Tradeoff(name, "guarantee", np.minimum(1, 2 * ALARMS)),
        Tradeoff("guessing", "guessing", ALARMS),
    ]
    return tradeoff_figure(ALARMS, curves, scale=scale, mark=(0.01, 0.02), revision="r")


RUN = np.array([[0.001, 0.0, 0.0, 0.002], [0.01, 0.02, 0.015, 0.026], [0.1, 0.15, 0.14, 0.17]])


def claims(scale="log", name="guarantee, composed"):
    curves = [
        Tradeoff(name, "guarantee", np.minimum(1, 2 * ALARMS), "risk", f"{name} 0.20 %"),
        Tradeoff("guarantee, ε alone", "loose", np.minimum(1, 7 * ALARMS), "risk"),
        Tradeoff("asymptotic, bound", "asymptotic", np.minimum(1, 1.9 * ALARMS), "second"),
        Tradeoff("heuristic, rare", "heuristic", np.minimum(1, 1.8 * ALARMS), "second"),
        Tradeoff("guessing", "guessing", ALARMS),
    ]
    runs = [MeasuredPoints("measured, this release", RUN, "risk", "measured 0 %")]
    return tradeoff_figure(
        ALARMS, curves, scale=scale, mark=(0.01, 0.02), revision="r", measured=runs, height=430,
        leaders=True,
    )  # fmt: skip


def accusations():
    return accusation_figure(0.01, 0.0231)


def carriers(name="PRESS"):
    return carrier_figure([name, "CO", "3 other nodes"], [0.5, 0.3, 0.2], [50, 30, 20], rest=True)


def edges(name="a → b"):
    return edge_figure([name, "c → d"], np.array([0.0, 90.0]), np.array([4, 2]))


def bars(name="a"):
    values = np.array([0.1, 0.2])
    groups = [
        Bars("equipoise", values, "equipoise"),
        Bars("uniform", values, "uniform", values - 0.05, values + 0.05),
    ]
    return bar_figure([name, "b"], groups, "ε", revision="r", reference=(0.15, name))


def dots(name="uniform"):
    values = np.array([1.0, 10.0, 100.0])
    sets = [
        Dots(name, values, 1.1 * values, "uniform", ["a", name, "c"]),
        Dots("equipoise", values / 2, values / 2, "equipoise", ["a", "b", "c"]),
    ]
    return dot_figure(sets, ("forecast (records)", "measured (records)"), revision="r")


def heat(name="A"):
    tables = {"records": np.array([[0.1, 0.2], [0.3, 0.4]]), name: np.full((2, 2), 0.25)}
    return heat_figure(tables, (name, ["x", name]), ("B", ["u", "v"]), revision="r")


def ranges(name="LOW"):
    groups = [Ranges("uniform", QUANTILES[:, None] * np.array([0.3, 0.5]), "uniform")]
    return range_figure(
        [name, "HIGH"], groups, "probability", revision="r",
        truth=np.array([0.3, 0.5]), limit=(0.6, name),
    )  # fmt: skip


def budget(name="a", count=2):
    values = np.linspace(0.4, 0.1, count)
    plans = [
        Bars("equipoise", values, "equipoise"),
        Bars("data-dependent-icml", values, "data-dependent", values - 0.05, values + 0.05),
        Bars("uniform", np.full(count, 0.25), "uniform"),
    ]
    nodes = [name, *(f"node number {i} of many" for i in range(1, count))]
    return budget_figure(nodes, plans, range(count)[::-1], selected=name, sorted_by="by ε")


def sensitivity(name="a"):
    return sensitivity_figure([name, "b"], np.array([0.1, 0.5]), 0)


def sampling():
    rates = np.geomspace(0.01, 1, 5)
    return sampling_figure(rates, 4 - 3 * rates, (0.1, 3.7))


def printed():
    middle = np.array([0.5, 0.05])
    return printed_figure(("as printed", "in counts"), middle - 0.02, middle, middle + 0.02)


def frontiers(price="epsilon"):
    points = [
        FrontierPoint(m, e, {"query_l1": QUANTILES / (scale * e)}, None)
        for m, scale in (("uniform", 1), ("equipoise", 3))
        for e in (0.1, 1.0, 10.0)
    ]
    return frontier(points, Scenario(), methods=["uniform", "equipoise"], metric="query_l1",
                    price=price)  # fmt: skip


def panels(name="asia"):
    return frontier_grid({name: frontiers(), "child": frontiers()})


def readings(name="l1_row"):
    rows = [MeasuredRow(name, 0.2, 0.1, 0.3), MeasuredRow("kl", 30.0, 20.0, 40.0)]
    return reading_figure(rows, {name: 0.25}, revision="r")


def lesson(name="guessing"):
    rows = (Bar(name, 1.0), Bar("attack", 2.0, 1.5, 2.5))
    return answer_figure(rows, "members found of 100", revision="r")


def predictions(name="copy A"):
    return predictions_figure([(name, 3), ("copy B", 12)], "", revision="r")


ALL = {
    "lesson": lesson,
    "predictions": predictions,
    "frontier": lambda: frontier_figure(frontiers(), 1.0),
    "panels": panels,
    "budget": budget,
    "budget of many": lambda: budget(count=40),
    "sensitivity": sensitivity,
    "sampling": sampling,
    "printed": printed,
    "bands": bands,
    "shares": shares,
    "tradeoff": tradeoff,
    "linear": lambda: tradeoff("linear"),
    "ratio": lambda: tradeoff("ratio"),
    "claims": claims,
    "claims, linear": lambda: claims("linear"),
    "claims, ratio": lambda: claims("ratio"),
    "accusations": accusations,
    "carriers": carriers,
    "edges": edges,
    "bars": bars,
    "dots": dots,
    "heat": heat,
    "ranges": ranges,
    "readings": readings,
}
NAMED = {
    "lesson": lesson,
    "predictions": predictions,
    "panels": panels,
    "budget": budget,
    "sensitivity": sensitivity,
    "bands": bands,
    "tradeoff": lambda name: tradeoff(name=name),
    "claims": lambda name: claims(name=name),
    "carriers": carriers,
    "edges": edges,
    "bars": bars,
    "dots": dots,
    "heat": heat,
    "ranges": ranges,
    "readings": readings,
}
