"""Shared by both clients: how a request is built and how its response is read. Nothing here blocks."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from crossbook.errors import UnexpectedAnswer, refusal_of
from crossbook.generated.contract import VERSION
from crossbook.operation import Call, Operation, RawAnswer, path_of, plain, write_parameter

T = TypeVar("T")

_user_agent = f"crossbook-python/{VERSION}"


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str | None
    timeout: float

    def headers(self) -> dict[str, str]:
        own = {"accept-encoding": "gzip", "user-agent": _user_agent}
        return own if self.api_key is None else {**own, "authorization": f"Bearer {self.api_key}"}

    def stream_url(self) -> str:
        return f"ws{self.base_url.removeprefix('http')}/v1/stream"


def settings_of(base_url: str, api_key: str | None, timeout: float) -> Settings:
    if not base_url.startswith(("http://", "https://")):
        raise ValueError("base_url must begin with http:// or https://")
    return Settings(base_url.rstrip("/"), api_key, timeout)


def call_of(
    operation: Operation[Any],
    path: Mapping[str, Any],
    query: Mapping[str, Any],
    body: Any = None,
    key: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Call:
    """A keyed operation gets its key here, once: every attempt has the same key."""
    if operation.keyed and key is None:
        key = str(uuid.uuid4())
    given = {**(headers or {}), **({} if key is None else {"idempotency-key": key})}
    content = None
    if operation.method == "POST" or body is not None:
        given["content-type"] = "application/json"
        content = httpx.Request("POST", "http://x", json=plain({} if body is None else body)).content
    params = {name: write_parameter(value) for name, value in query.items() if value is not None}
    return Call(operation, path_of(operation, path), params, content, given, key)


def read(call: Call, response: httpx.Response) -> Any:
    """Returns the operation's model, or raises the error."""
    if response.status_code >= 300:
        raise refusal_of(response.status_code, response.headers, response.content, call.key)
    answer = call.operation.answer
    if answer is RawAnswer:
        return RawAnswer(response.content, response.headers.get("content-type", ""), response.headers)
    try:
        return answer.model_validate_json(response.content)
    except ValidationError as error:
        raise UnexpectedAnswer(f"{call.operation.id}: {error}") from error


def next_cursor(answer: BaseModel) -> str | None:
    """Next to the data, in `page`, or in `meta`: routes of different families return it in different places."""
    told = answer.model_dump(include={"next_cursor", "nextCursor", "page", "meta"}, by_alias=True)
    for place in (told, told.get("page"), told.get("meta")):
        cursor = place.get("nextCursor") if isinstance(place, Mapping) else None
        if isinstance(cursor, str) and cursor != "":
            return cursor
    return None
