"""Shared by both histories: windows, pages, gaps, and incomplete downloads. Nothing here waits for the network."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol, TypedDict

from pydantic_core import from_json

from crossbook.errors import ChecksumMismatch, UnexpectedAnswer
from crossbook.operation import RawAnswer, Time

Kind = Literal["tob", "trades", "candles", "l2"]
Resolution = Literal["1s", "5s", "10s", "30s", "1m", "1h", "1d"]

# Limits of one request.
WINDOW_MS = 31 * 86_400_000
ROWS_MOST = 20_000


class TobRow(TypedDict):
    """The best level of each side; times in epoch milliseconds, None for an empty side."""

    k: Literal["tob"]
    ts: int
    bid: float | None
    bidSize: float | None
    ask: float | None
    askSize: float | None
    recvTs: int
    seq: int


class TradeRow(TypedDict):
    k: Literal["trades"]
    ts: int
    venue: str
    outcomeId: str
    tradeId: str
    price: float | None
    size: float
    side: Literal["buy", "sell", "unknown"]
    transactionHash: str | None
    recvTs: int


class CandleRow(TypedDict):
    k: Literal["candles"]
    ts: int
    venue: str
    resolution: str
    open: float
    high: float
    low: float
    close: float
    volume: float
    trades: int


class L2Row(TypedDict):
    """A level of the full-depth book; docs/history.md describes how to assemble the book."""

    k: Literal["l2"]
    ts: int
    type: Literal["start", "snapshot", "delta", "same", "gap"]
    side: Literal["bid", "ask"] | None
    price: float | None
    size: float | None
    recvTs: int
    seq: int
    epoch: int


Row = TobRow | TradeRow | CandleRow | L2Row


@dataclass(frozen=True)
class OutcomeGap:
    """A period in which the tape may lack rows. start: None if unknown; end: None while it is ongoing."""

    venue: str
    outcome_id: str
    kind: str
    start: datetime | None
    end: datetime | None
    reason: str | None


class DayFile(Protocol):
    """A file as listed by `files()`."""

    date: str
    venue: str
    kind: Any
    size: int
    sha256: str


def epoch_ms(value: Time) -> int:
    if isinstance(value, str):
        if value.lstrip("-").isdigit():
            return int(value)
        value = datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(value, datetime):
        zoned = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value
        return round(zoned.timestamp() * 1000)
    return int(value)


def windows(since: Time, until: Time, kind: Kind | None = None) -> Iterator[tuple[int, int]]:
    """Splits a window into parts, inclusive at both ends, each no longer than one request allows."""
    at, end = epoch_ms(since), epoch_ms(until)
    if kind == "l2" and end - at >= WINDOW_MS:
        # Each l2 part begins with a complete book.
        raise ValueError("l2: at most 31 days at once")
    if at > end:
        raise ValueError("until is before since")
    while at <= end:
        last = min(end, at + WINDOW_MS - 1)
        yield at, last
        at = last + 1


def read_lines(answer: RawAnswer) -> tuple[list[Any], str | None]:
    """The rows of a page, and the cursor after them."""
    lines = answer.content.splitlines()
    if not lines:
        raise UnexpectedAnswer("a page without its cursor line")
    *rows, last = [from_json(line) for line in lines]
    if last.get("k") != "cursor" or last.get("rows") != len(rows):
        raise UnexpectedAnswer("a page that ends before its cursor line")
    return rows, last["next"]


def polars() -> ModuleType:
    try:
        import polars as module
    except ImportError as error:
        raise ImportError("install crossbook[polars] for this") from error
    return module


def gaps_of(outcomes: Iterable[Any]) -> Iterator[OutcomeGap]:
    for outcome in outcomes:
        for gap in outcome.gaps:
            yield OutcomeGap(outcome.venue, outcome.outcome_id, gap.kind, gap.from_, gap.to, gap.reason)


def halves(since: int, until: int) -> list[tuple[int, int]]:
    """True if the gap list of a window was truncated; a window of one minute is not split further."""
    middle = (since + until) // 2
    return [] if until - since < 60_000 else [(since, middle), (middle + 1, until)]


def by_start(gaps: Iterable[OutcomeGap]) -> list[OutcomeGap]:
    """Each gap once, also if it overlaps two windows; oldest first, those with an unknown start by their end."""
    oldest = datetime.min.replace(tzinfo=timezone.utc)
    return sorted(set(gaps), key=lambda gap: (gap.venue, gap.outcome_id, gap.start or gap.end or oldest))


class PartFile:
    """A resumable download, also in another process: `<target>.part` holds what has arrived."""

    def __init__(self, file: DayFile, target: str | Path) -> None:
        self.target = Path(target)
        self.part = self.target.with_name(f"{self.target.name}.part")
        self._file = file
        if self.size > file.size:
            self.part.unlink()

    @property
    def size(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    @property
    def is_whole(self) -> bool:
        return self.size == self._file.size

    def headers(self) -> dict[str, str]:
        """Continues only the same file: another version made meanwhile is downloaded completely."""
        return {"range": f"bytes={self.size}-", "if-range": f'"{self._file.sha256}"'} if self.size > 0 else {}

    def open(self, status: int) -> Any:
        return self.part.open("ab" if status == 206 else "wb")

    def finish(self) -> Path:
        digest = hashlib.sha256()
        with self.part.open("rb") as source:
            while chunk := source.read(1 << 20):
                digest.update(chunk)
        if self.size != self._file.size or digest.hexdigest() != self._file.sha256:
            self.part.unlink()
            raise ChecksumMismatch(f"{self.target.name}: the bytes do not match {self._file.sha256}")
        return self.part.replace(self.target)
