import pytest

from crossbook.webhooks import NotVerified, verify

BODY = b'{"event":"execution.status.changed"}'
# From docs/webhooks.md.
OWN = {
    "X-Service-Delivery": "d-1",
    "X-Service-Event": "execution.status.changed",
    "X-Service-Timestamp": "1700000000",
    "X-Service-Signature": "8c0efdbba44536c53f0db90a2d46e4e542613af512e00c9f1fa0c7cd2bb70537",
}
# From the libraries of Standard Webhooks.
STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
STANDARD_BODY = b'{"test": 2432232314}'
STANDARD = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


def test_the_services_own_headers() -> None:
    delivery = verify("test-secret", OWN, BODY, now=1_700_000_100)
    assert (delivery.id, delivery.event, delivery.timestamp) == ("d-1", "execution.status.changed", 1_700_000_000)


def test_standard_webhooks_also_after_a_rotation() -> None:
    assert verify(STANDARD_SECRET, STANDARD, STANDARD_BODY, now=1_614_265_330).id == "msg_p5jXN8AQM9LWM0D4loKWxJek"
    two = {**STANDARD, "webhook-signature": f"v1,AAAA {STANDARD['webhook-signature']}"}
    verify(STANDARD_SECRET, two, STANDARD_BODY, now=1_614_265_330)


@pytest.mark.parametrize(
    ("changes", "body", "now"),
    [
        ({"X-Service-Signature": "0" * 64}, BODY, 1_700_000_000),
        ({"X-Service-Signature": ""}, BODY, 1_700_000_000),
        ({"X-Service-Timestamp": ""}, BODY, 1_700_000_000),
        ({"X-Service-Timestamp": "٣"}, BODY, 1_700_000_000),
        ({"X-Service-Timestamp": "9" * 400}, BODY, 1_700_000_000),
        ({"X-Service-Timestamp": "9" * 5_000}, BODY, 1_700_000_000),
        ({"X-Service-Signature": "\udcff"}, BODY, 1_700_000_000),
        ({}, BODY + b" ", 1_700_000_000),
        ({}, BODY, 1_700_000_301),
        ({}, BODY, 1_699_999_699),
    ],
)
def test_what_is_not_verified(changes: dict[str, str], body: bytes, now: int) -> None:
    with pytest.raises(NotVerified):
        verify("test-secret", {**OWN, **changes}, body, now=now)


@pytest.mark.parametrize("signature", ["", "v1,", "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "v1,é", "v1,\udcff"])
def test_standard_signatures_that_are_none(signature: str) -> None:
    with pytest.raises(NotVerified):
        verify(STANDARD_SECRET, {**STANDARD, "webhook-signature": signature}, STANDARD_BODY, now=1_614_265_330)


def test_an_id_that_is_no_text() -> None:
    with pytest.raises(NotVerified):
        verify(STANDARD_SECRET, {**STANDARD, "webhook-id": "\ud800"}, STANDARD_BODY, now=1_614_265_330)
