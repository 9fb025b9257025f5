"""Verifies that a delivery is the service's. Pure; the body is the bytes as they arrived, never JSON that was parsed and printed again."""

from __future__ import annotations

import base64
import binascii
import hmac
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from crossbook.errors import CrossbookError

TOLERANCE_SECONDS = 300


class NotVerified(CrossbookError):
    """The delivery is not the service's, or its timestamp is too old or too new."""


@dataclass(frozen=True)
class Delivery:
    """`id` is the same for every attempt: deduplicate on it. It is signed only in Standard Webhooks headers; `event` is not signed."""

    id: str
    event: str | None
    timestamp: int
    body: bytes


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = TOLERANCE_SECONDS, now: float | None = None
) -> Delivery:
    """Uses the Standard Webhooks headers if present, otherwise the X-Service ones. Raises NotVerified.

    tolerance: maximum seconds between the timestamp and `now` (epoch seconds; the clock by default).
    """
    told = {name.lower(): value for name, value in headers.items()}
    is_standard = "webhook-signature" in told
    names = ("webhook-id", "webhook-timestamp") if is_standard else ("x-service-delivery", "x-service-timestamp")
    delivery, timestamp = (told.get(name, "") for name in names)
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        raise NotVerified(f"{names[1]} is missing, or not a number of seconds")
    at = int(timestamp)
    if abs((time.time() if now is None else now) - at) > tolerance:
        raise NotVerified("the timestamp is too far from the clock")
    signed = _bytes(f"{delivery}.{timestamp}." if is_standard else f"{timestamp}.") + body
    known = _standard(secret, told["webhook-signature"], signed) if is_standard else _own(secret, told.get("x-service-signature", ""), signed)
    if not known:
        raise NotVerified("the signature does not match the secret")
    return Delivery(delivery, told.get("x-service-event"), at, body)


def _bytes(header: str) -> bytes:
    """Servers may pass bytes that are not UTF-8 as lone surrogates."""
    try:
        return header.encode()
    except UnicodeEncodeError as error:
        raise NotVerified("a header is not UTF-8") from error


def _own(secret: str, given: str, signed: bytes) -> bool:
    """Lower-case hex; the key is the secret as it was shown."""
    wanted = hmac.new(secret.encode(), signed, sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), _bytes(given))


def _standard(secret: str, given: str, signed: bytes) -> bool:
    """`v1,` and base64; several, separated by spaces, after a rotation. The key is the part after `whsec_`, decoded."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise NotVerified("the secret is not whsec_ followed by base64") from error
    wanted = b"v1," + base64.b64encode(hmac.new(key, signed, sha256).digest())
    return any([hmac.compare_digest(wanted, _bytes(each)) for each in given.split(" ")])
