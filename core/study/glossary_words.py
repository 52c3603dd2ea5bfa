"""Words of the study: anchor -> (name, meaning, where it is from)."""

from __future__ import annotations

from core.study.glossary_symbols import BERNSTEIN, CHOWDHURY, DWORK, MURAKONDA, PRIVBAYES

OURS = "This project"

WORDS: dict[str, tuple[str, str, str]] = {
    "network": (
        "network",
        "Variables (nodes), arrows between them, and one probability table for each node given "
        "its parents.",
        "Pearl 1988",
    ),
    "conditional": (
        "conditional",
        "The probabilities of a node for each setting of its parents: one row for each setting.",
        "Pearl 1988",
    ),
    "row": (
        "row",
        "One line of a probability table, summing to 1; a line of the data is called a record.",
        OURS,
    ),
    "record": (
        "record",
        "One line of the data, usually one person.",
        OURS,
    ),
    "family": (
        "family",
        "A node together with its parents.",
        "Pearl 1988",
    ),
    "table": (
        "table",
        "Counts of the records for every combination of some variables; noise is added to tables "
        "and to nothing else.",
        OURS,
    ),
    "row-error-weighted": (
        "row error, weighted by probability",
        "Sum of the absolute errors in a row, rows weighted by how common they are (0 exact, 2 "
        "worst): on Explore.",
        "core.study.metrics, l1_weighted",
    ),
    "row-error-plain": (
        "row error, each row alike",
        "The same sum with every row counted once, however rare: larger, because rare rows "
        "drown in noise; on Utility and in a rehearsal on Release.",
        "core.study.metrics, l1_row",
    ),
    "l1": (
        "L1",
        "A sum of absolute differences; between two distributions it runs from 0 to 2.",
        "Standard notation",
    ),
    "kl": (
        "KL",
        "Kullback-Leibler divergence: how surprised one distribution is by another, 0 for equal.",
        "Kullback, Leibler 1951",
    ),
    "stage-one": (
        "Stage I",
        "The first step of a data-dependent method: it spends β·ε on a look at a sample, to "
        "decide which node gets how much of the rest.",
        f"{CHOWDHURY}, Algorithm 1",
    ),
    "neighbours": (
        "neighbours",
        "Two sets of records that differ in one record, added or removed, or replaced by "
        "another: privacy means that they can hardly be told apart.",
        DWORK,
    ),
    "plan": (
        "plan",
        "Which table gets which part of ε; it is public.",
        OURS,
    ),
    "uniform": (
        "uniform",
        "The method that gives every node the same part of ε.",
        f"{CHOWDHURY}, baseline D-Ind",
    ),
    "data-dependent": (
        "data-dependent",
        "The method that first spends β·ε to see which nodes need more.",
        CHOWDHURY,
    ),
    "equipoise": (
        "equipoise",
        "This project's method: families share tables where that saves noise, and ε is split by "
        "the tables' sizes, without a look at the data.",
        OURS,
    ),
    "lock": (
        "lock",
        "A floor: a node gets at least this share of ε, the others share the rest.",
        OURS,
    ),
    "prior": (
        "prior",
        "A small public count added to every cell before a row is normalised.",
        "Dirichlet pseudo-count",
    ),
    "height": (
        "height",
        "Length of the longest path from a node down to a node without children.",
        CHOWDHURY,
    ),
    "out-degree": (
        "out-degree",
        "The number of a node's children.",
        CHOWDHURY,
    ),
    "replicates": (
        "replicates",
        "How often the release is rehearsed with fresh noise; lines are medians over them and "
        "bands hold 50, 80 and 95 % of them.",
        OURS,
    ),
    "seed": (
        "seed",
        "The number from which a study's noise follows, so that it can be repeated; a real "
        "release has none.",
        OURS,
    ),
    "truth": (
        "truth",
        "What the exact counts say; it is not private and must not be published.",
        OURS,
    ),
    "forecast": (
        "forecast",
        "An error computed from the plan alone, without a look at the records.",
        OURS,
    ),
    "evidence": (
        "evidence",
        "States of some variables that a question takes as known.",
        "Pearl 1988",
    ),
    "most-probable-explanation": (
        "most probable explanation",
        "The likeliest states of all other variables, given the evidence.",
        "Pearl 1988",
    ),
    "treewidth": (
        "treewidth",
        "How far a graph is from a tree; exact answers take long where it is large.",
        "Robertson, Seymour 1986",
    ),
    "synthetic-records": (
        "synthetic records",
        "Records drawn from the private model; nobody's own.",
        PRIVBAYES,
    ),
    "structure": (
        "structure",
        "The graph alone: who is whose parent.",
        PRIVBAYES,
    ),
    "clique": (
        "clique",
        "A set of variables that share a table in an undirected model.",
        BERNSTEIN,
    ),
    "estimator": (
        "estimator",
        "A way to learn a model from noisy tables: naive takes them as exact, cgm treats the "
        "true tables as hidden.",
        BERNSTEIN,
    ),
    "projection": (
        "projection",
        "Putting a noisy table on its simplex: no negative count, the right total.",
        BERNSTEIN,
    ),
    "member": (
        "member",
        "A person whose record is in the data.",
        MURAKONDA,
    ),
    "attacker": (
        "attacker",
        "Someone who knows a person's record and the release and says whether the record is in "
        "the data.",
        MURAKONDA,
    ),
    "power": (
        "power",
        "The share of the members whom an attacker finds, at a given false-alarm rate.",
        MURAKONDA,
    ),
    "false-alarm": (
        "false alarm",
        "Someone outside the data who is taken for a member.",
        MURAKONDA,
    ),
    "advantage": (
        "advantage",
        "Members found minus false alarms, at the attacker's best threshold: 0 is guessing.",
        "Yeom et al. 2018",
    ),
    "auc": (
        "AUC",
        "The chance that an attacker ranks a random member above a random other: 0.5 is guessing, "
        "1 is certainty.",
        MURAKONDA,
    ),
    "guarantee": (
        "guarantee",
        "A proven limit that holds for every attacker; never to be compared with an estimate as "
        "if both were of one kind.",
        DWORK,
    ),
    "composed": (
        "composed",
        "The guarantee computed from all tables' noise together, tighter than the one from ε "
        "alone.",
        "core.membership.tradeoff",
    ),
    "published-bound": (
        "published bound",
        "A limit for exact tables and many records, without noise; an estimate that small "
        "data can exceed.",
        f"{MURAKONDA}, Theorem 1",
    ),
    "leverage": (
        "leverage",
        "How much of its own cells a record is: records in rare cells are easier to find.",
        "core.membership.leverage",
    ),
    "pool": (
        "pool",
        "Records drawn afresh from a population to play the private data in a measured attack.",
        MURAKONDA,
    ),
    "base-rate": (
        "base rate",
        "The share of members among those whom the attacker suspects.",
        "Axelsson 2000",
    ),
    "guardrail": (
        "guardrail",
        "A number from one pool that shows where the theory stops being safe, and what to do then.",
        OURS,
    ),
}
