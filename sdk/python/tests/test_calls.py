"""Calls: keys, retries, errors, pages. Against a scripted service."""

import asyncio
import json

import pytest
from scripted import Reply, Script, answer, refusal

from crossbook import ApiError, AsyncCrossbook, ConnectionFailed, Crossbook, RetryPolicy, UnexpectedAnswer
from crossbook.operation import write_parameter, write_time

HALT = {"scope": "account", "reason": "test"}
EXECUTION = "00000000-0000-4000-8000-000000000000"


def client(script: Script, waits: list[float], **policy: float) -> Crossbook:
    return Crossbook(script.url, "key", sleep=waits.append, retry=RetryPolicy(**policy, draw=lambda: 0.5))


def keys(script: Script) -> list[str]:
    return [asked.headers.get("idempotency-key", "") for asked in script.asked]


def test_a_key_is_made_once_and_kept_over_every_retry(script: Script) -> None:
    waits: list[float] = []
    script.will(refusal(503, "EXEC_UNAVAILABLE", retryable=True), Reply(502, b"<html>"), Reply(200, b"{}" * 50, cut=3), answer({"changed": 1}))
    with client(script, waits) as c, pytest.raises(UnexpectedAnswer):
        c.cancel_execution("kalshi", EXECUTION, {})
    assert len(set(keys(script))) == 1
    assert len(keys(script)[0]) == 36
    assert len(waits) == 3


def test_the_callers_key_is_sent_and_told_with_the_failure(script: Script) -> None:
    script.will(refusal(409, "IDEMPOTENCY_CONFLICT", retryable=False))
    with client(script, []) as c, pytest.raises(ApiError) as raised:
        c.cancel_execution("kalshi", EXECUTION, {}, idempotency_key="mine")
    error = raised.value
    assert keys(script) == ["mine"]
    assert (error.status, error.code, error.retryable, error.request_id, error.idempotency_key) == (
        409, "IDEMPOTENCY_CONFLICT", False, "r-1", "mine",
    )  # fmt: skip


def test_retry_after_is_waited_for_with_a_little_more(script: Script) -> None:
    waits: list[float] = []
    script.will(refusal(429, "RATE_LIMITED", retryable=True, retry_after="7"), answer([]))
    with client(script, waits) as c:
        assert c.list_webhooks().data == []
    assert waits == [7.25]


def test_a_retry_after_beyond_the_bound_is_not_waited_for(script: Script) -> None:
    waits: list[float] = []
    script.will(refusal(429, "RATE_LIMITED", retryable=True, retry_after="3600"))
    with client(script, waits) as c, pytest.raises(ApiError) as raised:
        c.list_venues()
    assert (waits, raised.value.retry_after) == ([], 3600)


def test_backoff_doubles_and_ends(script: Script) -> None:
    waits: list[float] = []
    script.will(*[refusal(503, "CATALOG_UNAVAILABLE", retryable=True) for _ in range(4)])
    with client(script, waits) as c, pytest.raises(ApiError):
        c.list_venues()
    assert waits == [0.25, 0.5, 1.0]


def test_what_is_not_retryable_is_asked_once(script: Script) -> None:
    script.will(refusal(404, "MARKET_NOT_FOUND", retryable=False))
    with client(script, []) as c, pytest.raises(ApiError):
        c.fetch_market("kalshi", market_id="x")
    assert len(script.asked) == 1


@pytest.mark.parametrize(
    ("reply", "attempts"),
    [
        (Reply(200, b'{"success":true}', cut=4), 1),
        (Reply(503, b"busy"), 1),
        (refusal(500, "INTERNAL", retryable=True), 1),
        (refusal(429, "RATE_LIMITED", retryable=True), 4),
        (refusal(503, "PLATFORM_UNAVAILABLE", retryable=True), 1),
    ],
)
def test_what_may_have_been_done_without_a_key_is_not_asked_again(script: Script, reply: Reply, attempts: int) -> None:
    script.will(*[reply] * 4)
    with client(script, []) as c, pytest.raises((ApiError, ConnectionFailed)):
        c.create_webhook({"url": "https://example.com", "events": ["conditional.fired"]})
    assert len(script.asked) == attempts


def test_pages_are_followed_to_their_end_and_no_further(script: Script) -> None:
    pages = [answer([run(1), run(2)], nextCursor="a"), answer([run(3)], page={"nextCursor": "b"}), answer([run(4)], meta={"nextCursor": "c"})]
    script.will(*pages, answer([]))
    with client(script, []) as c:
        found = [delivery.id for delivery in c.iter_list_webhook_deliveries("w", limit=2)]
    assert found == ["1", "2", "3", "4"]
    assert [asked.path.split("?")[1] for asked in script.asked] == ["limit=2", "limit=2&after=a", "limit=2&after=b", "limit=2&after=c"]


def test_a_cursor_that_does_not_move_is_not_followed_for_ever(script: Script) -> None:
    script.will(*[answer([run(1)], nextCursor="a")] * 2)
    with client(script, []) as c:
        assert len(list(c.iter_list_webhook_deliveries("w"))) == 2


def run(number: int) -> dict[str, object]:
    return {
        "id": str(number), "event": "conditional.fired", "payload": {}, "status": "queued", "createdAt": "2026-01-01T00:00:00.000Z",
        "deliveredAt": None,
        "attempts": 0,
        "lastResult": None,
        "nextAttemptAt": None,
    }  # fmt: skip


def test_both_clients_ask_the_same(script: Script) -> None:
    script.will(*[refusal(503, "HISTORY_UNAVAILABLE", retryable=True, retry_after="0"), answer([], asOf=None, provenance={"source": "catalog"})] * 2)

    async def ask() -> None:
        async with AsyncCrossbook(script.url, "key", sleep=lambda _: asyncio.sleep(0)) as c:
            await c.fetch_markets("kalshi", limit=2, tags=["a", "b"])

    with client(script, []) as c:
        c.fetch_markets("kalshi", limit=2, tags=["a", "b"])
    asyncio.run(ask())
    assert {asked.path for asked in script.asked} == {"/api/kalshi/fetchMarkets?limit=2&tags=a%2Cb"}
    assert {asked.headers["authorization"] for asked in script.asked} == {"Bearer key"}


def test_bodies_are_models_or_mappings(script: Script) -> None:
    from crossbook.models import HaltTradingBody

    script.will(*[refusal(403, "SCOPE_MISSING", retryable=False)] * 2)
    with client(script, []) as c:
        for body in (HALT, HaltTradingBody(scope="account", reason="test")):
            with pytest.raises(ApiError):
                c.halt_trading(body)
    assert [json.loads(asked.body) for asked in script.asked] == [HALT, HALT]


def test_a_newer_service_may_tell_more(script: Script) -> None:
    script.will(answer([{**run(1), "status": "a-new-word", "news": 1}]))
    with client(script, []) as c:
        [delivery] = c.list_webhook_deliveries("w").data
    assert (delivery.status, delivery.model_extra) == ("a-new-word", delivery.model_extra | {"news": 1})


def test_times_and_lists_as_they_are_written() -> None:
    from datetime import date, datetime, timedelta, timezone

    east = datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    assert [write_time(each) for each in (east, datetime(2026, 1, 1), 5, 5.0, "x")] == [
        "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "5", "5", "x",
    ]  # fmt: skip
    assert [write_parameter(each) for each in (True, date(2026, 1, 2), ["a", "b"], {"a": 1}, [{"a": 1}])] == [
        "true", "2026-01-02", "a,b", '{"a": 1}', '[{"a": 1}]',
    ]  # fmt: skip
