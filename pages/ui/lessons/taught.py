"""What classes predict: numbers in this server's memory, shared by a code, gone with the server.

A code leads to numbers and to nothing else: no name, no session, no order of arrival is kept.
"""

from __future__ import annotations

import random
import re
import secrets
import threading
from collections.abc import Hashable

from core.errors import EquipoiseError
from core.lessons.lesson import Prediction

CLASSES = 64
"""Most classes; the longest unused goes first."""

STEPS = 64
"""Most steps of a class, a changed scenario being another step; the oldest goes first."""

ENTRIES = 500
"""Most predictions of one step."""

CODE = re.compile(r"[a-z0-9]{4,12}")
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_code() -> str:
    """A code that nobody guesses by accident, without letters that look alike."""
    return "".join(secrets.choice(_LETTERS) for _ in range(6))


class TaughtClasses:
    """Predictions by code and step."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, dict[Hashable, list[Prediction]]] = {}

    def send(self, code: str, step: Hashable, prediction: Prediction) -> None:
        """Add one prediction, at a place that says nothing of when it came."""
        if not CODE.fullmatch(code):
            raise EquipoiseError("a class code is 4 to 12 small letters and digits")
        with self._lock:
            steps = self._kept.pop(code, {})
            while len(self._kept) >= CLASSES:
                self._kept.pop(next(iter(self._kept)))
            self._kept[code] = steps
            while step not in steps and len(steps) >= STEPS:
                steps.pop(next(iter(steps)))
            entries = steps.setdefault(step, [])
            if len(entries) >= ENTRIES:
                raise EquipoiseError(f"this class has sent {ENTRIES} predictions; begin a new one")
            entries.insert(random.randint(0, len(entries)), prediction)

    def sent(self, code: str, step: Hashable) -> tuple[Prediction, ...]:
        """All predictions of a class for a step."""
        with self._lock:
            return tuple(self._kept.get(code, {}).get(step, ()))


CLASSROOMS = TaughtClasses()
