"""What can go wrong, as exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json


class CrossbookError(Exception):
    """Everything this package raises of its own accord."""


class ApiError(CrossbookError):
    """The service refused.

    code: one of the contract's (`ErrorCode`), None where what stands between answered instead of the service.
    retryable: the same call may succeed later. It was tried again already, as often as the client does.
    idempotency_key: under which it was asked; the same key again does nothing twice.
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
    """No answer, or one that broke off. Whether the service did what was asked is not known."""

    def __init__(self, message: str, *, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class UnexpectedAnswer(CrossbookError):
    """An answer in a shape that the contract does not know."""


class StreamError(CrossbookError):
    """The stream cannot go on: it was closed for good, or could not be opened again within its bounds."""


class ChecksumMismatch(CrossbookError):
    """The bytes of a file are not those that were promised. The file has been removed."""


# Said by what stands between, where the service says nothing itself.
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
    """A date in place of seconds is no wait that anybody promised us."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return None
    return seconds if seconds >= 0 and seconds != float("inf") else None
