"""The stream's client: connects, subscribes, and reconnects.

open ──► connected ──frames──► buffer ──► the reader
  ▲          │ ends
  └── wait ◄─┘   jittered, bounded; then everything subscribed is requested again
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from crossbook.errors import CrossbookError, StreamError
from crossbook.generated.models import ArbitrageFrame, ArbitrageRow, BookFrame, ReplayBookFrame, ReplayStateFrame, Structure, StructuresFrame
from crossbook.stream.buffer import Buffer
from crossbook.stream.events import Ack, Disconnected, ErrorFrame, Event, Frame, Reconnected, Stale, SurfaceGap, read_frame
from crossbook.stream.reconnect import ReconnectPolicy
from crossbook.stream.requests import REPLAY, Requests
from crossbook.stream.sequence import Sequences
from crossbook.stream.subscriptions import Key, Subscription, messages_of
from crossbook.stream.surface import Surface

# The key is invalid or was revoked: a retry would change nothing.
UNAUTHORIZED = 4001
# Maximum size of one frame; surfaces arrive in parts far below it.
FRAME_BYTES_MOST = 8 * 1024 * 1024


# Error codes for temporary failures; codes with these endings, too.
_for_now = {"RATE_LIMITED", "INTERNAL", "NETWORK_ERROR"}


def is_for_now(code: str | None) -> bool:
    return code is not None and (code in _for_now or code.endswith("_UNAVAILABLE"))


class Stream(Requests):
    """`async with Stream(url, key) as stream`, subscribe, then `async for event in stream`.

    buffer: events that wait for the reader. keeps_all: a slow reader pauses the service, instead of having the oldest frames dropped
    and reported (`Dropped`); for paced replays. heartbeat: seconds between pings; a connection without a pong for that long is given up.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None,
        *,
        buffer: int = 10_000,
        keeps_all: bool = False,
        heartbeat: float = 15.0,
        timeout: float = 10.0,
        reconnect: ReconnectPolicy | None = None,
        connector: Callable[..., Awaitable[Any]] | None = None,
    ) -> None:
        self.arbitrage: Surface[ArbitrageRow] = Surface(lambda row: row.cluster_id)
        self.structures: Surface[Structure] = Surface(lambda row: row.id)
        self._url = url
        self._headers = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
        self._heartbeat = heartbeat
        self._keeps_all = keeps_all
        self._timeout = timeout
        self._policy = reconnect or ReconnectPolicy()
        # Replaces the connect of a WebSocket: that of a backtest.
        self._connector = connector
        self._buffer = Buffer(buffer, keeps_all=keeps_all)
        self._sequences = Sequences()
        self._subscribed: dict[Key, Subscription] = {}
        self._waiting: dict[Key, asyncio.Future[Ack | ErrorFrame]] = {}
        self._asked_anew: set[Key] = set()
        # Requested again after a reconnect, and not acknowledged yet.
        self._unanswered: set[Key] = set()
        self._socket: ClientConnection | None = None
        self.connections = 0
        """Number of connections opened so far."""
        # Counts received frames, to detect silence.
        self._heard = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Stream:
        """Connects. Raises StreamError if that fails as often as is allowed after a lost connection."""
        try:
            self._socket = await self._open()
            self.connections = 1
        except ConnectionError:
            await self._come_back(1)
        self._tasks = [asyncio.create_task(each) for each in (self._live(), self._ask_on(), *([self._watch()] if self._keeps_all else []))]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()
            self._socket = None
        self._end(None)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._buffer.get()) is not None:
            yield event

    def is_live(self, venue: str, market_id: str) -> bool:
        """The book has arrived, and none of its updates was missed since."""
        return self._sequences.is_known(venue, market_id)

    @property
    def is_over(self) -> bool:
        """Closed, or given up."""
        return self._buffer.is_ended

    # The interface that `Requests` uses.

    async def _ask(self, subscriptions: Iterable[Subscription]) -> list[Ack | ErrorFrame]:
        """Responses in the order of the requests; a rejected subscription is not kept."""
        asked = list(subscriptions)
        # A duplicate is requested and answered once.
        once = {each.key: each for each in asked}
        for key, each in once.items():
            self._subscribed[key] = each
            self._waiting[key] = asyncio.get_running_loop().create_future()
        answers = {key: self._waiting[key] for key in once}
        try:
            for message in messages_of(once.values()):
                await self._send(message)
            await asyncio.wait_for(asyncio.gather(*answers.values()), self._timeout)
            return [answers[each.key].result() for each in asked]
        except asyncio.TimeoutError as error:
            for key in once:
                self._subscribed.pop(key, None)
            raise StreamError(f"not answered within {self._timeout:g} s") from error
        finally:
            for key, answer in answers.items():
                if self._waiting.get(key) is answer:
                    self._waiting.pop(key)

    async def _leave(self, key: Key) -> None:
        subscription = self._subscribed.pop(key, None)
        if subscription is None:
            return
        for message in messages_of([subscription], "unsubscribe"):
            await self._send(message)

    async def _send(self, message: str) -> None:
        """Without a connection nothing is lost: the subscriptions are requested after the next connect."""
        try:
            if self._socket is not None:
                await self._socket.send(message)
        except ConnectionClosed:
            pass

    # The connection.

    async def _open(self) -> ClientConnection:
        try:
            return await (self._connector or connect)(
                self._url,
                additional_headers=self._headers,
                open_timeout=self._timeout,
                # A paused socket reads no pongs either: `_watch` sends the pings instead.
                ping_interval=None if self._keeps_all else self._heartbeat,
                ping_timeout=None if self._keeps_all else self._heartbeat,
                close_timeout=1,
                max_size=FRAME_BYTES_MOST,
                compression=None,
            )
        except InvalidStatus as error:
            status = error.response.status_code
            if status in (400, 401, 403, 404, 426):
                raise StreamError(f"the stream refused the connection: {status}") from error
            raise ConnectionError(f"answered {status}") from error
        except (OSError, asyncio.TimeoutError, InvalidHandshake) as error:
            raise ConnectionError(str(error)) from error

    async def _live(self) -> None:
        failures = 0
        try:
            while True:
                opened = time.monotonic()
                end = await self._read()
                closed = time.monotonic()
                failures = failures + 1 if closed - opened < self._policy.steady else 1
                if end.code == UNAUTHORIZED:
                    raise StreamError(f"the stream ended the connection: {end.reason or 'unauthorized'}")
                self._lose()
                await self._buffer.put(end)
                attempts = await self._come_back(failures)
                failures += attempts - 1
                await self._buffer.put(Reconnected(attempts, time.monotonic() - closed))
                self._unanswered = set(self._subscribed)
                for message in messages_of(self._subscribed.values()):
                    await self._send(message)
        except Exception as error:
            # Whatever the error: the reader gets it, and does not wait for ever.
            if self._socket is not None:
                await self._socket.close()
            if not isinstance(error, CrossbookError):
                failure = StreamError(f"the stream broke: {type(error).__name__}: {error}")
                failure.__cause__ = error
                error = failure
            self._end(error)

    async def _ask_on(self) -> None:
        """Requests again what was rejected for now or not answered after a reconnect, until it is acknowledged or permanently rejected."""
        while True:
            await asyncio.sleep(self._timeout * (1 + self._policy.draw() / 2))
            left = [each for key, each in self._subscribed.items() if key in self._unanswered]
            for message in messages_of(left):
                await self._send(message)

    async def _watch(self) -> None:
        """Gives up a connection from which nothing arrives although it is read."""
        while True:
            await asyncio.sleep(self._heartbeat)
            socket, heard = self._socket, self._heard
            if socket is None or self._buffer.is_holding:
                continue
            try:
                await asyncio.wait_for(await socket.ping(), self._heartbeat)
            except asyncio.TimeoutError:
                if self._heard == heard and not self._buffer.is_holding:
                    socket.transport.abort()
            except ConnectionClosed:
                continue

    async def _come_back(self, failures: int) -> int:
        tries = 0
        while failures + tries <= self._policy.attempts:
            await asyncio.sleep(self._policy.wait(failures + tries))
            tries += 1
            try:
                self._socket = await self._open()
                self.connections += 1
                return tries
            except ConnectionError:
                continue
        raise StreamError(f"{failures} connections in a row were lost or not opened, and {tries} more attempts failed")

    async def _read(self) -> Disconnected:
        assert self._socket is not None
        try:
            async for text in self._socket:
                await self._take(text)
        except ConnectionClosed:
            pass
        return Disconnected(self._socket.close_code or 1006, self._socket.close_reason or "")

    def _lose(self) -> None:
        self._socket = None
        self._sequences = Sequences()
        self._asked_anew.clear()
        self._unanswered.clear()
        # Not restarted automatically, so no response will arrive.
        self._subscribed.pop(REPLAY, None)
        replay = self._waiting.get(REPLAY)
        if replay is not None and not replay.done():
            replay.set_exception(StreamError("the connection was lost before the answer"))
        self.arbitrage.reset()
        self.structures.reset()

    def _end(self, failure: CrossbookError | None) -> None:
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(failure or StreamError("the stream was closed"))
        self._buffer.end(failure)

    # Frames.

    async def _take(self, text: str | bytes) -> None:
        self._heard += 1
        frame = read_frame(text)
        await self._notice(frame)
        await self._buffer.put(frame)

    async def _notice(self, frame: Frame | Stale) -> None:
        if isinstance(frame, (BookFrame, ReplayBookFrame)):
            await self._follow(frame)
        elif isinstance(frame, Stale):
            self._sequences.forget(frame.venue, frame.market_id)
        elif isinstance(frame, ArbitrageFrame):
            await self._keep(self.arbitrage, "arbitrage", frame.data)
        elif isinstance(frame, StructuresFrame):
            await self._keep(self.structures, "structures", frame.data)
        elif isinstance(frame, ReplayStateFrame):
            if frame.type == "replayEnd":
                self._subscribed.pop(REPLAY, None)
        elif isinstance(frame, (Ack, ErrorFrame)):
            self._answer(frame)

    async def _keep(self, surface: Surface[Any], channel: str, data: Any) -> None:
        if not surface.take(data):
            await self._buffer.put(SurfaceGap(channel, data.seq))

    async def _follow(self, frame: BookFrame | ReplayBookFrame) -> None:
        key = ("orderbook", frame.venue, frame.market_id)
        if frame.type == "snapshot":
            self._asked_anew.discard(key)
        gap = self._sequences.take(frame)
        if gap is None or key in self._asked_anew:
            return
        await self._buffer.put(gap)
        subscription = self._subscribed.get(key)
        if subscription is None or isinstance(frame, ReplayBookFrame):
            return
        # Once, until its snapshot: a service that counts wrongly must not cause endless requests.
        self._asked_anew.add(key)
        for verb in ("unsubscribe", "subscribe"):
            for message in messages_of([subscription], verb):
                await self._send(message)

    def _answer(self, frame: Ack | ErrorFrame) -> None:
        if frame.type == "unsubscribed":
            return
        if frame.type == "subscribed" and frame.channel in ("arbitrage", "structures"):
            (self.arbitrage if frame.channel == "arbitrage" else self.structures).reset()
        names: Key = (frame.channel, frame.venue or frame.feed, frame.market_id or frame.symbol)
        for key in [names] if frame.type == "subscribed" else self._refused(names):
            waiting = self._waiting.get(key)
            # A waiting caller gets the response and decides; a subscription requested again after a reconnect has no waiting caller.
            is_anew = waiting is None or waiting.done()
            if waiting is not None and not waiting.done():
                waiting.set_result(frame)
            if frame.type == "subscribed":
                self._unanswered.discard(key)
            elif is_anew and key != REPLAY and is_for_now(frame.code):
                self._unanswered.add(key)
            elif frame.code != "NOT_SUBSCRIBED":
                self._subscribed.pop(key, None)

    def _refused(self, names: tuple[str | None, ...]) -> list[Key]:
        """A message that was rejected as a whole names no market: it concerns everything still unanswered."""
        if names in self._subscribed:
            return [names]
        return [key for key in self._waiting if all(told is None or told == own for told, own in zip(names, key, strict=True))]
