"""The async client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx

from crossbook.async_history import AsyncHistory
from crossbook.client import broken
from crossbook.core import Settings, call_of, next_cursor, read, settings_of
from crossbook.errors import ApiError, ConnectionFailed, refusal_of
from crossbook.generated.async_methods import AsyncMethods
from crossbook.operation import Call, Operation
from crossbook.retry import RetryPolicy
from crossbook.stream.client import Stream

T = TypeVar("T")


class AsyncCrossbook(AsyncMethods):
    """Every operation of the contract as an async method; also `history` and `stream()`.

    timeout: maximum seconds for connecting, and for any pause within a response.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.settings: Settings = settings_of(base_url, api_key, timeout)
        self.retry = retry or RetryPolicy()
        self.history = AsyncHistory(self)
        self._sleep = sleep
        self._http = httpx.AsyncClient(base_url=self.settings.base_url, headers=self.settings.headers(), timeout=timeout, transport=transport)

    def stream(self, **options: Any) -> Stream:
        """A stream of the same service and key; `options` are those of `Stream`."""
        return Stream(self.settings.stream_url(), self.settings.api_key, **options)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncCrossbook:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, operation: Operation[T], path: Mapping[str, Any], query: Mapping[str, Any], body: Any = None, key: str | None = None) -> T:
        call = call_of(operation, path, query, body, key)

        async def attempt() -> T:
            answer: T = read(call, await self._send(call))
            return answer

        return await self._repeat(call, attempt)

    async def _items(self, operation: Operation[Any], path: Mapping[str, Any], query: Mapping[str, Any], cursor: str) -> AsyncIterator[Any]:
        at: str | None = None
        while True:
            answer = await self._call(operation, path, {**query, cursor: at})
            for item in answer.data:
                yield item
            following = next_cursor(answer)
            if following is None or following == at:
                return
            at = following

    async def _repeat(self, call: Call, attempt: Callable[[], Awaitable[T]]) -> T:
        waited = 0.0
        for tries in range(1, self.retry.attempts + 1):
            try:
                return await attempt()
            except (ApiError, ConnectionFailed) as error:
                wait = self.retry.wait_after(error, call, tries, waited)
                if wait is None:
                    raise
                waited += wait
                await self._sleep(wait)
        raise AssertionError("unreachable")

    async def _send(self, call: Call) -> httpx.Response:
        try:
            return await self._http.request(call.operation.method, call.url, params=call.params, content=call.content, headers=call.headers)
        except httpx.HTTPError as error:
            raise broken(call, error) from error

    @asynccontextmanager
    async def _stream(self, call: Call) -> AsyncIterator[httpx.Response]:
        """The body as it arrives: for responses that do not fit into memory."""
        try:
            async with self._http.stream(call.operation.method, call.url, params=call.params, headers=call.headers) as response:
                if response.status_code >= 400:
                    raise refusal_of(response.status_code, response.headers, await response.aread(), call.key)
                yield response
        except httpx.HTTPError as error:
            raise broken(call, error) from error
