"""Crossbook: one interface over prediction-market venues."""

from crossbook import models
from crossbook.async_client import AsyncCrossbook
from crossbook.client import Crossbook
from crossbook.errors import ApiError, ChecksumMismatch, ConnectionFailed, CrossbookError, StreamError, UnexpectedAnswer
from crossbook.generated.contract import VERSION as __version__
from crossbook.operation import RawAnswer
from crossbook.retry import RetryPolicy
from crossbook.stream.client import Stream

__all__ = [
    "ApiError", "AsyncCrossbook", "ChecksumMismatch", "ConnectionFailed", "Crossbook", "CrossbookError", "RawAnswer", "RetryPolicy", "Stream",
    "StreamError", "UnexpectedAnswer", "__version__", "models",
]  # fmt: skip
