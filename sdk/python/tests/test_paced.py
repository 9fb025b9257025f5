"""The tape at a pace: taken up where it broke off, nothing twice, nothing left out."""

from typing import Any

from sockets import Side, awaited, book, stream_of

from crossbook.core import Settings
from crossbook.models import ReplayBookFrame
from crossbook.paced import paced


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
        # All of that millisecond again, one more of it, and what follows.
        await side.says(replayed(1, 200, "n", kind="snapshot"), replayed(1, 200, kind="snapshot"), replayed(2, 200, "n"), replayed(2, 300))
        await side.says({"type": "replayEnd", "ts": 1, "replay": True, "data": {"frames": 4, "at": 300}})
        await side.socket.wait_closed()

    async with stream_of(first, second) as url:
        frames = paced(At(url, "key", 1), [("kalshi", "m"), ("kalshi", "n")], since=50, until=400, speed="max", channels=None)
        told = [(frame.market_id, frame.at) async for frame in frames if isinstance(frame, ReplayBookFrame)]
    assert told == [("m", 100), ("n", 200), ("m", 200), ("n", 200), ("m", 300)]
    assert [message["since"] for message in asked] == ["50", "200"]
    assert {message["until"] for message in asked} == {"400"}
