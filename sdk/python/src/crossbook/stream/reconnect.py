"""The delay before the next connection attempt. Pure."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReconnectPolicy:
    """Times in seconds. A delay is between half and all of base × 2^n, never above most, so that clients cut off together return apart.

    attempts: in a row, until the stream gives up. steady: a connection that lasted less than this counts as another failure.
    """

    attempts: int = 10
    base: float = 0.5
    most: float = 30.0
    steady: float = 10.0
    draw: Callable[[], float] = field(default=random.random, repr=False)
    """Uniform in [0, 1)."""

    def wait(self, failures: int) -> float:
        """Maximum consecutive attempts, at least 1."""
        return min(self.most, self.base * float(2 ** min(failures - 1, 30))) * (0.5 + 0.5 * self.draw())
