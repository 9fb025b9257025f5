"""Describes an operation, and how its parameters are written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from enum import Enum
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from pydantic import BaseModel
from pydantic_core import from_json

from crossbook.base import Model

T = TypeVar("T")

Time = str | int | float | datetime
"""ISO text, epoch milliseconds, or a datetime (one without a zone is UTC)."""


@dataclass(frozen=True)
class RawAnswer:
    """A response that is not JSON, or a document of its own."""

    content: bytes
    content_type: str
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> Any:
        return from_json(self.content)


@dataclass(frozen=True)
class Operation(Generic[T]):
    id: str
    method: str
    path: str
    answer: type[T]
    safe: bool = False
    """Safe to repeat: a second call does nothing more."""
    keyed: bool = False
    """Takes an Idempotency-Key: with the same key it is done only once."""


@dataclass(frozen=True)
class Call:
    """One request, the same for every attempt."""

    operation: Operation[Any]
    url: str
    params: Mapping[str, str]
    content: bytes | None
    headers: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None


def write_time(value: Time) -> str:
    if isinstance(value, datetime):
        zoned = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value
        return zoned.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return str(int(value)) if isinstance(value, float) else str(value)


def write_parameter(value: Any) -> str:
    """Lists are joined by commas; objects are sent as JSON text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return write_time(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, (BaseModel, Mapping)):
        return json.dumps(plain(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value)) if all(isinstance(each, (str, int, float)) for each in value) else json.dumps(plain(value))
    return str(value)


def plain(value: Any) -> Any:
    """Converts the value to JSON types."""
    if isinstance(value, Model):
        return value.to_wire()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, datetime):
        return write_time(value)
    return value


def path_of(operation: Operation[Any], path: Mapping[str, Any]) -> str:
    found = operation.path
    for name, value in path.items():
        found = found.replace(f"{{{name}}}", quote(write_parameter(value), safe=""))
    return found
