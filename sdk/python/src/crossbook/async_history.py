"""The tape, as the async client reads it."""

from __future__ import annotations

import asyncio
import io
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from crossbook.core import call_of
from crossbook.errors import ConnectionFailed
from crossbook.generated import table
from crossbook.history import _kept
from crossbook.operation import Time
from crossbook.paced import PacedFrame, paced
from crossbook.tape import (
    ROWS_MOST,
    DayFile,
    Kind,
    OutcomeGap,
    PartFile,
    Resolution,
    Row,
    by_start,
    epoch_ms,
    gaps_of,
    halves,
    polars,
    read_lines,
    windows,
)  # fmt: skip

if TYPE_CHECKING:
    from polars import DataFrame

    from crossbook.async_client import AsyncCrossbook


class AsyncHistory:
    """`AsyncCrossbook.history`. Windows may be longer than one request allows (31 days); each page costs 10 credits."""

    def __init__(self, client: AsyncCrossbook) -> None:
        self._client = client

    async def rows(
        self,
        venue: str,
        outcome_id: str,
        kind: Kind,
        *,
        since: Time,
        until: Time,
        resolution: Resolution | None = None,
        market_id: str | None = None,
        limit: int = ROWS_MOST,
    ) -> AsyncIterator[Row]:
        """Rows in order of time; one page of `limit` rows is held at a time."""
        query = {"venue": venue, "outcomeId": outcome_id, "marketId": market_id, "kind": kind, "resolution": resolution, "limit": limit}
        for first, last in windows(since, until, kind):
            cursor: str | None = None
            while True:
                answer = await self._client._call(table.REPLAY_HISTORY, {}, {**query, "since": first, "until": last, "cursor": cursor})
                rows, cursor = read_lines(answer)
                for row in rows:
                    yield row
                if cursor is None:
                    break

    async def parquet_pages(
        self,
        venue: str,
        outcome_id: str,
        kind: Kind,
        *,
        since: Time,
        until: Time,
        resolution: Resolution | None = None,
        market_id: str | None = None,
    ) -> AsyncIterator[bytes]:
        """Pages as the service packs them: a Parquet file each, of at most 20,000 rows."""
        query = {
            "venue": venue, "outcomeId": outcome_id, "marketId": market_id, "kind": kind, "resolution": resolution,
            "limit": ROWS_MOST, "format": "parquet",
        }  # fmt: skip
        for first, last in windows(since, until, kind):
            cursor: str | None = None
            while True:
                answer = await self._client._call(table.REPLAY_HISTORY, {}, {**query, "since": first, "until": last, "cursor": cursor})
                yield answer.content
                cursor = answer.headers.get("x-next-cursor")
                if cursor is None:
                    break

    async def to_polars(self, venue: str, outcome_id: str, kind: Kind, *, since: Time, until: Time, **more: Any) -> DataFrame:
        """All rows as one frame; columns as in docs/history.md, times in epoch milliseconds. Needs crossbook[polars]."""
        pl = polars()
        pages = self.parquet_pages(venue, outcome_id, kind, since=since, until=until, **more)
        frame: DataFrame = pl.concat([await asyncio.to_thread(pl.read_parquet, io.BytesIO(page)) async for page in pages])
        return frame

    async def to_parquet(self, path: str | Path, venue: str, outcome_id: str, kind: Kind, *, since: Time, until: Time, **more: Any) -> Path:
        """All rows in one file, which appears when it is complete. A page is in memory at a time. Needs crossbook[polars]."""
        pl = polars()
        target = Path(path)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
            pages = self.parquet_pages(venue, outcome_id, kind, since=since, until=until, **more)
            files: list[Path] = []
            async for page in pages:
                files.append(await asyncio.to_thread(_kept, Path(folder) / f"{len(files):06}.parquet", page))
            whole = Path(folder) / "whole.parquet"
            await asyncio.to_thread(pl.scan_parquet(files).sink_parquet, whole)
            return whole.replace(target)

    async def gaps(self, venue: str, outcome_id: str | None = None, *, since: Time, until: Time) -> list[OutcomeGap]:
        """Periods in which the tape may lack rows, for one outcome or for the whole venue; each once, oldest first."""
        return by_start([gap for first, last in windows(since, until) async for gap in self._gaps(venue, outcome_id, first, last)])

    async def _gaps(self, venue: str, outcome_id: str | None, since: int, until: int) -> AsyncIterator[OutcomeGap]:
        query = {"venue": venue, "outcomeId": outcome_id, "since": since, "until": until}
        async for outcome in self._client._items(table.GET_HISTORY_COVERAGE, {}, query, "cursor"):
            parts = halves(since, until) if outcome.gaps_truncated else []
            if not parts:
                for gap in gaps_of([outcome]):
                    yield gap
            for first, last in parts:
                async for gap in self._gaps(venue, outcome.outcome_id, first, last):
                    yield gap

    def files(self, *, date: str | None = None, venue: str | None = None, kind: Literal["tob", "trades", "l2"] | None = None) -> AsyncIterator[Any]:
        """Complete days, newest first."""
        return self._client.iter_list_history_files(date=date, venue=venue, kind=kind)

    async def download(self, file: DayFile, target: str | Path) -> Path:
        """Downloads a day of `files()` and verifies its SHA-256. An interrupted download continues from `<target>.part`, also in a later call."""
        part = PartFile(file, target)
        path = {"date": file.date, "venue": file.venue, "kind": file.kind}
        first = call_of(table.DOWNLOAD_HISTORY_FILE, path, {})

        async def attempt() -> None:
            async with self._client._stream(call_of(table.DOWNLOAD_HISTORY_FILE, path, {}, headers=part.headers())) as response:
                with part.open(response.status_code) as out:
                    async for chunk in response.aiter_bytes():
                        out.write(chunk)

        while not part.is_whole:
            before = part.size
            try:
                await self._client._repeat(first, attempt)
                break
            except ConnectionFailed:
                # The attempt count starts over whenever some data arrived.
                if part.size <= before:
                    raise
        return await asyncio.to_thread(part.finish)

    def replay(
        self,
        markets: Sequence[tuple[str, str]],
        *,
        since: Time,
        until: Time,
        speed: float | Literal["max"] = "max",
        channels: Sequence[Literal["orderbook", "trades"]] | None = None,
    ) -> AsyncIterator[PacedFrame]:
        """A paced replay of the tape, as frames of the stream; continues at the same position after a lost connection."""
        settings = self._client.settings
        return paced(settings, markets, since=epoch_ms(since), until=epoch_ms(until), speed=speed, channels=channels)
