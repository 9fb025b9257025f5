"""Bounded event queue between the socket and the reader; reports the number of dropped events."""

from __future__ import annotations

import asyncio
from collections import Counter, deque

from crossbook.stream.events import Dropped, Event


class Buffer:
    """`keeps_all`: a full buffer pauses the socket, which pauses the service; otherwise the oldest frame is dropped, and counted."""

    def __init__(self, size: int, *, keeps_all: bool) -> None:
        self._size = size
        self._keeps_all = keeps_all
        self._events: deque[Event] = deque()
        self._dropped: Counter[str] = Counter()
        self._ended = False
        self._failure: Exception | None = None
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self.is_holding = False
        """The service is paused: nothing is read from the socket."""

    async def put(self, event: Event) -> None:
        while self._keeps_all and len(self._events) >= self._size:
            self._room.clear()
            self.is_holding = True
            await self._room.wait()
        self.is_holding = False
        if len(self._events) >= self._size:
            oldest = self._events.popleft()
            self._dropped[str(getattr(oldest, "type", type(oldest).__name__))] += 1
        self._events.append(event)
        self._changed.set()

    @property
    def is_ended(self) -> bool:
        return self._ended

    def end(self, failure: Exception | None) -> None:
        """Waiting events are still read; then the failure is raised, or the end (None) is returned."""
        self._ended = True
        self._failure = self._failure or failure
        self._changed.set()

    async def get(self) -> Event | None:
        while True:
            if self._dropped:
                counts, self._dropped = dict(self._dropped), Counter()
                return Dropped(counts)
            if self._events:
                event = self._events.popleft()
                self._room.set()
                return event
            if self._failure is not None:
                raise self._failure
            if self._ended:
                return None
            self._changed.clear()
            await self._changed.wait()
