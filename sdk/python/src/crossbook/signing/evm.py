"""A wallet of an EVM chain: typed data (EIP-712), messages (EIP-191), transactions (EIP-1559). Needs crossbook[evm]."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fees:
    """The fee and nonce of a transaction, which only the wallet knows. Prices in wei."""

    nonce: int
    gas: int
    max_fee_per_gas: int
    max_priority_fee_per_gas: int = 0


class EvmSigner:
    """`key`: a private key (0x and 64 hex digits), or an account of eth-account."""

    def __init__(self, key: Any) -> None:
        try:
            from eth_account import Account
        except ImportError as error:
            raise ImportError("install crossbook[evm] for this") from error
        self._account = Account.from_key(key) if isinstance(key, (str, bytes)) else key

    @property
    def address(self) -> str:
        return str(self._account.address)

    def sign_typed_data(self, unsigned: Mapping[str, Any]) -> str:
        """Fields in addition to the typed data (`post`, `action`, …) are sent and not signed."""
        types = {name: fields for name, fields in unsigned["types"].items() if name != "EIP712Domain"}
        message = in_numbers(unsigned["message"], unsigned["primaryType"], types)
        domain = dict(unsigned["domain"])
        if isinstance(domain.get("chainId"), str):
            domain["chainId"] = int(domain["chainId"])
        full = {"types": {**types, "EIP712Domain": domain_of(domain)}, "primaryType": unsigned["primaryType"], "domain": domain, "message": message}
        return hexed(self._account.sign_typed_data(full_message=full).signature)

    def sign_message(self, message: str | bytes) -> str:
        """personal_sign: a text, or raw bytes."""
        from eth_account.messages import encode_defunct

        text = encode_defunct(text=message) if isinstance(message, str) else encode_defunct(primitive=message)
        return hexed(self._account.sign_message(text).signature)

    def sign_transaction(self, unsigned: Mapping[str, Any], fees: Fees) -> str:
        """`unsigned`: `to`, `data`, `value`, `chainId`."""
        value = unsigned.get("value") or 0
        told = {
            "type": 2,
            "chainId": int(unsigned["chainId"]),
            "to": checksummed(unsigned["to"]),
            "data": unsigned["data"],
            "value": value if isinstance(value, int) else int(value, 0),
            "nonce": fees.nonce,
            "gas": fees.gas,
            "maxFeePerGas": fees.max_fee_per_gas,
            "maxPriorityFeePerGas": fees.max_priority_fee_per_gas,
        }
        return hexed(self._account.sign_transaction(told).raw_transaction)


# In the order of the standard.
_domain = (("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address"), ("salt", "bytes32"))


def domain_of(domain: Mapping[str, Any]) -> list[dict[str, str]]:
    return [{"name": name, "type": kind} for name, kind in _domain if name in domain]


def in_numbers(value: Any, kind: str, types: Mapping[str, Any]) -> Any:
    """JSON contains numbers that are too long for it as text."""
    if kind.endswith("]"):
        inner = kind[: kind.rindex("[")]
        return [in_numbers(each, inner, types) for each in value]
    if kind in types:
        return {field["name"]: in_numbers(value[field["name"]], field["type"], types) for field in types[kind]}
    if re.fullmatch(r"u?int\d*", kind) and isinstance(value, str):
        return int(value, 0)
    return value


def checksummed(address: str) -> str:
    from eth_utils.address import to_checksum_address

    return str(to_checksum_address(address))


def hexed(value: bytes) -> str:
    return f"0x{bytes(value).hex()}"
