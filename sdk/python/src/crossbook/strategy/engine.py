"""The connection to the engine of a backtest, and an event loop whose time is that of the tape.

The loop is idle when nothing is ready to run. Only then it talks to the engine: it hands over what the strategy requested and sent, and
waits for answers, frames, or for time to move. Until the engine answers, nothing runs here; until the strategy is idle, no time passes there.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx


class Engine:
    """Collects what the strategy does between two turns."""

    def __init__(self, address: str, token: str, now: float) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(f"{token}\n".encode())
        self._socket.settimeout(None)
        self._reader = self._socket.makefile("rb")
        self.now = now
        """Epoch milliseconds of the tape."""
        self.began = now
        self.over = False
        self.on_over: Callable[[], None] = lambda: None
        self._requests: list[dict[str, Any]] = []
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._sockets: list[dict[str, Any]] = []
        self._streams: dict[int, EngineSocket] = {}
        self._log: list[dict[str, Any]] = []
        self._ids = 0
        self._is_first = True

    def request(self, method: str, url: str, key: str | None, body: str | None) -> asyncio.Future[dict[str, Any]]:
        self._ids += 1
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._ids] = answer
        self._requests.append({"id": self._ids, "method": method, "url": url, "key": key, "body": body})
        return answer

    def log(self, message: str, data: Any) -> None:
        self._log.append({"message": message, **({"data": json.loads(json.dumps(dict(data), default=str))} if data else {})})

    async def connect(self, *_: Any, **__: Any) -> EngineSocket:
        """In place of the connect of a WebSocket."""
        self._ids += 1
        made = EngineSocket(self, self._ids)
        self._streams[made.id] = made
        self._sockets.append({"id": made.id, "open": True})
        return made

    def send(self, socket_id: int, text: str) -> None:
        self._sockets.append({"id": socket_id, "send": text})

    def leave(self, socket_id: int) -> None:
        if self._streams.pop(socket_id, None) is not None:
            self._sockets.append({"id": socket_id, "close": True})

    def turn(self, wait: float | None) -> None:
        """Sends the reply and reads the next message. wait: seconds until the next timer; None: no timer."""
        if self._is_first:
            # The engine sends the first message.
            self._is_first = False
        else:
            self.reply(None if wait is None else self.now + wait * 1000)
        line = self._reader.readline()
        if line == b"":
            raise SystemExit(0)
        message = json.loads(line)
        self.now = message["now"]
        for answer in message["answers"]:
            waiting = self._answers.pop(answer["id"], None)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer)
        for socket_id, text in message["frames"]:
            stream = self._streams.get(socket_id)
            if stream is not None:
                stream.take(text)
        if message["isOver"] and not self.over:
            self.over = True
            self.on_over()

    def reply(self, wake_at: float | None, *, ended: bool = False, failure: str | None = None) -> None:
        reply = {
            "requests": self._requests,
            "sockets": self._sockets,
            "wakeAt": wake_at,
            "log": self._log,
            "ended": ended,
            "failure": failure,
        }
        self._requests, self._sockets, self._log = [], [], []
        self._socket.sendall(json.dumps(reply).encode() + b"\n")


class EngineSocket:
    """The members of a WebSocket connection that the stream uses."""

    close_code: int | None = None
    close_reason: str | None = None

    def __init__(self, engine: Engine, socket_id: int) -> None:
        self.id = socket_id
        self._engine = engine
        self._frames: asyncio.Queue[str | None] = asyncio.Queue()

    def take(self, text: str) -> None:
        self._frames.put_nowait(text)

    async def send(self, text: str) -> None:
        self._engine.send(self.id, text)

    async def close(self) -> None:
        self._engine.leave(self.id)
        self._frames.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := await self._frames.get()) is not None:
            yield text


class EngineTransport(httpx.AsyncBaseTransport):
    """In place of a connection to the service."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = (await request.aread()).decode() or None
        key = request.headers.get("idempotency-key")
        url = request.url.raw_path.decode()
        answer = await self._engine.request(request.method, url, key, body)
        headers = {"content-type": "application/json", **answer["headers"]}
        return httpx.Response(answer["status"], headers=headers, content=answer["body"].encode())


class _IdleSelector:
    """Turns to the engine where a loop would wait."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._selector = selectors.DefaultSelector()

    def select(self, timeout: float | None = None) -> Any:
        ready = self._selector.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        self._engine.turn(timeout)
        return self._selector.select(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)


class TapeLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is that of the tape."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        super().__init__(_IdleSelector(engine))  # type: ignore[arg-type]
        # The engine wakes at whole milliseconds, less one microsecond: a timer that is due within two is due now.
        self._clock_resolution = 2e-6

    def time(self) -> float:
        return (self._engine.now - self._engine.began) / 1000
