"""The tape at a pace: `subscribeReplay` on a stream of its own, which is taken up again where it broke off."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Literal

from crossbook.core import Settings
from crossbook.errors import ApiError, StreamError
from crossbook.generated.models import ReplayBookFrame, ReplayGapFrame, ReplayStateFrame, ReplayTradeFrame
from crossbook.stream.client import Stream
from crossbook.stream.events import Disconnected, ErrorFrame, Reconnected

PacedFrame = ReplayBookFrame | ReplayTradeFrame | ReplayGapFrame | ReplayStateFrame

# Of events; the service holds back what the reader has not taken.
BUFFER = 256


class Place:
    """How far the reader is: the last time, and how many frames of it were told."""

    def __init__(self, since: int) -> None:
        self.at = since
        self._told = 0
        self._skip = 0

    def resume(self) -> None:
        """Rows of the last millisecond come again."""
        self._skip, self._told = self._told, 0

    def is_new(self, frame: ReplayBookFrame | ReplayTradeFrame) -> bool:
        if frame.data.timestamp != self.at:
            self.at, self._told, self._skip = frame.data.timestamp, 0, 0
        self._told += 1
        if self._skip == 0:
            return True
        self._skip -= 1
        return False


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
    told_gaps: set[str] = set()
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
            elif isinstance(event, (ReplayBookFrame, ReplayTradeFrame)):
                if place.is_new(event):
                    yield event
            elif isinstance(event, ReplayGapFrame):
                gap = event.model_dump_json(exclude={"ts"})
                if gap not in told_gaps:
                    told_gaps.add(gap)
                    yield event
            elif isinstance(event, ReplayStateFrame):
                yield event
                if event.type == "replayEnd":
                    return
