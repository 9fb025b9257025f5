"""Paced replay: continues at the same position, with nothing repeated or left out."""

from typing import Any

import pytest
from sockets import Side, awaited, book, stream_of

from crossbook import ApiError
from crossbook.core import Settings
from crossbook.models import ReplayBookFrame, ReplayStateFrame
from crossbook.paced import paced
from crossbook.stream import ReconnectPolicy


class At(Settings):
    """The stream of the test."""

    def stream_url(self) -> str:
        return self.base_url


def replayed(sequence: int, at: int, market: str = "m", kind: str = "update") -> dict[str, Any]:
    frame = book(sequence, kind, market, replay=True, at=at)
    return {**frame, "data": {**frame["data"], "timestamp": at - 5}}


@awaited
async def test_a_replay_that_broke_off_goes_on_at_the_last_millisecond() -> None:
    asked: list[Any] = []

    async def first(side: Side) -> None:
        asked.append(await side.acknowledges())
        await side.says(replayed(1, 100, kind="snapshot"), replayed(1, 200, "n", kind="snapshot"), replayed(2, 200))
        await side.socket.close(1012)

    async def second(side: Side) -> None:
        asked.append(await side.acknowledges())
        # The books at that time, all of that millisecond again, one more that equals an earlier one, and what follows.
        await side.says(replayed(1, 199, kind="snapshot"), replayed(1, 200, "n", kind="snapshot"), replayed(2, 200))
        await side.says(replayed(1, 200, "n"), replayed(2, 300))
        await side.says({"type": "replayEnd", "ts": 1, "replay": True, "data": {"frames": 4, "at": 300}})
        await side.socket.wait_closed()

    async with stream_of(first, second) as url:
        frames = paced(At(url, "key", 1), [("kalshi", "m"), ("kalshi", "n")], since=50, until=400, speed="max", channels=None)
        told = [(frame.market_id, frame.at) async for frame in frames if isinstance(frame, ReplayBookFrame)]
    assert told == [("m", 100), ("n", 200), ("m", 200), ("n", 200), ("m", 300)]
    assert [message["since"] for message in asked] == ["50", "199"]
    assert {message["until"] for message in asked} == {"400"}


@awaited
async def test_a_replay_goes_on_where_it_is_refused_for_now_broken_off_or_not_heard() -> None:
    asked: list[Any] = []
    not_now = {"type": "error", "code": "HISTORY_UNAVAILABLE", "message": "not now", "channel": "replay", "ts": 1}

    async def first(side: Side) -> None:
        await side.hears()
        await side.says(not_now)
        asked.append(await side.acknowledges())
        await side.says(replayed(1, 100, kind="snapshot"), not_now)
        asked.append(await side.acknowledges())
        await side.says(replayed(1, 100, kind="snapshot"), replayed(2, 200))
        await side.socket.close(1012)

    async def deaf(side: Side) -> None:
        await side.hears()
        await side.socket.close(1012)

    async def last(side: Side) -> None:
        asked.append(await side.acknowledges())
        await side.says(replayed(1, 199, kind="snapshot"), replayed(2, 200), replayed(3, 300))
        await side.says({"type": "replayEnd", "ts": 1, "replay": True, "data": {"frames": 3, "at": 300}})
        await side.socket.wait_closed()

    policy = ReconnectPolicy(base=0.01, draw=lambda: 0.0)
    async with stream_of(first, deaf, last) as url:
        frames = paced(At(url, "key", 1), [("kalshi", "m")], since=50, until=400, speed="max", channels=None, policy=policy)
        told = [frame async for frame in frames]
    books = [frame for frame in told if isinstance(frame, ReplayBookFrame)]
    # Each run starts its own count.
    assert [(book.at, book.type, book.sequence) for book in books] == [(100, "snapshot", 1), (200, "update", 2), (300, "update", 3)]
    end = told[-1]
    assert isinstance(end, ReplayStateFrame) and end.data.frames == 3
    assert [message["since"] for message in asked] == ["50", "50", "199"]


@awaited
async def test_a_replay_that_is_refused_for_good_ends() -> None:
    async def refusing(side: Side) -> None:
        await side.hears()
        await side.says({"type": "error", "code": "PLAN_REQUIRED", "message": "no", "channel": "replay", "ts": 1})
        await side.socket.wait_closed()

    async with stream_of(refusing) as url:
        with pytest.raises(ApiError, match="PLAN_REQUIRED"):
            _ = [each async for each in paced(At(url, "key", 1), [("kalshi", "m")], since=50, until=400, speed=1, channels=None)]
