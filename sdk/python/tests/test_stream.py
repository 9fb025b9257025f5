"""The stream's client against a service that misbehaves."""

import asyncio
from typing import Any

import pytest
from sockets import Side, awaited, book, stream_of
from websockets.exceptions import ConnectionClosed

from crossbook import StreamError, UnexpectedAnswer
from crossbook.models import BookFrame, PendingAckFrame, PortfolioFrame
from crossbook.stream import Disconnected, Dropped, Gap, Reconnected, ReconnectPolicy, Stale, Stream, UnknownFrame
from crossbook.stream.requests import SubscriptionRefused
from crossbook.stream.subscriptions import Subscription, messages_of

soon = ReconnectPolicy(base=0.01, attempts=3, draw=lambda: 0.0)


async def until(stream: Stream, kind: type[Any], count: int = 1) -> list[Any]:
    """All events up to the count-th of a kind."""
    events: list[Any] = []
    async for event in stream:
        events.append(event)
        if sum(isinstance(each, kind) for each in events) == count:
            return events
    raise AssertionError(f"the stream ended after {events}")


def kinds(events: list[Any]) -> list[str]:
    return [getattr(event, "type", type(event).__name__) for event in events]


@awaited
async def test_it_comes_back_and_asks_for_everything_again() -> None:
    asked: list[Any] = []

    async def first(side: Side) -> None:
        asked.extend([await side.acknowledges(), await side.acknowledges()])
        await side.says(book(1, "snapshot"))
        await side.socket.close(1012, "restart")

    async def second(side: Side) -> None:
        asked.extend([await side.acknowledges(), await side.acknowledges()])
        await side.says(book(1, "snapshot"))
        await side.socket.wait_closed()

    async with stream_of(first, second) as url, Stream(url, "key", reconnect=soon) as stream:
        await stream.subscribe_books("Kalshi", ["m", "n"], depth=5)
        await stream.subscribe_trades("kalshi", "m")
        events = await until(stream, BookFrame, 2)
        assert stream.is_live("kalshi", "m")
    at = kinds(events).index("Disconnected")
    assert events[at] == Disconnected(1012, "restart")
    assert isinstance(events[at + 1], Reconnected)
    assert asked[:2] == asked[2:]
    assert asked[0] == {"op": "subscribe", "channel": "orderbook", "venue": "kalshi", "depth": 5, "marketIds": ["m", "n"]}


@awaited
async def test_it_gives_up_after_so_many_attempts_and_never_storms() -> None:
    opened = 0

    async def refusing(side: Side) -> None:
        nonlocal opened
        opened += 1
        await side.socket.close(4008, "slow")

    async with stream_of(refusing) as url, Stream(url, "key", reconnect=soon) as stream:
        with pytest.raises(StreamError, match="in a row"):
            await until(stream, BookFrame)
    # The first connection plus the policy's attempts: a connection that does not last counts as a failure, like one that does not open.
    assert opened == 1 + soon.attempts


def test_waits_grow_with_jitter_and_stay_below_their_bound() -> None:
    for draw, share in ((0.0, 0.5), (0.999999, 1.0)):
        policy = ReconnectPolicy(base=1, most=30, draw=lambda draw=draw: draw)
        assert [round(policy.wait(n), 1) for n in (1, 2, 3, 10, 10_000)] == [1 * share, 2 * share, 4 * share, 30 * share, 30 * share]


@awaited
async def test_a_key_that_is_none_ends_it_for_good() -> None:
    async def unauthorized(side: Side) -> None:
        await side.socket.close(4001, "UNAUTHORIZED")

    async with stream_of(unauthorized) as url, Stream(url, "key", reconnect=soon) as stream:
        with pytest.raises(StreamError, match="UNAUTHORIZED"):
            await until(stream, BookFrame)


@awaited
async def test_a_service_that_is_not_there_is_tried_as_often_as_one_that_went_away() -> None:
    with pytest.raises(StreamError, match=f"and {soon.attempts} more attempts failed"):
        async with Stream("ws://127.0.0.1:9", None, reconnect=soon):
            pass


@awaited
async def test_a_silent_connection_is_given_up() -> None:
    given_up = asyncio.Event()

    async def mute(side: Side) -> None:
        side.socket.transport.pause_reading()
        await given_up.wait()
        side.socket.transport.abort()

    async def alive(side: Side) -> None:
        await side.socket.wait_closed()

    async with stream_of(mute, alive) as url, Stream(url, "key", heartbeat=0.1, reconnect=soon) as stream:
        assert kinds(await until(stream, Reconnected)) == ["Disconnected", "Reconnected"]
        given_up.set()


@awaited
async def test_a_silent_connection_is_given_up_also_by_who_wants_all_of_it() -> None:
    given_up = asyncio.Event()

    async def mute(side: Side) -> None:
        side.socket.transport.pause_reading()
        await given_up.wait()
        side.socket.transport.abort()

    async def alive(side: Side) -> None:
        await side.socket.wait_closed()

    async with stream_of(mute, alive) as url, Stream(url, "key", keeps_all=True, heartbeat=0.1, reconnect=soon) as stream:
        assert kinds(await until(stream, Reconnected)) == ["Disconnected", "Reconnected"]
        given_up.set()


@awaited
async def test_what_is_refused_for_now_when_it_is_asked_for_again_is_asked_for_until_it_is_acknowledged() -> None:
    asked: list[Any] = []

    async def first(side: Side) -> None:
        await side.acknowledges()
        await side.socket.close(1012)

    async def second(side: Side) -> None:
        error = {"type": "error", "code": "CATALOG_UNAVAILABLE", "message": "not now", "ts": 1, "venue": "kalshi", "channel": "orderbook"}
        asked.append(await side.hears())
        await side.says({**error, "marketId": "m"}, {"type": "error", "code": "RATE_LIMITED", "message": "not read", "ts": 1})
        asked.append(await side.acknowledges())
        await side.says(book(1, "snapshot"))
        await side.socket.wait_closed()

    async with stream_of(first, second) as url, Stream(url, "key", timeout=0.5, reconnect=soon) as stream:
        await stream.subscribe_books("kalshi", ["m", "n"])
        await until(stream, BookFrame)
    assert [message["marketIds"] for message in asked] == [["m", "n"], ["m", "n"]]


@awaited
async def test_a_market_that_is_named_twice_is_one_and_answered_for_each() -> None:
    async def service(side: Side) -> None:
        assert (await side.acknowledges())["marketIds"] == ["m", "n"]
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key") as stream:
        answers = await stream.subscribe_books("kalshi", ["m", "n", "m"])
    assert [answer.market_id for answer in answers] == ["m", "n", "m"]


@awaited
async def test_whatever_breaks_the_stream_is_told_to_its_reader() -> None:
    async def service(side: Side) -> None:
        await side.acknowledges()
        await side.socket.send("[" * 200_000)
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key", reconnect=soon) as stream:
        await stream.subscribe_book("kalshi", "m")
        with pytest.raises(UnexpectedAnswer, match="recursion limit"):
            await until(stream, BookFrame)


@awaited
async def test_conflated_books_are_no_gap_and_a_gap_is_asked_about_once() -> None:
    asked: list[Any] = []

    async def service(side: Side) -> None:
        await side.acknowledges()
        await side.says(book(1, "snapshot"), book(2), book(6, conflated=3), book(8), book(9), book(10))
        asked.extend([await side.hears(), await side.hears()])
        await side.says(book(1, "snapshot"), book(2))
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key") as stream:
        await stream.subscribe_book("kalshi", "m")
        events = await until(stream, BookFrame, 8)
        assert stream.is_live("kalshi", "m")
    assert [event for event in events if isinstance(event, Gap)] == [Gap("kalshi", "m", 7, 8)]
    assert [message["op"] for message in asked] == ["unsubscribe", "subscribe"]


@awaited
async def test_stale_books_are_an_event_of_their_own_and_not_live() -> None:
    stale = {
        "type": "error", "code": "NETWORK_ERROR", "message": "book is stale: silence", "venue": "kalshi", "marketId": "m",
        "channel": "orderbook", "ts": 1,
    }  # fmt: skip

    async def service(side: Side) -> None:
        await side.acknowledges()
        await side.says(book(1, "snapshot"), stale)
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key") as stream:
        await stream.subscribe_book("kalshi", "m")
        events = await until(stream, Stale)
        assert events[-1] == Stale("kalshi", "m", "silence")
        assert not stream.is_live("kalshi", "m")


@awaited
async def test_what_is_refused_is_raised_and_not_asked_for_again() -> None:
    asked: list[Any] = []

    async def first(side: Side) -> None:
        await side.hears()
        error = {"type": "error", "code": "MARKET_NOT_FOUND", "message": "no", "ts": 1}
        await side.says({**error, "venue": "kalshi", "marketId": "x", "channel": "orderbook"})
        await side.hears()
        # Rejected as a whole: it names no market.
        await side.says({**error, "code": "RATE_LIMITED", "venue": "kalshi", "channel": "orderbook"})
        await side.acknowledges()
        await side.socket.close(1012)

    async def second(side: Side) -> None:
        asked.append(await side.acknowledges())
        await side.socket.wait_closed()

    async with stream_of(first, second) as url, Stream(url, "key", reconnect=soon) as stream:
        with pytest.raises(SubscriptionRefused) as raised:
            await stream.subscribe_book("kalshi", "x")
        assert raised.value.code == "MARKET_NOT_FOUND"
        refused = await stream.subscribe_books("kalshi", ["y", "z"])
        assert [answer.code for answer in refused] == ["RATE_LIMITED"] * 2
        await stream.subscribe_book("kalshi", "m")
        await until(stream, PendingAckFrame, 2)
    assert [message["marketIds"] for message in asked] == [["m"]]


@awaited
async def test_changes_of_the_portfolio_are_read_with_their_numbers() -> None:
    common = {"asOf": "2026-11-30T08:00:00.000Z", "unavailable": [], "positions": [], "summary": []}
    snapshot = {"kind": "snapshot", "seq": 1, **common, "reason": "subscribed", "truncated": False, "part": {"i": 1, "n": 1}}
    removed = [{"venue": "kalshi", "marketId": "m", "outcomeId": "o"}]
    change = {"kind": "change", "seq": 2, **common, "removed": removed, "removedSummary": []}
    asked: list[Any] = []

    async def service(side: Side) -> None:
        asked.append(await side.acknowledges())
        await side.says(*({"type": "portfolio", "ts": 1, "data": data} for data in (snapshot, change)))
        asked.append(await side.hears())
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key") as stream:
        await stream.subscribe_portfolio()
        frames = [event for event in await until(stream, PortfolioFrame, 2) if isinstance(event, PortfolioFrame)]
        await stream.unsubscribe("portfolio")
        while len(asked) < 2:
            await asyncio.sleep(0.01)
    assert [frame.data.seq for frame in frames] == [1, 2]
    assert frames[1].data.model_dump(by_alias=True)["removed"] == removed
    assert asked == [{"op": "subscribePortfolio"}, {"op": "unsubscribePortfolio"}]


@awaited
async def test_a_full_buffer_drops_the_oldest_and_says_so() -> None:
    async def service(side: Side) -> None:
        await side.acknowledges()
        await side.says(book(1, "snapshot"), *[book(n) for n in range(2, 101)], {"type": "orders-of-tomorrow"})
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key", buffer=10) as stream:
        await stream.subscribe_book("kalshi", "m")
        while len(stream._buffer._events) < 10 or not isinstance(stream._buffer._events[-1], UnknownFrame):
            await asyncio.sleep(0.01)
        events = await until(stream, UnknownFrame)
    assert events[0] == Dropped({"subscribed": 1, "snapshot": 1, "update": 90})
    assert [event.sequence for event in events if isinstance(event, BookFrame)] == list(range(92, 101))


@awaited
async def test_who_wants_all_of_it_holds_the_service_back() -> None:
    async def service(side: Side) -> None:
        await side.acknowledges()
        await side.says(book(1, "snapshot"), *[book(n) for n in range(2, 501)])
        await side.socket.wait_closed()

    async with stream_of(service) as url, Stream(url, "key", buffer=4, keeps_all=True) as stream:
        await stream.subscribe_book("kalshi", "m")
        frames = await until(stream, BookFrame, 500)
    assert [frame.sequence for frame in frames if isinstance(frame, BookFrame)] == list(range(1, 501))


@awaited
async def test_closing_ends_the_iteration_and_the_connection() -> None:
    ended = asyncio.Event()

    async def service(side: Side) -> None:
        await side.acknowledges()
        try:
            await side.hears()
        except ConnectionClosed:
            ended.set()

    async with stream_of(service) as url:
        stream = Stream(url, "key")
        async with stream:
            await stream.subscribe_book("kalshi", "m")
        assert [kind async for kind in stream if not isinstance(kind, PendingAckFrame)] == []
        await ended.wait()


def test_many_markets_go_into_few_messages_of_the_size_that_is_taken() -> None:
    import json

    ids = [f"{n:060}" for n in range(1_200)]
    asked = [Subscription(("orderbook", "kalshi", each), "subscribe", {"channel": "orderbook", "venue": "kalshi"}) for each in ids]
    messages = list(messages_of(asked))
    assert [each for message in messages for each in json.loads(message)["marketIds"]] == ids
    assert max(len(message.encode()) for message in messages) <= 16 * 1024
    assert len(messages) == 6
