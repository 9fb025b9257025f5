"""A surface built from its frames: snapshots and deltas, in parts, by `seq`. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")


class Surface(Generic[Row]):
    """Rows by id. A frame is applied once all of its parts have arrived; until then readers see the previous state."""

    def __init__(self, id_of: Callable[[Row], str]) -> None:
        self._id_of = id_of
        self._rows: dict[str, Row] = {}
        self._parts: list[Any] = []
        self.seq = -1
        """`data` of the last complete frame."""
        self.stale = True
        """The rows may be out of date: no snapshot yet, or something was missed since."""

    @property
    def rows(self) -> Mapping[str, Row]:
        return MappingProxyType(self._rows)

    def take(self, data: Any) -> bool:
        """`data` of a frame. False: something is missing from here on; the rows are stale until the next snapshot."""
        was_stale = self.stale
        if not self._follows(data):
            self.stale = True
            self._parts = []
        if data.part.i == len(self._parts) + 1:
            self._parts.append(data)
            if data.part.i == data.part.n:
                self._apply()
        return was_stale or not self.stale

    def reset(self) -> None:
        """The count restarts. Rows stay visible, but are stale until the next snapshot."""
        self._parts = []
        self.stale = True
        self.seq = -1

    def _follows(self, data: Any) -> bool:
        if not self._parts:
            return bool(data.part.i == 1 and data.seq > self.seq)
        last = self._parts[-1]
        return bool((last.seq, last.kind, last.part.n, last.part.i + 1) == (data.seq, data.kind, data.part.n, data.part.i))

    def _apply(self) -> None:
        parts, self._parts = self._parts, []
        if parts[0].kind == "snapshot":
            self._rows = {}
            self.stale = False
        if self.stale:
            return
        self.seq = parts[0].seq
        for data in parts:
            for row in [*(data.rows or []), *(data.upserts or [])]:
                self._rows[self._id_of(row)] = row
            for gone in data.removes or []:
                self._rows.pop(gone, None)
