"""The requests of the stream, each with its parameters."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from crossbook.errors import ApiError
from crossbook.operation import Time, write_time
from crossbook.stream.events import Ack, ErrorFrame
from crossbook.stream.subscriptions import Key, Subscription

Depth = Literal[1, 5, 20, "all"]


class SubscriptionRefused(ApiError):
    """`code` is the reason: MARKET_NOT_FOUND, SUBSCRIPTION_LIMIT, SCOPE_MISSING, …"""


class Requests(ABC):
    """Mixed into the stream. Every `subscribe_…` waits for the acknowledgement, and raises SubscriptionRefused if it is rejected."""

    @abstractmethod
    async def _ask(self, subscriptions: Iterable[Subscription]) -> list[Ack | ErrorFrame]: ...

    @abstractmethod
    async def _leave(self, key: Key) -> None: ...

    @abstractmethod
    async def _send(self, message: str) -> None: ...

    async def subscribe_book(self, venue: str, market_id: str, *, depth: Depth = "all") -> Ack:
        """`market_id`: the venue's own id of a book, or an outcome or market of the catalog. Frames repeat it as written here."""
        return acknowledged((await self.subscribe_books(venue, [market_id], depth=depth))[0])

    async def subscribe_books(self, venue: str, market_ids: Sequence[str], *, depth: Depth = "all") -> list[Ack | ErrorFrame]:
        """Many at once, in as few messages as possible; answered one by one, in order."""
        more = {} if depth == "all" else {"depth": depth}
        return await self._ask(markets("orderbook", venue, market_ids, more))

    async def subscribe_trades(self, venue: str, market_id: str, *, status: Literal["confirmed", "pending", "all"] | None = None) -> Ack:
        """`status`: for venues with fills that wait for their block."""
        more = {} if status is None else {"filters": {"status": status}}
        return await self._one(markets("trades", venue, [market_id], more)[0])

    async def subscribe_all_books(self, venue: str) -> Ack:
        venue = venue.lower()
        key: Key = ("orderbook:all", venue, None)
        return await self._one(Subscription(key, "subscribeAll", {"channel": "orderbook", "venue": venue}))

    async def subscribe_arbitrage(
        self,
        *,
        executable_only: bool | None = None,
        venues: Sequence[str] | None = None,
        min_edge: float | None = None,
        interval_ms: int | None = None,
    ) -> Ack:
        """The state of the surface is in `arbitrage`."""
        fields = {"executableOnly": executable_only, "venues": venues, "minEdge": min_edge, "intervalMs": interval_ms}
        return await self._one(Subscription(("arbitrage", None, None), "subscribeArbitrage", given(fields)))

    async def subscribe_structures(
        self,
        *,
        executable_only: bool | None = None,
        kinds: Sequence[str] | None = None,
        venues: Sequence[str] | None = None,
        min_edge: float | None = None,
    ) -> Ack:
        """The state of the surface is in `structures`."""
        fields = {"executableOnly": executable_only, "kinds": kinds, "venues": venues, "minEdge": min_edge}
        return await self._one(Subscription(("structures", None, None), "subscribeStructures", given(fields)))

    async def subscribe_feed_ticker(self, feed: str, symbol: str) -> Ack:
        feed = feed.lower()
        key: Key = ("feedTicker", feed, symbol)
        return await self._one(Subscription(key, "subscribeFeedTicker", {"feed": feed, "symbol": symbol}))

    async def subscribe_price(self, venue: str, market_id: str, *, market_address: str | None = None) -> Ack:
        """Prices of the options of a pool. Rain requires the address."""
        venue = venue.lower()
        fields = given({"venue": venue, "marketId": market_id, "marketAddress": market_address})
        return await self._one(Subscription(("price", venue, market_id), "subscribePrice", fields))

    async def subscribe_orders(self) -> Ack:
        """Changes of the orders of the key's own account."""
        return await self._one(Subscription(("orders", None, None), "subscribeOrders"))

    async def subscribe_portfolio(self) -> Ack:
        """Positions of the key's own account, and totals by venue and currency: a snapshot in parts, then changes by `seq`."""
        return await self._one(Subscription(("portfolio", None, None), "subscribePortfolio"))

    async def subscribe_replay(
        self,
        markets: Sequence[tuple[str, str]],
        *,
        since: Time,
        until: Time,
        speed: float | Literal["max"] | None = None,
        channels: Sequence[Literal["orderbook", "trades"]] | None = None,
    ) -> Ack:
        """A paced replay: `markets` are venue and outcome. A lost connection ends it (the stream emits `Disconnected`); it is not restarted."""
        fields = given(
            {
                "markets": [{"venue": venue, "marketId": market_id} for venue, market_id in markets],
                "since": write_time(since), "until": write_time(until), "speed": speed, "channels": channels,
            }
        )  # fmt: skip
        return await self._one(Subscription(REPLAY, "subscribeReplay", fields))

    async def pause_replay(self) -> None:
        await self._send(json.dumps({"op": "pauseReplay"}))

    async def resume_replay(self) -> None:
        await self._send(json.dumps({"op": "resumeReplay"}))

    async def unsubscribe(
        self,
        channel: Literal["orderbook", "trades", "orderbook:all", "arbitrage", "structures", "feedTicker", "price", "orders", "portfolio", "replay"],
        first: str | None = None,
        second: str | None = None,
    ) -> None:
        """`first`, `second`: venue and market, or feed and symbol, as they were subscribed."""
        await self._leave((channel, None if first is None else first.lower(), second))

    async def _one(self, subscription: Subscription) -> Ack:
        return acknowledged((await self._ask([subscription]))[0])


REPLAY: Key = ("replay", None, None)


def markets(channel: str, venue: str, market_ids: Sequence[str], more: dict[str, Any]) -> list[Subscription]:
    venue = venue.lower()
    fields = {"channel": channel, "venue": venue, **more}
    return [Subscription((channel, venue, market_id), "subscribe", fields) for market_id in market_ids]


def given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def acknowledged(answer: Ack | ErrorFrame) -> Ack:
    if isinstance(answer, ErrorFrame):
        raise SubscriptionRefused(answer.message, status=0, code=answer.code, retryable=False)
    return answer
