"""Signatures of what a build returns. Keys stay local: only a signature or a signed transaction is sent."""

from crossbook.signing.ed25519 import Ed25519Signer
from crossbook.signing.evm import EvmSigner, Fees
from crossbook.signing.lanes import SIGNED_BY, NotSignable, sign

__all__ = ["SIGNED_BY", "Ed25519Signer", "EvmSigner", "Fees", "NotSignable", "sign"]
