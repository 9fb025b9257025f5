"""Refreshes the live orders of a strategy while they work, so that the order stream reports their fills also at venues that show an order
only to its owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from crossbook.async_client import AsyncCrossbook
from crossbook.errors import ApiError, CrossbookError
from crossbook.strategy.credentials import VenueCredentials

# Seconds from the end of one round to the start of the next.
EVERY = 2.0
# Refreshed in one round; the next round continues with the others.
ROUND_MAX = 50
# Of one run. When there are more, the oldest are no longer refreshed.
ORDERS_MAX = 2_000
ENDED = {"filled", "failed", "expired", "canceled"}


class OrderRefresher:
    def __init__(self, client: AsyncCrossbook, credentials: VenueCredentials, log: Callable[[str], None]) -> None:
        self._client = client
        self._credentials = credentials
        self._log = log
        # Venue by execution id, in the order of their next refresh.
        self._working: dict[str, str] = {}
        self._logged: set[str] = set()

    def follow(self, built: Any) -> None:
        self._working[str(built.execution_id)] = built.venue
        if len(self._working) > ORDERS_MAX:
            del self._working[next(iter(self._working))]

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            for execution_id, venue in list(self._working.items())[:ROUND_MAX]:
                self._working.pop(execution_id, None)
                self._working[execution_id] = venue
                try:
                    await self._refresh(execution_id, venue)
                except CrossbookError as error:
                    if isinstance(error, ApiError) and error.code == "EXECUTION_NOT_FOUND":
                        self._working.pop(execution_id, None)
                    self._log_once(f"an order cannot be refreshed: {error}")

    async def _refresh(self, execution_id: str, venue: str) -> None:
        body = await self._credentials.of_refresh(venue)
        if body is None:
            self._working.pop(execution_id, None)
            return
        row = (await self._client.refresh_execution(venue, execution_id, body)).data
        if row.status in ENDED:
            self._working.pop(execution_id, None)

    def _log_once(self, message: str) -> None:
        if message not in self._logged and len(self._logged) < 100:
            self._logged.add(message)
            self._log(message)
