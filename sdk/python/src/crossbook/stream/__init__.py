"""The stream: frames as models, and what the client says of itself between them."""

from crossbook.stream.client import Stream
from crossbook.stream.events import Disconnected, Dropped, Event, Gap, Reconnected, Stale, SurfaceGap, UnknownFrame
from crossbook.stream.reconnect import ReconnectPolicy
from crossbook.stream.surface import Surface

__all__ = [
    "Disconnected", "Dropped", "Event", "Gap", "ReconnectPolicy", "Reconnected", "Stale", "Stream", "Surface", "SurfaceGap", "UnknownFrame",
]  # fmt: skip
