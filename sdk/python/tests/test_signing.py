"""Signatures of what every lane builds, compared with another implementation's (CROSSBOOK_ARTIFACTS: written by the suite that runs this)."""

import base64
import json
import os
from typing import Any

import pytest

from crossbook.signing import SIGNED_BY, Ed25519Signer, EvmSigner, Fees, NotSignable, sign
from crossbook.signing.base58 import base58

pytest.importorskip("eth_account")
KEY = "0x" + "11" * 32
FEES = Fees(nonce=7, gas=500_000, max_fee_per_gas=100_000_000)


def artifacts() -> dict[str, Any]:
    path = os.environ.get("CROSSBOOK_ARTIFACTS")
    if path is None:
        pytest.skip("CROSSBOOK_ARTIFACTS names no artifacts")
    with open(path) as source:
        found: dict[str, Any] = json.load(source)
        return found


def test_every_artifact_is_signed_as_the_other_implementation_signs_it() -> None:
    told = artifacts()
    signers = {"wallet": EvmSigner(KEY), "trading key": Ed25519Signer(bytes.fromhex(KEY[2:])), "credentials": None}
    for name, artifact in told.items():
        signer = signers[SIGNED_BY[artifact["venue"]]]
        assert sign(artifact["unsigned"], signer, fees=FEES) == artifact["signed"], name
    assert {artifact["venue"] for artifact in told.values()} == set(SIGNED_BY)
    for words in ("cancellation", "redemption"):
        assert any(name.endswith(words) and "signedTransaction" in artifact["signed"] for name, artifact in told.items()), words


def test_a_message_of_eip_191_as_published() -> None:
    signer = EvmSigner("0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318")
    wanted = (
        "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c"
    )
    assert signer.sign_message("Some data") == wanted


def test_what_cannot_be_signed_says_why() -> None:
    with pytest.raises(NotSignable, match="EvmSigner"):
        sign({"primaryType": "Order"}, Ed25519Signer(bytes(32)))
    with pytest.raises(NotSignable, match="Ed25519Signer"):
        sign({"permit": base64.b64encode(b"x").decode()}, EvmSigner(KEY))
    with pytest.raises(NotSignable, match="fees"):
        sign({"to": "0x", "data": "0x", "chainId": 1}, EvmSigner(KEY))
    with pytest.raises(ValueError, match="32"):
        Ed25519Signer(b"short")


def test_no_signer_shows_its_key() -> None:
    for signer in (EvmSigner(KEY), Ed25519Signer(bytes.fromhex(KEY[2:]))):
        assert "1111" not in repr(signer) + str(signer) + repr(vars(signer))


def test_base58_as_published() -> None:
    assert [base58(bytes.fromhex(each)) for each in ("", "00", "0000287fb4cd", "516b6fcd0f")] == ["", "1", "11233QC4", "ABnLTmg"]
