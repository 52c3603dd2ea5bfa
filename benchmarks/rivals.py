"""The same network in our hands and in those of pgmpy and pyAgrum."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from pathlib import Path

from core.parameters import Model
from sources import networks

NETWORK = "alarm"

warnings.simplefilter("ignore")  # pgmpy announces its next versions at every import
logging.getLogger("pgmpy").setLevel(logging.ERROR)


def ours(name: str = NETWORK) -> Model:
    """A sample network as our model."""
    loaded = networks.sample(name)
    assert isinstance(loaded.model, Model)
    return loaded.model


def path(name: str = NETWORK) -> Path:
    """The sample network's file."""
    return Path(__file__).parent.parent / "sample_networks" / f"{name}.bif"


def pgmpy_model(name: str = NETWORK) -> object:
    """The same file read by pgmpy."""
    from pgmpy.readwrite import BIFReader

    return BIFReader(str(path(name))).get_model()


def pyagrum_model(name: str = NETWORK) -> object:
    """The same file read by pyAgrum."""
    import pyagrum

    return pyagrum.loadBN(str(path(name)))


def posteriors(network: object, names: Sequence[str]) -> list[object]:
    """Marginals of all nodes by a new engine of pyAgrum."""
    import pyagrum

    engine = pyagrum.LazyPropagation(network)
    engine.makeInference()
    return [engine.posterior(name) for name in names]
