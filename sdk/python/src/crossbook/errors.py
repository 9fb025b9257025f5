"""Exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json


class CrossbookError(Exception):
    """Base class of everything this package raises itself."""


class ApiError(CrossbookError):
    """The service rejected the call.

    code: one of the contract's (`ErrorCode`); None if something between, such as a proxy, responded instead of the service.
    retryable: the same call may succeed later. The client has already retried it as often as its policy allows.
    idempotency_key: the key of the call; repeating it never does the work twice.
    retry_after: seconds.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str | None,
        retryable: bool,
        request_id: str | None = None,
        exchange: str | None = None,
        retry_after: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(f"{code or status}: {message}")
        self.message = message
        self.status = status
        self.code = code
        self.retryable = retryable
        self.request_id = request_id
        self.exchange = exchange
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key


class ConnectionFailed(CrossbookError):
    """No response, or an incomplete one. It is unknown whether the call took effect."""

    def __init__(self, message: str, *, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class UnexpectedAnswer(CrossbookError):
    """A response whose shape the contract does not know."""


class StreamError(CrossbookError):
    """The stream ended: it was closed permanently, or could not be reopened within the policy's limits."""


class ChecksumMismatch(CrossbookError):
    """The bytes of a file do not match its checksum. The file has been removed."""


# Statuses of proxies, used if the service itself did not respond.
_PASSING = {408, 425, 429, 500, 502, 503, 504}


def refusal_of(status: int, headers: Mapping[str, str], content: bytes, key: str | None) -> ApiError:
    told = _envelope(content)
    wait = _seconds(headers.get("retry-after"))
    if told is None:
        message = f"answered {status} without an envelope"
        return ApiError(message, status=status, code=None, retryable=status in _PASSING, retry_after=wait, idempotency_key=key)
    return ApiError(
        str(told.get("message", "")),
        status=status,
        code=told.get("code"),
        retryable=told.get("retryable") is True,
        request_id=told.get("requestId"),
        exchange=told.get("exchange"),
        retry_after=wait if wait is not None else _seconds(told.get("retryAfter")),
        idempotency_key=key,
    )


def _envelope(content: bytes) -> dict[str, Any] | None:
    try:
        told = from_json(content)
    except ValueError:
        return None
    error = told.get("error") if isinstance(told, dict) else None
    return error if isinstance(error, dict) else None


def _seconds(value: Any) -> float | None:
    """A date instead of seconds is ignored."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return None
    return seconds if seconds >= 0 and seconds != float("inf") else None
