"""A complete order with a throwaway wallet at Polymarket: build, sign locally, submit, watch it fill. While the demo runs:
`CROSSBOOK_URL=… CROSSBOOK_KEY=… CLOB=… python order.py`, CLOB being the venue (the demo's lab). Needs crossbook[evm]."""

import os
import secrets
import time

import httpx

from crossbook import Crossbook
from crossbook.signing import EvmSigner, sign

wallet = EvmSigner(f"0x{secrets.token_hex(32)}")


def api_key() -> dict[str, str]:
    """The venue identifies the wallet by a signature, and issues a key for its orders: only the wallet and the venue see it."""
    now = str(int(time.time()))
    words = {"address": wallet.address, "timestamp": now, "nonce": 0, "message": "This message attests that I control the given wallet"}
    members = [("address", "address"), ("timestamp", "string"), ("nonce", "uint256"), ("message", "string")]
    attest = {
        "domain": {"name": "ClobAuthDomain", "version": "1", "chainId": 137},
        "types": {"ClobAuth": [{"name": name, "type": kind} for name, kind in members]},
        "primaryType": "ClobAuth",
        "message": words,
    }
    headers = {"poly_address": wallet.address, "poly_signature": wallet.sign_typed_data(attest), "poly_timestamp": now, "poly_nonce": "0"}
    return httpx.get(f"{os.environ['CLOB']}/auth/derive-api-key", headers=headers).raise_for_status().json()


with Crossbook(os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"]) as client:
    [market] = client.fetch_markets("polymarket", limit=1).data
    asset = market.outcomes[0].outcome_id
    ask = client.fetch_order_book("polymarket", outcome_id=asset).data.asks[0]

    order = {"asset": asset, "isBuy": True, "price": ask.price, "size": 10, "owner": wallet.address}
    built = client.build_execution("polymarket", order).data
    print("built", built.execution_id, built.summary.side, built.summary.price)

    keys = api_key()
    sent = client.submit_execution("polymarket", built.execution_id, {**sign(built.unsigned, wallet), **keys}).data
    print("submitted", sent.status)

    for _ in range(50):
        seen = client.refresh_execution("polymarket", built.execution_id, keys).data
        if seen.status == "filled":
            break
        time.sleep(0.2)
    print(seen.status)
