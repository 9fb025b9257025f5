"""All events of a stream: the service's frames, and what the client detects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from crossbook.base import Model
from crossbook.errors import UnexpectedAnswer
from crossbook.generated.models import (
    ArbitrageFrame,
    AuthFrame,
    BookFrame,
    FeedErrorFrame,
    FeedTickerFrame,
    OrdersFrame,
    PendingAckFrame,
    PendingTradeFrame,
    PortfolioFrame,
    PriceFrame,
    ReplayBookFrame,
    ReplayGapFrame,
    ReplayStateFrame,
    ReplayTradeFrame,
    StructuresFrame,
    TradeFrame,
)


@dataclass(frozen=True)
class Stale:
    """A book can no longer be trusted. The next frame of it is a fresh snapshot."""

    venue: str
    market_id: str
    message: str


@dataclass(frozen=True)
class Gap:
    """A book's update did not follow the previous frame. The client has requested the book again."""

    venue: str
    market_id: str
    expected: int
    got: int


@dataclass(frozen=True)
class SurfaceGap:
    """Parts of a frame are missing: the state of the channel is stale until the next snapshot, which the service sends by itself."""

    channel: str
    seq: int


@dataclass(frozen=True)
class Disconnected:
    """The connection ended. Every book is stale until its next snapshot; the client reconnects by itself.

    code: of the close frame; 1006: there was none.
    """

    code: int
    reason: str


@dataclass(frozen=True)
class Reconnected:
    """A new connection is open, and the subscriptions have been requested again. Changes in between were missed.

    attempts: how many it took. silent_for: seconds between the connections.
    """

    attempts: int
    silent_for: float


@dataclass(frozen=True)
class Dropped:
    """Frames that were dropped because the reader was too slow: how many of each type. Emitted before the next frame."""

    counts: Mapping[str, int]


@dataclass(frozen=True)
class UnknownFrame:
    """A frame of a type that this version does not know: from a newer service."""

    type: str
    raw: Mapping[str, Any]


Ack = PendingAckFrame
ErrorFrame = FeedErrorFrame
Frame = (
    Ack | AuthFrame | BookFrame | TradeFrame | PendingTradeFrame | FeedTickerFrame | PriceFrame | ArbitrageFrame | StructuresFrame
    | OrdersFrame | PortfolioFrame | ReplayBookFrame | ReplayTradeFrame | ReplayGapFrame | ReplayStateFrame | ErrorFrame | UnknownFrame
)  # fmt: skip
Event = Frame | Stale | Gap | SurfaceGap | Disconnected | Reconnected | Dropped

_models: dict[str, type[Model]] = {
    "auth": AuthFrame,
    "subscribed": Ack,
    "unsubscribed": Ack,
    "snapshot": BookFrame,
    "update": BookFrame,
    "trade": TradeFrame,
    "feedTicker": FeedTickerFrame,
    "price": PriceFrame,
    "arbitrage": ArbitrageFrame,
    "structures": StructuresFrame,
    "orders": OrdersFrame,
    "portfolio": PortfolioFrame,
    "replayGap": ReplayGapFrame,
    "replayPaused": ReplayStateFrame,
    "replayResumed": ReplayStateFrame,
    "replayEnd": ReplayStateFrame,
    "error": ErrorFrame,
}
_replayed: dict[str, type[Model]] = {"snapshot": ReplayBookFrame, "update": ReplayBookFrame, "trade": ReplayTradeFrame}

_stale = "book is stale: "


def read_frame(text: str | bytes) -> Frame | Stale:
    try:
        told = from_json(text)
        kind = told["type"]
        if kind == "error" and told.get("channel") == "orderbook" and told["message"].startswith(_stale):
            return Stale(told["venue"], told["marketId"], told["message"].removeprefix(_stale))
        frame: Frame = model_of(kind, told)
        return frame
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnexpectedAnswer(f"a frame that cannot be read: {error}") from error


def model_of(kind: str, told: Mapping[str, Any]) -> Any:
    model = _models.get(kind)
    if told.get("replay") is True:
        model = _replayed.get(kind, model)
    elif kind == "trade" and "status" in told:
        model = PendingTradeFrame
    return UnknownFrame(kind, told) if model is None else model.model_validate(told)
