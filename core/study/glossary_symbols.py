"""Symbols: anchor -> (sign, name, meaning, where it is from)."""

from __future__ import annotations

CHOWDHURY = "Chowdhury, Rekatsinas, Jha 2020 (ICML)"
MURAKONDA = "Murakonda, Shokri, Theodorakopoulos 2021"
PRIVBAYES = "Zhang et al. 2017 (PrivBayes)"
BERNSTEIN = "Bernstein et al. 2017"
DWORK = "Dwork, Roth 2014"

SYMBOLS: dict[str, tuple[str, str, str, str]] = {
    "epsilon": (
        "ε",
        "ε, total budget",
        "The whole privacy budget of one release: no output becomes more likely than e^ε times "
        "because of one record, so smaller is more private and less accurate.",
        DWORK,
    ),
    "beta": (
        "β",
        "β, share of ε for Stage I",
        "The part of ε that a data-dependent method spends on deciding who gets what; on "
        "Synthesise β is the part spent on choosing the structure, as in PrivBayes.",
        f"{CHOWDHURY}, where β is the sampling rate (our γ); {PRIVBAYES}",
    ),
    "gamma": (
        "γ",
        "γ, sampling rate of Stage I",
        "The share of the records that Stage I looks at; 1 is no sampling.",
        f"{CHOWDHURY}, where it is called β",
    ),
    "delta-failure": (
        "δ",
        "δ of a guarantee (ε, δ)",
        "The probability with which a guarantee (ε, δ) may fail: far below 1 over the number of "
        "records, and zero for Laplace noise.",
        DWORK,
    ),
    "delta-node-error": (
        "δ",
        "δ of a node, its expected error",
        "How wrong a node's table is expected to be, estimated by Stage I; on Allocate and "
        "in the published bounds δ is always this error and never a probability of failure.",
        f"{CHOWDHURY}, Eq. 12",
    ),
    "mu-risk": (
        "μ",
        "μ on Risk and Explore",
        "How far apart members and others are for the attacker, √(C/n): 0 is no difference.",
        f"{MURAKONDA}, Theorem 1",
    ),
    "mu-bounds": (
        "μ",
        "μ on Utility",
        "Where the measured error of an answer stands between the published bounds: 0 at the "
        "lower, 1 at the upper.",
        f"{CHOWDHURY}, Theorems 4.1 and 4.2",
    ),
    "rho": (
        "ρ",
        "ρ, concentrated budget",
        "The budget of Gaussian noise, which adds up table by table like ε and is turned into "
        "(ε, δ) at the end.",
        "Bun, Steinke 2016",
    ),
    "sigma": (
        "σ",
        "σ, spread of Gaussian noise",
        "The standard deviation of the Gaussian noise in a cell, in records.",
        "Bun, Steinke 2016",
    ),
    "sensitivity": (
        "Δ",
        "Δ, sensitivity",
        "How much one record can change a number that is computed from the data; on Allocate Δ "
        "of a node is a public constant of the graph.",
        f"{DWORK}; {CHOWDHURY}, Eq. 7",
    ),
    "alpha": (
        "α",
        "α, false-alarm rate",
        "The share of people outside the data whom the attacker accuses all the same.",
        MURAKONDA,
    ),
    "theta-usefulness": (
        "θ",
        "θ on Synthesise, usefulness",
        "How much information a cell must hold over its noise: a larger θ allows smaller tables "
        "only.",
        PRIVBAYES,
    ),
    "theta-parameters": (
        "θ",
        "θ on Undirected, parameters",
        "The natural parameters of the undirected model, which maximum likelihood chooses.",
        BERNSTEIN,
    ),
    "lambda": (
        "λ",
        "λ, penalty",
        "How strongly large parameters are held back when an undirected model is fitted to "
        "noisy tables.",
        BERNSTEIN,
    ),
    "noise-per-record": (
        "b/N",
        "b/N, noise per record",
        "The scale b of a cell's noise divided by the number N of records: the unit in which "
        "λ is given, so that it follows the noise.",
        "This project; docs/methods.md",
    ),
    "complexity": (
        "C",
        "C, free parameters",
        "The number of probabilities that the network's tables hold beyond those that follow "
        "from the others; more of them give more away.",
        f"{MURAKONDA}, Theorem 1",
    ),
    "score-r": (
        "R",
        "R, score of a family",
        "How far a variable and its parents are from independence: the score by which "
        "PrivBayes chooses parents; F and I are its alternatives.",
        PRIVBAYES,
    ),
    "weight": (
        "W",
        "W, weight of a node",
        "(height + 1)(out-degree + 1)(Δ + 1): how much else depends on a node, by the graph alone.",
        f"{CHOWDHURY}, Eq. 11",
    ),
    "eta": (
        "η",
        "η, neighbours in the graph",
        "Most neighbours of a node plus one; on Risk's question the most parents a node may keep.",
        f"{CHOWDHURY}, Theorem 4.1",
    ),
    "kappa": (
        "κ",
        "κ, treewidth",
        "How far the graph is from a tree: the largest table that exact inference needs has "
        "κ + 1 variables.",
        f"{CHOWDHURY}, Theorem 4.2",
    ),
    "phi": (
        "φ",
        "φ, a table's entry",
        "An entry of a probability table in the published bounds; φ_min is the smallest.",
        f"{CHOWDHURY}, Theorem 4.1",
    ),
    "normal": (
        "Φ",
        "Φ and z, the normal curve",
        "Φ(z) is the share of a normal distribution below z; z_a is where the share a is above.",
        "Standard notation",
    ),
    "capital-theta": (
        "Θ",
        "Θ, a table's probability",
        "A probability of a node's table in the formula of its expected error.",
        f"{CHOWDHURY}, Eq. 12",
    ),
    "parents": (
        "Π",
        "Π or π, parents",
        "The parents of a variable.",
        PRIVBAYES,
    ),
}
