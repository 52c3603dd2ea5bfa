"""Proposals to review: of public samples, and of records with hostile names."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from core.dataset import Dataset
from core.network import Network
from core.privacy import Neighbours
from core.scenario import Scenario
from core.table import Variable
from release.ledger.account import Account
from release.review.facts import Facts, Statements
from release.review.proposal import Proposal
from sources.study import Study, sampled_study

SCRIPT = "<script>alert(1)</script>"
FORMULA = "=cmd|' /C calc'!A0"
ATTRIBUTE = '" onload="alert(2)'


def hostile_study():
    """Private records over names that want to run."""
    variables = (
        Variable(SCRIPT, (FORMULA, "no", "</style><img src=x onerror=alert(3)>")),
        Variable(ATTRIBUTE, ("javascript:alert(4)", "&lt;b&gt;")),
    )
    network = Network(variables, ((), (SCRIPT,)))
    rng = np.random.default_rng(3)
    codes = np.stack([rng.integers(0, 3, 200), rng.integers(0, 2, 200)], axis=1)
    return Study("<b>rows</b>.csv", network, Dataset(variables, codes), sampled=False)


def private_study(name="asia", records=1000):
    """A sample that passes for somebody's records."""
    return replace(sampled_study(name, None, records=records, seed=0), sampled=False)


def account(budget=4, spent=(), neighbours=Neighbours.ADD_REMOVE):
    return Account("ward 7", ["f" * 64], Fraction(budget), Fraction(1, 10**6), neighbours, [*spent])


def proposal(study=None, *, method="equipoise", stated=None, network=None, **more):
    """A proposal that passes every check unless something is asked for."""
    scenario = more.pop("scenario", Scenario(epsilon=1.0, replicates=20))
    study = private_study() if study is None else study
    if stated is None:
        stated = Statements(unit="person", records=study.records, graph="known")
    facts = more.pop("facts", None) or Facts.of(study, stated, scenario.neighbours, network)
    found = {"account": account(), **more}
    return Proposal(facts=facts, method=method, scenario=scenario, **found)
