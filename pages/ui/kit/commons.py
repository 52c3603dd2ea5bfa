"""What fifty visitors ask alike is computed once: results about public records, for all sessions.

Public are records that this store itself drew from one of our sample networks, studied with the
network's own graph and without anything a visitor has said about it. Nothing else can get in: a
result is made by a function of such a study, under a :class:`Public` that :meth:`Commons.public`
hands out for the very object that the store drew, never for one that looks like it. Uploads, edited
graphs, known tables, locks and weights stay in their session (:mod:`pages.ui.kit.compute`).

Whoever asks first computes, others wait for it; if the first is stopped, the next goes on.
"""

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from core.network import Network
from core.options import PLAIN, Options
from sources.networks import sample_names
from sources.study import Study, sampled_study

T = TypeVar("T")

STUDIES = 6
"""Public studies that are held; the longest unused goes first."""

LARGEST = 2**25
"""Most cells (records times columns) of one that is held."""

RESULTS = 100
"""Results of one kind that are held, of all studies together."""

LOOK = 0.25
"""Seconds between two looks at what another session computes."""


@dataclass(frozen=True)
class Public:
    """A sample network of ours and how many records were drawn from it: all that a study is."""

    name: str
    records: int


Key = tuple[Public, Hashable]


class _Slot:
    """A result that is there, or on its way."""

    def __init__(self) -> None:
        self.ready, self.filled = threading.Event(), False
        self.value: Any = None


class Commons:
    """Public studies, and what was computed from them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: dict[Public, Study] = {}
        self._kinds: dict[str, dict[Key, _Slot]] = {}

    def study(self, name: str, records: int) -> Study | None:
        """Records drawn from a sample network; none where it is not ours, or too large to hold."""
        if name not in sample_names():
            return None
        public = Public(name, records)
        with self._lock:
            held = self._drawn.pop(public, None)
            if held is None:
                held = sampled_study(name, None, records=records, seed=0)
            if records * len(held.network.names) > LARGEST:
                return None
            self._drawn[public] = held
            while len(self._drawn) > STUDIES:
                self._drawn.pop(next(iter(self._drawn)))
            return held

    def public(self, study: Study, network: Network, options: Options = PLAIN) -> Public | None:
        """Under what results are shared; none where anything about them is a visitor's own."""
        if network is not study.network or options != PLAIN:
            return None
        with self._lock:
            return next((public for public, own in self._drawn.items() if own is study), None)

    def drawn_on(self, network: Network) -> Public | None:
        """The same for what depends on the graph alone."""
        with self._lock:
            return next((p for p, own in self._drawn.items() if own.network is network), None)

    def once(
        self,
        public: Public,
        kind: str,
        question: Hashable,
        make: Callable[[], T],
        waiting: Callable[[], None] = lambda: None,
    ) -> T:
        """The result, made by whoever asks first; ``waiting`` is called now and then by others.

        ``kind`` says what sort of result it is: those of one kind push each other out, no others.
        """
        while True:
            slots, key = self._kinds.setdefault(kind, {}), (public, question)
            slot, mine = self._slot(slots, key)
            if mine:
                return self._fill(slots, key, slot, make)
            while not slot.ready.wait(LOOK):
                waiting()
            if slot.filled:
                result: T = slot.value
                return result

    def _slot(self, slots: dict[Key, _Slot], key: Key) -> tuple[_Slot, bool]:
        with self._lock:
            slot = slots.pop(key, None)
            slots[key] = kept = slot or _Slot()
            while len(slots) > RESULTS:
                slots.pop(next(iter(slots)))
            return kept, slot is None

    def _fill(self, slots: dict[Key, _Slot], key: Key, slot: _Slot, make: Callable[[], T]) -> T:
        try:
            slot.value = result = make()
            slot.filled = True
            return result
        finally:  # also when Streamlit stops the script that was computing
            if not slot.filled:
                with self._lock:
                    if slots.get(key) is slot:
                        del slots[key]
            slot.ready.set()


COMMONS = Commons()
