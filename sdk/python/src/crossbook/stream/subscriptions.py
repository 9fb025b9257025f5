"""The current subscriptions, and the messages that request them: as few as possible. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

# Limits of the service: ids per message, and bytes per message.
MARKETS_MOST = 500
BYTES_MOST = 15 * 1024

Key = tuple[str | None, str | None, str | None]
"""Channel, venue (or feed), market (or symbol): what acknowledgements and refusals carry."""


@dataclass(frozen=True)
class Subscription:
    """`op` without the market if several go into one message."""

    key: Key
    op: str
    fields: dict[str, Any] = field(default_factory=dict)

    def group(self) -> str:
        return json.dumps([self.op, self.fields], sort_keys=True)


def messages_of(subscriptions: Iterable[Subscription], verb: str = "subscribe") -> Iterator[str]:
    groups: dict[str, list[Subscription]] = {}
    for each in subscriptions:
        groups.setdefault(each.group(), []).append(each)
    for group in groups.values():
        op = group[0].op.replace("subscribe", verb, 1)
        if op in ("subscribe", "unsubscribe"):
            yield from batches(op, group)
        else:
            for each in group:
                yield json.dumps({"op": op, **(each.fields if verb == "subscribe" else named(each))})


def named(subscription: Subscription) -> dict[str, Any]:
    """Unsubscribing needs only the name."""
    names = ("venue", "marketId", "marketAddress", "feed", "symbol", "channel")
    return {name: value for name, value in subscription.fields.items() if name in names}


def batches(op: str, group: list[Subscription]) -> Iterator[str]:
    fields = group[0].fields if op == "subscribe" else named(group[0])
    ids = [str(each.key[2]) for each in group]
    frame = len(json.dumps({"op": op, **fields, "marketIds": []}).encode())
    at = 0
    while at < len(ids):
        size, end = frame, at
        while end < len(ids) and end - at < MARKETS_MOST:
            size += len(json.dumps(ids[end]).encode()) + 2
            if size > BYTES_MOST and end > at:
                break
            end += 1
        yield json.dumps({"op": op, **fields, "marketIds": ids[at:end]})
        at = end
