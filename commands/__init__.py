"""The verbs of the shell: what `cli.py` answers, in the order it lists them."""

VERBS = {
    "networks": "List the sample networks.",
    "schema": "Propose, confirm and write the schema of a table.",
    "describe": "What follows from the graph.",
    "methods": "List the methods.",
    "glossary": "What a symbol or word means.",
    "allocate": "Who gets which part of the budget, and the error that follows.",
    "query": "One question to the exact and to the private models.",
    "sweep": "Error of methods over a range of budgets.",
    "solve": "The smallest budget that keeps an error below a limit.",
    "groups": "Who bears the error: rows by size, people by a state; and which sample errs alike.",
    "compare": "The privacy-utility frontier: error of every method against what it gives away.",
    "risk": "The most a membership attacker could gain.",
    "attack": "How many members an attack finds over repeated pools (--records is a pool's size).",
    "synthesise": "Rehearse a private structure and synthetic records with a known seed: "
    "for study.",
    "undirected": "Learn an undirected model from noisy tables, compared with the truth.",
    "reproduce": "What the four papers say, measured again, each with a verdict.",
    "lesson": "Lessons to predict, see and explain, with computed answers.",
    "audit": "Run a method on neighbouring data and bound its real ε from below.",
    "domain": "Buy the states of a column that nobody can state.",
    "release": "Review, pay for and write one private release.",
    "verify": "Whether released files are as they were released.",
    "ledger": "What was spent on which data.",
}
"""Each a module of :mod:`commands` with ``add(parser)``, ``run(arguments)``, ``show(document)``."""
