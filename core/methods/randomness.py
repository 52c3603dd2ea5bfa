"""The one door through which methods draw: rehearsals here, releases outside.

A method says which tables get how much noise and does not know who draws it. A numpy generator
rehearses: seeded, any number of replicates. Anything else that is a ``Fresh`` source releases:
whole numbers from fresh entropy, one draw, every table's cost known to whoever made the source.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from core.methods.noise import discrete_gaussian, discrete_laplace, standard_laplace
from core.table import Array

GROUP = 25
"""Replicates thinned at a time."""


@dataclass(frozen=True, eq=False)
class Histograms:
    """Tables measured together: their variables, and the table of each cell.

    Each is one histogram of all records: one record more or less changes one of its cells by one.
    """

    tables: tuple[tuple[str, ...], ...]
    owner: NDArray[np.intp]


STEPS = 2**20
"""Steps of a score that one record may move it by."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """What one private choice is between: tables by their variables, with their scores in steps.

    One record moves a score by at most ``STEPS`` steps, which stand for ``sensitivity`` records.
    Scores are rounded down to steps, which moves them no further apart: a ≤ b + m for a whole
    number m gives floor(a) ≤ floor(b) + m. ``law`` is how the choice is drawn.
    """

    tables: tuple[tuple[str, ...], ...]
    steps: NDArray[np.int64]
    sensitivity: Fraction
    law: str


@dataclass(frozen=True, eq=False)
class Drawn:
    """Noise as one set of tables got it, ``(replicates, cells)``, and by which law.

    ``rate`` below one: the tables hold a Poisson sample.
    """

    histograms: Histograms
    gaussian: bool
    scales: Array
    noise: Array
    rate: float = 1.0


class Watched(np.random.Generator):
    """A generator that rehearses as any other and keeps what it gave, for audits."""

    def __init__(self, bits: np.random.BitGenerator, drawn: list[Drawn] | None = None) -> None:
        super().__init__(bits)
        self.drawn: list[Drawn] = [] if drawn is None else drawn

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        """Children that report to the same list."""
        return [type(self)(child.bit_generator, self.drawn) for child in super().spawn(n_children)]

    def give(self, drawn: Drawn) -> Array:
        """The noise as the method gets it; kept before counts are added to it in its place."""
        self.drawn.append(replace(drawn, noise=drawn.noise.copy("K")))
        return drawn.noise


class Fresh(Protocol):
    """Release noise: whole numbers, one replicate. The source refuses what its budget lacks."""

    def laplace(self, histograms: Histograms, scales: Array, rate: float) -> Array:
        """Discrete Laplace noise of each cell; the tables hold a Poisson sample of that rate."""

    def gaussian(self, histograms: Histograms, deviations: Array) -> Array:
        """Discrete Gaussian noise of each cell."""

    def thinned(self, counts: Array, rate: float) -> Array:
        """Each count after a Poisson sample of that rate."""

    def choice(self, candidates: Candidates, epsilon: float) -> int:
        """The place of one candidate, drawn exactly; nothing is paid at an ε of zero."""

    def keep(self, histograms: Histograms, noisy: Array) -> None:
        """Noisy counts of each cell as the method got them: what was paid for, for the record."""

    def spawn(self, streams: int, /) -> list[Self]:
        """Itself, once for each stream: fresh draws are independent anyway."""


Randomness = np.random.Generator | Fresh
"""A seeded generator for rehearsals, or the noise of one release."""


def laplace(
    histograms: Histograms,
    scales: Array,
    *,
    replicates: int,
    rng: Randomness,
    rate: float = 1.0,
) -> Array:
    """Laplace noise ``(replicates, cells)``, scales ``(..., tables)``; whole in a release.

    ``rate`` says that the tables hold a Poisson sample, which a release charges less for.
    """
    if not isinstance(rng, np.random.Generator):
        return rng.laplace(histograms, _one(scales), rate)[None]
    noise = standard_laplace((replicates, len(histograms.owner)), rng=rng)
    noise *= scales[..., histograms.owner]
    return _given(Drawn(histograms, False, scales, noise, rate), rng=rng)


def whole_laplace(
    histograms: Histograms, scales: Array, *, replicates: int, rng: Randomness
) -> Array:
    """Discrete Laplace noise ``(replicates, cells)``."""
    if not isinstance(rng, np.random.Generator):
        return rng.laplace(histograms, _one(scales), 1.0)[None]
    shape = (replicates, len(histograms.owner))
    noise = discrete_laplace(shape, scales[histograms.owner], rng=rng)
    return _given(Drawn(histograms, False, scales, noise), rng=rng)


def whole_gaussian(
    histograms: Histograms, deviations: Array, *, replicates: int, rng: Randomness
) -> Array:
    """Discrete Gaussian noise ``(replicates, cells)``; each table has a stream of its own."""
    if not isinstance(rng, np.random.Generator):
        return rng.gaussian(histograms, _one(deviations))[None]
    noise = np.empty((len(histograms.owner), replicates))
    ends = np.cumsum(np.bincount(histograms.owner, minlength=len(histograms.tables)))
    start = 0
    for stop, deviation, stream in zip(
        ends.tolist(), deviations.tolist(), rng.spawn(len(ends)), strict=True
    ):
        noise[start:stop] = discrete_gaussian((replicates, stop - start), deviation, rng=stream).T
        start = stop
    return _given(Drawn(histograms, True, deviations, noise.T), rng=rng)


def thinned(counts: Array, rate: float, *, replicates: int, rng: Randomness) -> Array:
    """Each count after a Poisson sample of that rate: binomial, ``(replicates, cells)``.

    Rehearsed cell by cell in groups of replicates: repeating one binomial is many times faster
    than changing it at every draw.
    """
    if not isinstance(rng, np.random.Generator):
        return rng.thinned(counts, rate)[None]
    whole = counts.astype(np.int64)[:, None]
    groups = range(0, replicates, GROUP)
    drawn = [rng.binomial(whole, rate, (counts.size, GROUP)).T for _ in groups]
    return np.concatenate(drawn)[:replicates].astype(np.float64)


def noted(histograms: Histograms, noisy: Array, *, rng: Randomness) -> None:
    """Tell a release of the noisy tables ``(1, cells)`` that a method made of what it drew.

    All that a method makes follows from them: a release publishes them, and is rebuilt from them.
    A number of records that is public is told likewise, without a draw before it.
    """
    if not isinstance(rng, np.random.Generator):
        rng.keep(histograms, noisy[0])


def _given(drawn: Drawn, *, rng: np.random.Generator) -> Array:
    return rng.give(drawn) if isinstance(rng, Watched) else drawn.noise


def _one(scales: Array) -> Array:
    """The scales of the one replicate that a release has."""
    return np.asarray(scales.reshape(-1, scales.shape[-1])[0])
