"""Detects missed books: each sequence follows the previous one by one plus the number of skipped books. Pure."""

from __future__ import annotations

from crossbook.generated.models import BookFrame, ReplayBookFrame
from crossbook.stream.events import Gap

Key = tuple[str, str, bool]


class Sequences:
    """For one connection."""

    def __init__(self) -> None:
        self._last: dict[Key, int] = {}

    def take(self, frame: BookFrame | ReplayBookFrame) -> Gap | None:
        """None: nothing was missed. After a gap the count restarts at the next snapshot; until then updates return further gaps, to be ignored."""
        key = (frame.venue, frame.market_id, isinstance(frame, ReplayBookFrame))
        if frame.type == "snapshot":
            self._last[key] = frame.sequence
            return None
        last = self._last.get(key)
        expected = None if last is None else last + 1 + (frame.conflated or 0)
        if frame.sequence == expected:
            self._last[key] = frame.sequence
            return None
        self._last.pop(key, None)
        return Gap(frame.venue, frame.market_id, expected or 0, frame.sequence)

    def is_known(self, venue: str, market_id: str) -> bool:
        """A snapshot has arrived, and every update since."""
        return (venue, market_id, False) in self._last

    def forget(self, venue: str, market_id: str) -> None:
        self._last.pop((venue, market_id, False), None)
