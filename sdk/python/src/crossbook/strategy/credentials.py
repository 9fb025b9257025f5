"""What a strategy's runner knows of each venue: the fields of its requests, of which submits and refreshes take different ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crossbook import models
from crossbook.async_client import AsyncCrossbook


class VenueCredentials:
    def __init__(self, client: AsyncCrossbook, credentials: Mapping[str, Mapping[str, str]]) -> None:
        self._client = client
        self._credentials = credentials
        self._lanes: dict[str, models.Lane] | None = None

    async def of_submit(self, venue: str) -> dict[str, str]:
        lane = await self._lane(venue)
        return {} if lane is None else self._pick(venue, lane.credentials.submit)

    async def of_refresh(self, venue: str) -> dict[str, str] | None:
        """None: the venue's orders cannot be refreshed here."""
        lane = await self._lane(venue)
        return None if lane is None or not lane.verbs.refresh else self._pick(venue, lane.credentials.refresh)

    async def _lane(self, venue: str) -> models.Lane | None:
        if self._lanes is None:
            self._lanes = {lane.venue: lane for lane in (await self._client.list_exec_venues()).data}
        return self._lanes.get(venue)

    def _pick(self, venue: str, names: Sequence[str]) -> dict[str, str]:
        return {name: value for name, value in self._credentials.get(venue, {}).items() if name in names}
