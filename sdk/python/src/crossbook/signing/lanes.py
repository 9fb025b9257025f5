"""What each lane requires for a build: `sign(unsigned, signer)` is the part of submit's body that only the owner can create.

Where nothing is signed locally (Gemini, Kalshi, Novig, Polymarket US), the service signs the one request with the credentials of submit, and keeps
none.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Literal

from crossbook.errors import CrossbookError
from crossbook.signing.ed25519 import Ed25519Signer
from crossbook.signing.evm import EvmSigner, Fees

SignedBy = Literal["wallet", "trading key", "credentials"]

SIGNED_BY: Mapping[str, SignedBy] = {
    "gemini": "credentials",
    "hyperliquid": "wallet",
    "kalshi": "credentials",
    "limitless": "wallet",
    "myriad": "wallet",
    "novig": "credentials",
    "opinion": "wallet",
    "pascal": "trading key",
    "polymarket": "wallet",
    "polymarket_us": "credentials",
    "pred": "wallet",
    "predictfun": "wallet",
    "predictstreet": "wallet",
    "rain": "wallet",
    "xo": "wallet",
}
"""What signs an order of the venue: an `EvmSigner`, an `Ed25519Signer`, or the service with the credentials of submit."""


class NotSignable(CrossbookError):
    """The signer is of another kind, or the fees and nonce of a transaction are missing."""


def sign(unsigned: Mapping[str, Any], signer: EvmSigner | Ed25519Signer | None = None, *, fees: Fees | None = None) -> dict[str, str]:
    """`unsigned` of a build. Returns `{"signature"}`, `{"signedTransaction"}`, or `{}` if nothing is signed locally.

    fees: for artifacts that are transactions (Rain, pools of Myriad, redemptions on a chain).
    """
    if "permit" in unsigned:
        return {"signature": _of(signer, Ed25519Signer, "an Ed25519Signer").sign(base64.b64decode(unsigned["permit"]))}
    if "digest" in (unsigned.get("kernel") or {}):
        # A smart wallet: its owner signs the digest as a message of 32 bytes.
        digest = bytes.fromhex(unsigned["kernel"]["digest"].removeprefix("0x"))
        return {"signature": _of(signer, EvmSigner, "an EvmSigner").sign_message(digest)}
    if "primaryType" in unsigned:
        return {"signature": _of(signer, EvmSigner, "an EvmSigner").sign_typed_data(unsigned)}
    if {"to", "data", "chainId"} <= unsigned.keys():
        if fees is None:
            raise NotSignable("a transaction: pass its fees and nonce")
        return {"signedTransaction": _of(signer, EvmSigner, "an EvmSigner").sign_transaction(unsigned, fees)}
    return {}


def _of(signer: Any, kind: type[Any], name: str) -> Any:
    if not isinstance(signer, kind):
        raise NotSignable(f"this is signed by {name}")
    return signer
