"""An Ed25519 trading key, as used by Pascal. Needs crossbook[sign]."""

from __future__ import annotations

from crossbook.signing.base58 import base58

SEED_BYTES = 32


class Ed25519Signer:
    """`seed`: the 32 bytes of the private key."""

    def __init__(self, seed: bytes) -> None:
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError as error:
            raise ImportError("install crossbook[sign] for this") from error
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def address(self) -> str:
        """The public key, base58."""
        return base58(self._key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> str:
        """Base58."""
        return base58(self._key.sign(message))
