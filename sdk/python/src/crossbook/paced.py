"""A paced replay of the tape: `subscribeReplay` on a stream of its own, continued at the same position after a lost connection."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Literal

from crossbook.core import Settings
from crossbook.errors import ApiError, CrossbookError, StreamError
from crossbook.generated.models import ReplayBookFrame, ReplayGapFrame, ReplayStateFrame, ReplayTradeFrame
from crossbook.stream.client import Stream, is_for_now
from crossbook.stream.events import Disconnected, ErrorFrame, Reconnected
from crossbook.stream.reconnect import ReconnectPolicy
from crossbook.stream.requests import SubscriptionRefused

Placed = ReplayBookFrame | ReplayTradeFrame | ReplayGapFrame
PacedFrame = Placed | ReplayStateFrame

# Number of events; the service is paused while the reader is behind.
BUFFER = 256


def _said(frame: Placed) -> str:
    return frame.model_dump_json(include={"venue", "market_id", "data"})


class Place:
    """Replay position, used to deduplicate frames after a restart."""

    def __init__(self, since: int) -> None:
        self._since = since
        self._at: int | None = None
        self._first_at: int | None = None
        # All frames of that millisecond delivered so far.
        self._told: list[str] = []
        # Frames of that millisecond that are sent again, with counts.
        self._again: Counter[str] | None = None
        self._gaps: set[str] = set()
        self._books: Counter[tuple[str, str]] = Counter()
        self._frames = 0

    def counted(self, frame: Placed) -> Placed:
        """Counted over all runs: the service counts each run from zero."""
        if isinstance(frame, ReplayGapFrame):
            return frame
        self._frames += 1
        if isinstance(frame, ReplayTradeFrame):
            return frame
        market = (frame.venue, frame.market_id)
        self._books[market] += 1
        n = self._books[market]
        return frame.model_copy(update={"type": "snapshot" if n == 1 else "update", "sequence": n})

    def summed(self, frame: ReplayStateFrame) -> ReplayStateFrame:
        return frame.model_copy(update={"data": frame.data.model_copy(update={"frames": self._frames})})

    def resume(self) -> int:
        """Returns the time to restart the replay from.

        One millisecond early, because full-depth changes at `since` itself are sent as the one resulting book.
        """
        self._again = Counter(self._told)
        return self._since if self._at is None or self._at == self._first_at else self._at - 1

    def is_new(self, frame: Placed) -> bool:
        said = _said(frame)
        if isinstance(frame, ReplayGapFrame):
            # Gaps that began earlier are sent again at the beginning.
            is_new = said not in self._gaps
            self._gaps.add(said)
            return is_new
        if self._again is not None and self._at is not None and frame.at < self._at:
            return False
        if frame.at != self._at:
            self._first_at = frame.at if self._first_at is None else self._first_at
            self._at, self._told, self._again = frame.at, [], None
        if self._again is not None and self._again[said] > 0:
            self._again[said] -= 1
            return False
        self._told.append(said)
        return True


async def paced(
    settings: Settings,
    markets: Sequence[tuple[str, str]],
    *,
    since: int,
    until: int,
    speed: float | Literal["max"],
    channels: Sequence[Literal["orderbook", "trades"]] | None,
    policy: ReconnectPolicy | None = None,
) -> AsyncGenerator[PacedFrame, None]:
    policy = policy or ReconnectPolicy()
    place = Place(since)
    async with Stream(settings.stream_url(), settings.api_key, buffer=BUFFER, keeps_all=True, reconnect=policy) as stream:
        run = Run(stream, policy, markets, {"until": until, "speed": speed, "channels": channels})
        await run.begin(since)
        async for event in stream:
            if isinstance(event, Disconnected) and event.code == 1000:
                raise StreamError("the replay was closed before its end")
            if isinstance(event, Reconnected):
                if not run.is_begun_here:
                    await run.begin(place.resume())
            elif isinstance(event, ErrorFrame):
                if await run.is_over(event):
                    await run.begin(place.resume())
            elif isinstance(event, (ReplayBookFrame, ReplayTradeFrame, ReplayGapFrame)):
                run.failures = 0
                if place.is_new(event):
                    yield place.counted(event)
            elif isinstance(event, ReplayStateFrame):
                yield place.summed(event)
                if event.type == "replayEnd":
                    return


class Run:
    """One replay, restarted as often as necessary."""

    def __init__(self, stream: Stream, policy: ReconnectPolicy, markets: Sequence[tuple[str, str]], asked: dict[str, Any]) -> None:
        self.failures = 0
        """Consecutive failures without a frame in between."""
        self._stream = stream
        self._policy = policy
        self._markets = markets
        self._asked = asked
        self._begun_on = 0
        # Error responses to `begin`, which also arrive as events.
        self._answered = 0

    @property
    def is_begun_here(self) -> bool:
        """True if it was started on the current connection, even if the reader has not seen that yet."""
        return self._begun_on == self._stream.connections

    async def begin(self, since: int) -> None:
        while True:
            try:
                await self._stream.subscribe_replay(self._markets, since=since, **self._asked)
                self._begun_on = self._stream.connections
                return
            except SubscriptionRefused as refused:
                self._answered += 1
                await self._fail(refused if not is_for_now(refused.code) else None, refused)
            except StreamError as unanswered:
                # The connection was lost meanwhile, or the reader stopped.
                await self._fail(None, unanswered)

    async def is_over(self, error: ErrorFrame) -> bool:
        """True if the service ended it temporarily; waits before it returns. Raises if the end is permanent."""
        if self._answered > 0:
            self._answered -= 1
            return False
        failure = ApiError(error.message, status=0, code=error.code, retryable=False)
        await self._fail(None if is_for_now(error.code) else failure, failure)
        return True

    async def _fail(self, final: CrossbookError | None, last: CrossbookError) -> None:
        self.failures += 1
        if final is not None or self.failures >= self._policy.attempts or self._stream.is_over:
            raise final or last
        await asyncio.sleep(self._policy.wait(self.failures))
