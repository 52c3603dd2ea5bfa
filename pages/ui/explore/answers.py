"""What the browser may say on Explore, and what is done with it."""

from __future__ import annotations

import functools

from core.network import Network
from pages.ui.kit import inputs
from pages.ui.kit.acting import SHOWN, choose, edit, observe, select, show
from pages.ui.kit.component import Answers
from pages.ui.kit.knob import read_knob
from pages.ui.kit.replies import one_of, read_edit, read_observation


def answers(network: Network) -> Answers:
    """With checked names."""
    names = set(network.names)
    states = {v.name: v.states for v in network.variables}
    return {
        "selected": (lambda sent: one_of(sent, names), select),
        "method": (lambda sent: one_of(sent, set(SHOWN)), choose),
        "edit": (lambda sent: read_edit(sent, names), edit),
        "knob": (read_knob, inputs.moved),
        "settled": (read_knob, inputs.settle),
        "showing": (lambda sent: one_of(sent, {"budget", "answers"}), show),
        "evidence": (
            lambda sent: read_observation(sent, states),
            functools.partial(observe, network),
        ),
    }
