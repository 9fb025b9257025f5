"""The stream: frames as models, and the client's own events between them."""

from crossbook.stream.client import Stream
from crossbook.stream.events import Ack, Disconnected, Dropped, ErrorFrame, Event, Gap, Reconnected, Stale, SurfaceGap, UnknownFrame
from crossbook.stream.reconnect import ReconnectPolicy
from crossbook.stream.requests import SubscriptionRefused
from crossbook.stream.surface import Surface

__all__ = [
    "Ack", "Disconnected", "Dropped", "ErrorFrame", "Event", "Gap", "ReconnectPolicy", "Reconnected", "Stale", "Stream", "SubscriptionRefused",
    "Surface", "SurfaceGap", "UnknownFrame",
]  # fmt: skip
