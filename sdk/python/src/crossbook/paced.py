"""The tape at a pace: `subscribeReplay` on a stream of its own, which is taken up again where it broke off."""

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

# Of events; the service holds back what the reader has not taken.
BUFFER = 256


def _said(frame: Placed) -> str:
    return frame.model_dump_json(include={"venue", "market_id", "data"})


class Place:
    """How far the reader is, and what of a replay that is asked for again was told before."""

    def __init__(self, since: int) -> None:
        self._since = since
        self._at: int | None = None
        self._first_at: int | None = None
        # Everything told of that millisecond.
        self._told: list[str] = []
        # What is told of that millisecond once more, and how often.
        self._again: Counter[str] | None = None
        self._gaps: set[str] = set()
        self._books: Counter[tuple[str, str]] = Counter()
        self._frames = 0

    def counted(self, frame: Placed) -> Placed:
        """Counted over all runs: the service begins anew with each."""
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
        """The replay begins once more: since when.

        A millisecond early, because of full depth what happened at `since` itself is told as the one book that stood then.
        """
        self._again = Counter(self._told)
        return self._since if self._at is None or self._at == self._first_at else self._at - 1

    def is_new(self, frame: Placed) -> bool:
        said = _said(frame)
        if isinstance(frame, ReplayGapFrame):
            # Gaps that began earlier are told at the beginning again.
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
    """One replay, begun as often as it has to be."""

    def __init__(self, stream: Stream, policy: ReconnectPolicy, markets: Sequence[tuple[str, str]], asked: dict[str, Any]) -> None:
        self.failures = 0
        """In a row: nothing was told between them."""
        self._stream = stream
        self._policy = policy
        self._markets = markets
        self._asked = asked
        self._begun_on = 0
        # Refusals that were answers to `begin`, and come as events, too.
        self._answered = 0

    @property
    def is_begun_here(self) -> bool:
        """On the connection that stands, also where the reader has still to hear of it."""
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
                # The connection went meanwhile, or nobody reads there.
                await self._fail(None, unanswered)

    async def is_over(self, error: ErrorFrame) -> bool:
        """The service broke it off for now, and it has been waited. Raises where that is for good."""
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
