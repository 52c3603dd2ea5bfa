"""Golden numbers: what every method and estimator gives in one small scenario.

``python -m tests.golden.numbers`` writes them again, which is only right where a change of numbers
is meant; say why in the commit.
"""

import json
from pathlib import Path

from core.methods.registry import METHODS
from core.scenario import Scenario
from core.study.experiments import measure
from core.study.metrics import METRICS, Truth
from core.undirected import study
from core.undirected.sample import Setting, draw, synthetic
from sources.study import sampled_study

FILE = Path(__file__).parent / "numbers.json"
ESTIMATORS = ("naive", "cgm", "non-private", "random")
"""Those without an accountant, which is not ours."""


def of_method(name):
    """Mean over replicates of every metric on asia."""
    asia = sampled_study("asia", None, records=2000, seed=0)
    truth = Truth.of(asia.network, asia.counts)
    found = measure(
        name, truth, asia.counts, Scenario(epsilon=0.1, replicates=20, seed=0), tuple(METRICS)
    )
    return {metric: float(found[metric].mean()) for metric in METRICS}


def of_estimator(name):
    """Mean KL on a third-order chain."""
    chain = synthetic("chain", 5, 3, seed=0)
    sample = draw(chain, Setting(epsilon=0.3, records=300, seed=0))
    return {"kl": float(study.measure(name, sample).divergence.mean())}


def kept():
    """The numbers in the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    numbers = {
        "methods": {name: of_method(name) for name in METHODS},
        "estimators": {name: of_estimator(name) for name in ESTIMATORS},
    }
    FILE.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
