"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from crossbook.core import Settings, call_of, next_cursor, read, settings_of
from crossbook.errors import ApiError, ConnectionFailed, refusal_of
from crossbook.generated.methods import Methods
from crossbook.history import History
from crossbook.operation import Call, Operation
from crossbook.retry import RetryPolicy

T = TypeVar("T")


class Crossbook(Methods):
    """Every operation of the contract as a method; also `history`. Safe to use from several threads.

    timeout: maximum seconds for connecting, and for any pause within a response.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings: Settings = settings_of(base_url, api_key, timeout)
        self.retry = retry or RetryPolicy()
        self.history = History(self)
        self._sleep = sleep
        self._http = httpx.Client(base_url=self.settings.base_url, headers=self.settings.headers(), timeout=timeout, transport=transport)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Crossbook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, operation: Operation[T], path: Mapping[str, Any], query: Mapping[str, Any], body: Any = None, key: str | None = None) -> T:
        call = call_of(operation, path, query, body, key)
        answer: T = self._repeat(call, lambda: read(call, self._send(call)))
        return answer

    def _items(self, operation: Operation[Any], path: Mapping[str, Any], query: Mapping[str, Any], cursor: str) -> Iterator[Any]:
        at: str | None = None
        while True:
            answer = self._call(operation, path, {**query, cursor: at})
            yield from answer.data
            following = next_cursor(answer)
            if following is None or following == at:
                return
            at = following

    def _repeat(self, call: Call, attempt: Callable[[], T]) -> T:
        waited = 0.0
        for tries in range(1, self.retry.attempts + 1):
            try:
                return attempt()
            except (ApiError, ConnectionFailed) as error:
                wait = self.retry.wait_after(error, call, tries, waited)
                if wait is None:
                    raise
                waited += wait
                self._sleep(wait)
        raise AssertionError("unreachable")

    def _send(self, call: Call) -> httpx.Response:
        try:
            return self._http.request(call.operation.method, call.url, params=call.params, content=call.content, headers=call.headers)
        except httpx.HTTPError as error:
            raise broken(call, error) from error

    @contextmanager
    def _stream(self, call: Call) -> Iterator[httpx.Response]:
        """The body as it arrives: for responses that do not fit into memory."""
        try:
            with self._http.stream(call.operation.method, call.url, params=call.params, headers=call.headers) as response:
                if response.status_code >= 400:
                    raise refusal_of(response.status_code, response.headers, response.read(), call.key)
                yield response
        except httpx.HTTPError as error:
            raise broken(call, error) from error


def broken(call: Call, error: httpx.HTTPError) -> ConnectionFailed:
    return ConnectionFailed(f"{call.operation.id}: {type(error).__name__}: {error}", idempotency_key=call.key)
