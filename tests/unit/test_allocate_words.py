"""Allocate's sentences where a network has one node: one table is not called tables."""

import re

import numpy as np
import pytest

from core.counts import Rows
from core.dataset import Dataset
from core.methods.registry import METHODS
from core.network import Network
from core.scenario import Scenario
from core.study.allocated import planned
from core.study.metrics import Truth
from core.table import Variable
from pages.ui.allocate.views import proof
from pages.ui.allocate.words import because, card_note, finding
from pages.ui.kit.words import guarantee

ONE = Network((Variable("only", ("a", "b", "c")),), ((),))
MANY = re.compile(r"\b1 (\w+ )?(tables|budgets|costs|families|nodes)\b")


@pytest.mark.parametrize("method", [m.name for m in METHODS.values() if m.guarantee.private])
def test_one_is_told_in_the_singular(method):
    counts = Rows(Dataset(ONE.variables, np.arange(60)[:, None] % 3))
    truth = Truth.of(ONE, counts)
    plan = planned(method, truth, counts, Scenario(replicates=10))
    runs = [run for sentence in proof(plan) for run in sentence]
    runs += finding([plan], plan, ONE, because(plan, ONE))
    told = "".join(text for text, _ in runs) + card_note(plan, 1) + guarantee(plan.plan)
    assert not MANY.search(told), told
    assert "\ue000" not in told
