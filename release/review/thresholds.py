"""Thresholds: the limits a steward sets before looking at a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import EquipoiseError

ALARMS = (0.001, 0.01, 0.1)
"""False-alarm rates at which members found are limited."""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """The most a release may reveal and the worst it may be.

    ``powers`` limit the share of members that anyone finds at ``ALARMS``, ``auc`` the area under
    the curve. ``noise`` limits the forecast noise of a cell as a share of the records,
    ``row_error`` the L1 error of a row in a rehearsal on public data. ``group_error`` limits the
    forecast noise of a cell as a share of the smallest group that counts, which is that ``group``
    of the records. ``epsilon`` is what counts
    as strong and ``epsilon_most`` what is still usual, for one unit over all releases. Source of
    both: Ponomareva et al. 2023, "How to DP-fy ML", tiers 1 and 2.
    """

    powers: tuple[float, ...] = (0.004, 0.025, 0.2)
    auc: float = 0.6
    noise: float = 0.02
    row_error: float = 0.2
    group: float = 0.1
    group_error: float = 0.2
    epsilon: float = 1.0
    epsilon_most: float = 10.0

    def __post_init__(self) -> None:
        if len(self.powers) != len(ALARMS):
            raise EquipoiseError(
                f"{len(self.powers)} limits on members found are given; give one for each "
                f"false-alarm rate of {', '.join(f'{a:g}' for a in ALARMS)}"
            )
        for value in self.powers:
            if not 0 < value <= 1:
                raise EquipoiseError(
                    f"a limit on members found is {value:g}; it must lie above 0 and at most at 1"
                )
        if not 0.5 <= self.auc <= 1:
            raise EquipoiseError(f"the limit auc is {self.auc:g}; it must lie between 0.5 and 1")
        for name in ("noise", "row_error", "group", "group_error", "epsilon", "epsilon_most"):
            if not getattr(self, name) > 0:
                raise EquipoiseError(
                    f"the limit {name} is {getattr(self, name):g}; it must be positive"
                )

    @property
    def most_noise(self) -> float:
        """The most noise of a cell as a share of the records: of all, or of the smallest group."""
        return min(self.noise, self.group * self.group_error)

    @classmethod
    def of(cls, limits: Sequence[float]) -> Thresholds:
        """From the four limits of Risk: members found at 0.1, 1 and 10 % false alarms, AUC."""
        *powers, auc = limits
        return cls(powers=tuple(powers), auc=auc)
