"""Whoever waits for a count: how far it is, and that it is to stop."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.errors import EquipoiseError

POLL = 0.2
"""Seconds between two looks at whether to stop."""


@dataclass(eq=False)
class Watch:
    """Rows counted so far, of how many where that is known; ``halt`` ends the counting."""

    counted: int = 0
    total: int = 0
    began: float = field(default_factory=time.monotonic)
    halt: threading.Event = field(default_factory=threading.Event)

    def add(self, rows: int) -> None:
        """So many more."""
        self.counted += rows
        self.check()

    def check(self) -> None:
        """Refuse to go on where nobody waits any more."""
        if self.halt.is_set():
            raise EquipoiseError("the count was stopped; nothing was used, and it can begin again")

    @contextlib.contextmanager
    def interrupting(self, interrupt: Callable[[], object]) -> Iterator[None]:
        """End what an engine is doing inside, as soon as it is to stop."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(POLL):
                if self.halt.is_set():
                    interrupt()
                    return

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()
        self.check()
