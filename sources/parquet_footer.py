"""How large a Parquet file says its columns are, read off its footer (Thrift's compact protocol).

pyarrow would say it too, but its process ends where a footer contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.errors import EquipoiseError

DEEPEST = 16
"""Structures within each other; a footer has seven."""

_GROUPS, _COLUMNS, _FACTS, _PATH, _UNPACKED = 4, 1, 3, 3, 6
"""Numbers of the fields that are looked for, as the format's definition has them."""


def unpacked_sizes(name: str, footer: bytes) -> Iterator[tuple[str, int]]:
    """Path and unpacked bytes of every column in every group of rows."""
    try:
        for group in _Compact(footer).struct(0).get(_GROUPS, ()):
            for column in group[_COLUMNS]:
                facts = column[_FACTS]
                yield b".".join(facts[_PATH]).decode("utf-8", "replace"), int(facts[_UNPACKED])
    except (LookupError, TypeError, ValueError, AttributeError):
        raise EquipoiseError(
            f"{name} is not valid Parquet (its footer is damaged); export it again"
        ) from None


class _Compact:
    """A reader of structures whose fields have numbers."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """Fields by number."""
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:  # noqa: ANN401 - whatever stands there
        match kind:
            case 1 | 2 | 3:  # inside a list
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:
                return self._take(8)
            case 8:
                return self._take(self._whole())
            case 9 | 10:
                head = self._byte()
                count = self._whole() if head >> 4 == 15 else head >> 4
                return [self._value(head & 15, depth + 1) for _ in range(count)]
            case 11:
                count = self._whole()
                kinds = self._byte() if count else 0
                return [
                    (self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1))
                    for _ in range(count)
                ]
            case 12:
                return self.struct(depth + 1)
        raise ValueError("no such kind")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _take(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._data):
            raise ValueError("cut off")
        return self._data[self._at - count : self._at]

    def _whole(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError("too large")
        return value | byte << shift

    def _signed(self) -> int:
        value = self._whole()
        return value >> 1 ^ -(value & 1)
