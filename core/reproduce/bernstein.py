"""Bernstein et al. (2017): all items."""

from __future__ import annotations

from core.reproduce import bernstein_learning as learning
from core.reproduce import bernstein_solvers as solvers
from core.reproduce import bernstein_tables as tables
from core.reproduce.item import Item, printed

MODELS = (
    "third-order chain and connected random graph of 10 variables with 5 states, edge potentials "
    "Dirichlet(1); quick: ε of 0.1 and 1, N of 10^4 and 10^5, 6 trials; full: ε from 0.01 to 1, N "
    "from 10^3 to 10^5, 25 trials"
)

ITEMS = (
    Item(
        key="B1", title="Sensitivity of the tables", source="Proposition 3",
        claim="The local sensitivity of the tables is |C| for all inputs.",
        setting="three small fields of two-valued variables, every population of up to 2 records",
        rule="HOLDS, exhaustive", run=tables.sensitivity,
    ),
    Item(
        key="B2", title="Mean squared error", source="Proposition 4, Eq. 4",
        claim="MSE = μ(1−μ)/N + 2|C|²/(N²ε²).",
        setting="third-order chain, 10 variables of 10 states, ε of 0.1 and 1, N from 10² to 10⁸",
        rule="SHAPE: ratio within 0.9 and 1.1 at every N", run=tables.squared_error,
    ),
    Item(
        key="B3", title="Two slopes", source="Fig. 1a",
        claim="The error falls with N² while noise dominates, then with N.",
        setting="third-order chain, 10 variables of 10 states, ε = 0.1, N from 10² to 10¹²",
        rule="SHAPE: mean slope −2 ± 0.1 where the noise's part is ten times the other, −1 ± 0.15 "
        "where it is a tenth", run=tables.two_slopes,
    ),
    Item(
        key="B4", title="Projection", source="Fig. 1b",
        claim="Projecting the noisy tables is very helpful.",
        setting="random graph of 10 variables of 20 states, ε = 0.5; quick: N of 10^4 and 10^5; "
        "full: N from 10^3 to 10^6", rule="ORDER: projected below raw at every N",
        run=tables.projection,
    ),
    Item(
        key="B5", title="The penalty", source="Fig. 1c",
        claim="With noise λ must be tuned just right; with true statistics small λ are alike.",
        setting="third-order chain of 10 variables, ε = 0.1, N = 10^5; quick: 5 states; full: 10",
        rule="SHAPE: noisy, the best λ halves the KL of the smallest and the largest; exact, KL of "
        "the three smallest within 1.5 times its least", run=tables.tuned_penalty,
    ),
    Item(
        key="B6", title="CGM against naive", source="Fig. 2",
        claim="CGM improves upon naive MLE for all models, privacy levels and population sizes.",
        setting=MODELS, rule="ORDER over shapes, ε and N; of four pairs of readings the kindest",
        run=learning.better_than_naive,
    ),
    Item(
        key="B7", title="Private gradient descent", source="Fig. 2",
        claim="PSGD is worse than naive and CGM although its promise is weaker.",
        setting="as B6; quick: the chain, N of 10^3 and 10^4", rule="ORDER: above both",
        run=learning.gradient_descent,
    ),
    Item(
        key="B8", title="Naive is consistent", source="Section 3.1",
        claim="With many records naive MLE is as good as MLE without privacy.",
        setting="both shapes, 5 states, ε of 1 and 10, N = 10^8",
        rule="SHAPE: ratio of KL at most 1.2, for the kinder ε",
        run=learning.consistent,
    ),
    Item(
        key="B9", title="Learned marginals", source="Fig. 3a",
        claim="Marginals of CGM are much closer to the truth than those of naive.",
        setting="random graph of 10 variables, ε = 0.5, N of 10^4, 10^5; 10 states (full: 20)",
        rule="SHAPE: ratio of mean |error| at most 0.75 at both N (below 0.95: partly)",
        run=learning.scattered,
    ),
    Item(
        key="B10", title="Times", source="Section 4.1",
        claim="A trial of CGM takes 4 (chain) and 8 (random) times naive's, PSGD 27 and 40.",
        setting="10 variables of 5 states, N = 10^4, ε = 1", rule="FACTOR(2), or the same order",
        run=solvers.times, timed=True,
        published=printed([(f"{shape}, {name} over naive", ratio)
                           for shape, own in solvers.TIMES.items() for name, ratio in own.items()]),
    ),
    Item(
        key="B11", title="Mobility", source="Fig. 3b",
        claim="CGM is better than naive across all regimes.",
        setting="generated people in place of wifi data", rule="ORDER over people and ε",
        run=solvers.town,
    ),
    Item(
        key="B12", title="Times on mobility", source="Section 4.2",
        claim="CGM takes 15 times naive's time, PSGD 46.", setting="4,000 generated people",
        rule="FACTOR(2), or the same order", run=solvers.town_times, timed=True,
        published=printed([("CGM over naive", 15.0), ("PSGD over naive", 46.0)]),
    ),
    Item(
        key="B13", title="Non-linear belief propagation", source="Algorithm 1",
        claim="Algorithm 1 solves the E-step on trees.",
        setting="chain of 6 variables of 4 states, ε of 0.1 and 1, N of 10^3 and 10^6, 300 rounds",
        rule="HOLDS: L1 gap for each clique to the exact solution below 0.01, for every constant "
        "damping", run=solvers.nonlinear,
    ),
    Item(
        key="B14", title="EM rises", source="Proposition 5, Algorithm 2",
        claim="Every EM step raises the objective.",
        setting="both shapes, 8 variables of 3 states, ε = 0.5, N = 10^4",
        rule="HOLDS: no step falls by more than 1e-7", run=solvers.monotone,
    ),
)  # fmt: skip
