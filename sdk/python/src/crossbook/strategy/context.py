"""What a strategy gets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crossbook.async_client import AsyncCrossbook


@dataclass(frozen=True)
class Market:
    venue: str
    market_id: str


class Clock:
    """The time of the strategy: that of the tape in a backtest."""

    def __init__(self, now: Callable[[], float], over: asyncio.Event) -> None:
        self._now = now
        self._over = over

    def now(self) -> int:
        """Epoch milliseconds."""
        return round(self._now())

    async def sleep(self, seconds: float) -> None:
        """At least one millisecond. Returns early when the run ends."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._over.wait(), max(0.001, seconds))


@dataclass(frozen=True)
class Context:
    client: AsyncCrossbook
    clock: Clock
    markets: Sequence[Market]
    """Markets the run is about, as given."""
    params: Mapping[str, str]
    """Values of `--param name=value`."""
    over: asyncio.Event
    """Set when the run ends: streams end too, and the strategy returns soon after."""
    random: Callable[[], float]
    """In [0, 1): deterministic by the seed of a backtest."""
    owner: str | None
    """The wallet that owns orders, at venues whose builds take one; None: none is configured."""
    write_log: Callable[[str, Mapping[str, Any]], None]
    submit_fields: Callable[[str], Awaitable[dict[str, str]]] | None = field(default=None, repr=False)
    sign: Callable[[Any], Awaitable[dict[str, str]]] | None = field(default=None, repr=False)
    follow: Callable[[Any], None] | None = field(default=None, repr=False)

    def log(self, message: str, **data: Any) -> None:
        """Kept in the report of a backtest, with the time."""
        self.write_log(message, data)

    async def authorize(self, built: Any) -> dict[str, str]:
        """The body of the submit of a build. Empty in a backtest and on a paper account."""
        if self.follow is not None:
            self.follow(built)
        signed = {} if self.sign is None else await self.sign(built)
        fields = {} if self.submit_fields is None else await self.submit_fields(built.venue)
        return {**signed, **fields}
