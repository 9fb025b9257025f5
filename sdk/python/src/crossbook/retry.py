"""When a call is retried, and after how long. Pure: the clients wait."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from crossbook.errors import ApiError, ConnectionFailed
from crossbook.operation import Call


@dataclass(frozen=True)
class RetryPolicy:
    """Limits of retries; times in seconds.

    attempts: per call, including the first.
    base, most: a delay is random between 0 and base × 2^n, never above most.
    total: of all delays of one call together; a Retry-After that does not fit into it ends the call.
    """

    attempts: int = 4
    base: float = 0.5
    most: float = 20.0
    total: float = 60.0
    draw: Callable[[], float] = field(default=random.random, repr=False)
    """Uniform in [0, 1)."""

    def backoff(self, tries: int) -> float:
        return min(self.most, self.base * float(2 ** min(tries, 30))) * self.draw()

    def wait_after(self, error: ApiError | ConnectionFailed, call: Call, tries: int, waited: float) -> float | None:
        """Seconds until the next attempt; None: no further attempt. `tries` is how many there have been."""
        if tries >= self.attempts or not may_repeat(error, call):
            return None
        told = error.retry_after if isinstance(error, ApiError) else None
        # Adds jitter: all clients received the same Retry-After.
        wait = self.backoff(tries - 1) if told is None else told + self.base * self.draw()
        return wait if waited + wait <= self.total else None


def may_repeat(error: ApiError | ConnectionFailed, call: Call) -> bool:
    done_once = call.operation.safe or call.key is not None
    if isinstance(error, ConnectionFailed):
        return done_once
    if not error.retryable:
        return False
    # Without a key only after a 429, which is sent before any work begins. Other errors may follow a committed write (a lost response).
    return done_once or (error.code is not None and error.status == 429)
