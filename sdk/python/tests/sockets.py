"""A scripted stream: one handler for each connection, in order; the last one for all that follow."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

from websockets.asyncio.server import ServerConnection, serve

Handler = Callable[["Side"], Awaitable[None]]


class Side:
    """The service's end of a connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hears(self) -> dict[str, Any]:
        return json.loads(await self.socket.recv())

    async def says(self, *frames: dict[str, Any]) -> None:
        for frame in frames:
            await self.socket.send(json.dumps(frame))

    async def acknowledges(self) -> dict[str, Any]:
        asked = await self.hears()
        channel = asked.get("channel") or asked["op"].removeprefix("subscribe").lower()
        names = {name: asked[name] for name in ("venue",) if name in asked}
        for market in asked.get("marketIds", [None]):
            await self.says({"type": "subscribed", "channel": channel, **names, **({"marketId": market} if market else {})})
        return asked


@asynccontextmanager
async def stream_of(*handlers: Handler) -> AsyncIterator[str]:
    taken = iter(handlers)
    last = handlers[-1]

    async def handle(socket: ServerConnection) -> None:
        await next(taken, last)(Side(socket))

    async with serve(handle, "127.0.0.1", 0, close_timeout=0.1) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def book(sequence: int, kind: str = "update", market: str = "m", **more: Any) -> dict[str, Any]:
    data = {"bids": [{"price": 0.4, "size": 1}], "asks": [], "timestamp": sequence}
    return {"type": kind, "venue": "kalshi", "marketId": market, "ts": 1, "sequence": sequence, "data": data, **more}


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Fails a test that would wait for ever after ten seconds."""

    @wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*given, **named), 10))

    return run
