"""A group of the router is submitted, followed and closed; a leg that is not sent ends, and none is sent twice."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from scripted import Asked, Reply, Script, answer, refusal

from crossbook import ApiError, AsyncCrossbook, Crossbook, CrossbookError, RetryPolicy
from crossbook.models import Execution, RouterGroup
from crossbook.router import ExecutedGroup, execute_group, execute_group_async

AT = "2026-01-01T00:00:00.000Z"
GROUP = "00000000-0000-4000-8000-000000000001"
QUOTE = {
    "contracts": "10", "notional": "4", "fee": "0", "settlementFee": "0", "averagePrice": "0.4", "total": "4", "filled": True, "proven": True,
    "gap": "0", "payout": None, "edge": None,
}  # fmt: skip


def execution(position: int, venue: str, status: str) -> dict[str, Any]:
    return {
        "executionId": f"e{position}", "venue": venue, "intent": "order", "status": status, "unsigned": {}, "buildVersion": 1,
        "submittedArtifact": None, "venueRef": None, "matchedSize": None, "notionalUsd": None, "feeEstimate": None, "error": None,
        "createdAt": AT, "updatedAt": AT,
    }  # fmt: skip


def leg(position: int, venue: str, status: str) -> dict[str, Any]:
    return {
        "position": position, "component": 0, "venue": venue, "marketId": "m", "outcomeId": "o", "outcomeSide": "YES", "isBuy": True,
        "size": "10", "limitPrice": "0.4", "averagePrice": "0.4", "notional": "4", "fee": "0", "bookAgeMs": 1, "immediate": True,
        "closesPosition": None, "execution": execution(position, venue, status), "error": None, "matchedSize": None, "paidPrice": None,
        "paidFee": None,
    }  # fmt: skip


def group(status: str, legs: tuple[str, str] = ("built", "built"), **more: Any) -> dict[str, Any]:
    return {
        "groupId": GROUP, "kind": "arbitrage", "status": status, "closesGroupId": None, "closedBy": [], "request": {}, "quote": QUOTE,
        "alternatives": [], "leftOut": [], "legs": [leg(0, "kalshi", legs[0]), leg(1, "novig", legs[1])], "exposure": None, "remaining": None,
        "realised": None, "createdAt": AT, **more,
    }  # fmt: skip


class Service:
    """Answers by path, in whatever order requests arrive."""

    def __init__(self, script: Script, reads: list[dict[str, Any]], **replies: Reply) -> None:
        self.reads = reads
        self.replies = replies
        self.script = script
        script.will(*[self.reply] * 20)

    def reply(self, asked: Asked) -> Reply:
        if asked.path.endswith("/close"):
            return self.replies.get("close", answer(group("planned", groupId=None)))
        if asked.path.startswith("/v1/router"):
            return answer(self.reads.pop(0))
        name = "discard" if asked.method == "DELETE" else asked.path.rsplit("/", 1)[1]
        key = f"{name}_{asked.path.split('/')[3]}"
        return self.replies.get(key, answer(execution(0, "kalshi", "acked")))

    def requests(self) -> set[str]:
        return {f"{asked.method} {asked.path}" for asked in self.script.asked}

    def bodies(self, end: str) -> list[Any]:
        return [json.loads(asked.body) for asked in self.script.asked if asked.path.endswith(end)]


def authorize(built: Execution) -> Mapping[str, Any]:
    return {"signature": f"of {built.venue}"}


def run(script: Script, start: dict[str, Any], waits: list[float], **options: Any) -> ExecutedGroup:
    with Crossbook(script.url, "key", retry=RetryPolicy(attempts=1)) as client:
        given = {"authorize": authorize, "sleep": waits.append, "poll": 0.5, **options}
        return execute_group(client, RouterGroup.model_validate(start), **given)


def test_every_leg_is_submitted_and_the_group_read_until_it_has_ended(script: Script) -> None:
    service = Service(script, [group("working"), group("working"), group("unequal")])
    waits: list[float] = []
    done = run(script, group("built"), waits)
    assert sorted(body["signature"] for body in service.bodies("/submit")) == ["of kalshi", "of novig"]
    assert (done.group.status, done.refused, done.closing, waits) == ("unequal", [], None, [0.5, 0.5])


def test_the_async_client_does_the_same(script: Script) -> None:
    service = Service(script, [group("working", ("acked", "filled")), group("unequal", exposure=[{"position": 0, "contracts": "5"}])])

    async def authorized(built: Execution) -> Mapping[str, Any]:
        return authorize(built)

    async def act() -> ExecutedGroup:
        async with AsyncCrossbook(script.url, "key", retry=RetryPolicy(attempts=1)) as client:
            start = RouterGroup.model_validate(group("built"))
            return await execute_group_async(client, start, authorized, refresh=authorized, poll=0)

    done = asyncio.run(act())
    assert done.closing is not None
    assert len(service.bodies("/submit")) == 2
    assert service.bodies("/refresh") == [{"signature": "of kalshi"}]


def test_legs_in_flight_are_refreshed_with_the_given_fields(script: Script) -> None:
    service = Service(script, [group("working", ("acked", "filled")), group("filled")])
    run(script, group("working", ("acked", "filled")), [], refresh=lambda built: {"key": built.venue})
    assert service.bodies("/submit") == []
    assert service.bodies("/refresh") == [{"key": "kalshi"}]


def test_what_closes_the_rest_is_offered_as_a_dry_run(script: Script) -> None:
    service = Service(script, [group("partial", kind="route", exposure=[], remaining="2")])
    done = run(script, group("built"), [], close={"venues": ["kalshi"]})
    assert done.closing is not None
    assert service.bodies("/close") == [{"venues": ["kalshi"], "artifacts": False}]


def test_a_closing_plan_that_fails_is_returned_with_the_group(script: Script) -> None:
    Service(script, [group("unequal", exposure=[{"position": 0, "contracts": "5"}])], close=refusal(404, "MARKET_NOT_FOUND", retryable=False))
    done = run(script, group("built"), [])
    assert (done.group.status, done.closing) == ("unequal", None)
    assert isinstance(done.closing_error, ApiError)


def test_a_leg_that_is_refused_is_discarded(script: Script) -> None:
    service = Service(script, [group("unequal")], submit_novig=refusal(403, "PERMISSION_DENIED", retryable=False))
    done = run(script, group("built"), [])
    assert [refused.position for refused in done.refused] == [1]
    assert "DELETE /v1/exec/novig/orders/e1" in service.requests()


def test_a_leg_that_was_sent_after_all_is_not_reported(script: Script) -> None:
    conflict = refusal(409, "EXECUTION_TERMINAL", retryable=False)
    Service(script, [group("filled")], submit_novig=Reply(200, b"{}" * 50, cut=3), discard_novig=conflict)
    assert run(script, group("built"), []).refused == []


def test_it_raises_if_it_is_not_known_whether_a_leg_was_sent(script: Script) -> None:
    away = refusal(503, "EXEC_UNAVAILABLE", retryable=True)
    service = Service(script, [], submit_novig=away, discard_novig=away)
    with pytest.raises(ApiError):
        run(script, group("built"), [])
    assert "POST /v1/exec/kalshi/orders/e0/submit" in service.requests()


def test_nothing_is_submitted_if_a_leg_is_not_built_or_not_authorized(script: Script) -> None:
    def refuse(_: Execution) -> Mapping[str, Any]:
        raise LookupError("no key for this venue")

    unbuilt = group("building")
    unbuilt["legs"][1]["execution"] = None
    with pytest.raises(LookupError):
        run(script, group("built"), [], authorize=refuse)
    for start in (unbuilt, group("planned", groupId=None)):
        with pytest.raises(CrossbookError):
            run(script, start, [])
    assert script.asked == []


def test_waiting_is_bounded(script: Script) -> None:
    Service(script, [group("working")] * 3)
    waits: list[float] = []
    with pytest.raises(TimeoutError):
        run(script, group("built"), waits, timeout=1.0)
    assert waits == [0.5, 0.5]
