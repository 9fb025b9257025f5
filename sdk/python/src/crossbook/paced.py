"""The tape at a pace: `subscribeReplay` on a stream of its own, which is taken up again where it broke off."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from typing import Literal

from crossbook.core import Settings
from crossbook.errors import ApiError, StreamError
from crossbook.generated.models import ReplayBookFrame, ReplayGapFrame, ReplayStateFrame, ReplayTradeFrame
from crossbook.stream.client import Stream
from crossbook.stream.events import Disconnected, ErrorFrame, Reconnected

Placed = ReplayBookFrame | ReplayTradeFrame | ReplayGapFrame
PacedFrame = Placed | ReplayStateFrame

# Of events; the service holds back what the reader has not taken.
BUFFER = 256


def _said(frame: Placed) -> str:
    return frame.model_dump_json(include={"venue", "market_id", "data"})


class Place:
    """How far the reader is, and what of a replay that is asked for again was told before."""

    def __init__(self, since: int) -> None:
        self.at = since
        # Everything told of that millisecond, and of each market the last book.
        self._told: list[Placed] = []
        self._books: dict[tuple[str, str], ReplayBookFrame] = {}
        # What is told of that millisecond once more, and how often.
        self._again: Counter[str] | None = None
        self._gaps: set[str] = set()

    def resume(self) -> None:
        """The replay begins once more, at the same millisecond."""
        self._again = Counter(map(_said, self._told))

    def is_new(self, frame: Placed) -> bool:
        if isinstance(frame, ReplayGapFrame):
            # Gaps that began earlier are told at the beginning again.
            said = _said(frame)
            is_new = said not in self._gaps
            self._gaps.add(said)
            return is_new
        if frame.at != self.at:
            self.at, self._told, self._again = frame.at, [], None
        if self._again is not None and self._was_told(frame, self._again):
            return False
        self._told.append(frame)
        if isinstance(frame, ReplayBookFrame):
            self._books[frame.venue, frame.market_id] = frame
        return True

    def _was_told(self, frame: ReplayBookFrame | ReplayTradeFrame, again: Counter[str]) -> bool:
        said = _said(frame)
        again[said] -= 1
        if again[said] >= 0:
            return True
        # A market of full depth begins with the book that stood then.
        last = self._books.get((frame.venue, frame.market_id)) if frame.type == "snapshot" else None
        return last is not None and _said(last) == said


async def paced(
    settings: Settings,
    markets: Sequence[tuple[str, str]],
    *,
    since: int,
    until: int,
    speed: float | Literal["max"],
    channels: Sequence[Literal["orderbook", "trades"]] | None,
) -> AsyncGenerator[PacedFrame, None]:
    place = Place(since)
    async with Stream(settings.stream_url(), settings.api_key, buffer=BUFFER, keeps_all=True) as stream:
        await stream.subscribe_replay(markets, since=since, until=until, speed=speed, channels=channels)
        async for event in stream:
            if isinstance(event, Disconnected) and event.code == 1000:
                raise StreamError("the replay was closed before its end")
            if isinstance(event, Reconnected):
                place.resume()
                await stream.subscribe_replay(markets, since=place.at, until=until, speed=speed, channels=channels)
            elif isinstance(event, ErrorFrame):
                raise ApiError(event.message, status=0, code=event.code, retryable=False)
            elif isinstance(event, (ReplayBookFrame, ReplayTradeFrame, ReplayGapFrame)):
                if place.is_new(event):
                    yield event
            elif isinstance(event, ReplayStateFrame):
                yield event
                if event.type == "replayEnd":
                    return
