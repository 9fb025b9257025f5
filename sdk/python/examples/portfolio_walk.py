"""A position from its purchase to the statement of the month, at six venues of the demo: buy, hold, net, stop, resolve, redeem. Three questions,
each asked by two venues: YES is bought at one, NO at the other. A throwaway wallet signs; its key stays here. From the repository's folder,
while `npm run demo -- --venues kalshi,polymarket,limitless,hyperliquid,gemini,opinion` runs: `CROSSBOOK_URL=… CROSSBOOK_KEY=… python
portfolio_walk.py`. Needs crossbook[evm] and, for the venues' keys, Node."""

import json
import os
import re
import secrets
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, TypeVar

import httpx
from eth_utils import keccak

from crossbook import ApiError, Crossbook
from crossbook.signing import EvmSigner, Fees, sign

COUPLES = (("limitless", "gemini"), ("polymarket", "kalshi"), ("hyperliquid", "opinion"))
SIZE = 100
# Their payouts have to be collected. Elsewhere a payout is credited when the market resolves.
REDEEMING = {"polymarket", "limitless", "opinion"}
# The demo serves the chain of these: the service sends the signed transaction, and the chain decides.
CHAINS = {"limitless"}
# A signed order can be left with the service: its submit takes nothing but the signature. It takes no orders below $10.
HOSTING = "hyperliquid"

T = TypeVar("T")
key = f"0x{secrets.token_hex(32)}"
wallet = EvmSigner(key)
with open(os.path.join(os.environ.get("DATA_DIR", "./.data/demo"), "runtime.json")) as file:
    lab_control = json.load(file)["labControl"]


@dataclass
class Login:
    """`keys`: fields of a submit next to the signature; `read`: body of a refresh; `account`: fields of a build that name the account."""

    keys: dict[str, Any]
    read: dict[str, Any]
    account: dict[str, Any]


@dataclass
class Held:
    venue: str
    market_id: str
    side: str
    price: float


def log_in(venue: str) -> Login:
    """Registers the wallet at a venue, as docs/trading.md shows."""
    printed = subprocess.run(
        [os.environ.get("NODE", "node"), "docs/examples/login.mjs", venue],
        env={**os.environ, "WALLET_KEY": key},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    values = dict(re.findall(r"^export (\w+)='(.*)'$", printed, re.MULTILINE))
    account: dict[str, Any] = {} if venue in ("kalshi", "gemini") else {"owner": wallet.address}
    if venue == "limitless":
        account |= {"ownerId": int(values["OWNER_ID"]), "feeRateBps": int(values["FEE_BPS"])}
    return Login(json.loads(values.get("KEYS", "{}")), json.loads(values.get("READ", "{}")), account)


def lab(kind: str, position: Any, **options: Any) -> None:
    """`move` and `resolve` change a market of the demo for everybody."""
    by_outcome = position.venue in ("polymarket", "hyperliquid")
    market = position.outcome_id if by_outcome else position.market_id
    httpx.post(f"{lab_control}/lab/faults", json={"venue": position.venue, "kind": kind, "market": market, **options}).raise_for_status()


def until(what: str, read: Callable[[], T | None], seconds: float = 60) -> T:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = read()
        except ApiError as error:
            if not error.retryable:
                raise
            found = None
        if found is not None:
            return found
        time.sleep(0.5)
    raise TimeoutError(f"{what}: not within {seconds} s")


client = Crossbook(os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"])
logins = {venue: log_in(venue) for couple in COUPLES for venue in couple}
questions: set[str] = set()


def is_redeemable(leg: Held) -> bool:
    facts = client.fetch_market(leg.venue, market_id=leg.market_id).data.source_metadata or {}
    return not facts.get("negRisk") and facts.get("protocol") != "v2"


def is_tradable(venue: str, price: float) -> bool:
    return (0.3 if venue == HOSTING else 0.1) <= price <= 0.88


def find_pair(venues: tuple[str, str]) -> tuple[Held, Held] | None:
    """A question that both venues ask, with offers for the whole size."""
    for row in client.fetch_arbitrage("router", contracts=SIZE, limit=200, compat=False, venues=list(venues)).data:
        legs = [
            # An inverse question has its YES where the other has its NO.
            Held(leg.venue, leg.canonical_market_id.removeprefix(f"{leg.venue}:"), leg.side.upper(), leg.vwap)
            for leg in (row.legs.buy_yes, row.legs.buy_no)
            if leg.canonical_market_id and leg.vwap and leg.fully_filled and is_tradable(leg.venue, leg.vwap)
        ]
        if len(legs) < 2 or row.match_band != "verified" or row.question in questions:
            continue
        if all(is_redeemable(leg) for leg in legs if leg.venue in REDEEMING):
            questions.add(row.question)
            return legs[0], legs[1]
    return None


def build(leg: Held, *, is_buy: bool, price: float, size: int) -> Any:
    limit = f"{min(0.97, max(0.01, price)):.2f}"
    order = {"outcome": leg.market_id, "outcomeSide": leg.side, "isBuy": is_buy, "price": limit, "size": size}
    return client.build_execution(leg.venue, {**order, **logins[leg.venue].account}).data


def filled(venue: str, execution_id: str) -> Any:
    """A venue may report a fill later than it accepts the order."""

    def read() -> Any:
        seen = client.refresh_execution(venue, execution_id, logins[venue].read).data
        if seen.status in ("failed", "canceled"):
            raise RuntimeError(f"{venue}: {seen.error}")
        return seen if seen.status == "filled" else None

    return until(f"{venue}: the fill of {execution_id}", read)


def position_of(leg: Held) -> Any:
    return client.list_positions(venue=leg.venue, market_id=leg.market_id, status="all").data[0]


print("— build, submit, fill")
pairs: list[tuple[Held, Held]] = []
for couple in COUPLES:
    pair = until(f"a pair of {couple}", lambda couple=couple: find_pair(couple), 180)
    for leg in pair:
        # Above the offers, so that it trades at once, at their prices.
        built = build(leg, is_buy=True, price=leg.price + 0.1, size=SIZE)
        client.submit_execution(leg.venue, built.execution_id, {**logins[leg.venue].keys, **sign(built.unsigned, wallet)})
        filled(leg.venue, built.execution_id)
        print("filled", leg.venue, leg.side, leg.market_id, flush=True)
    pairs.append(pair)
held = [leg for pair in pairs for leg in pair]

print("— hold")
for leg in held:
    seen = position_of(leg)
    print("position", leg.venue, seen.quantity, seen.average_cost, "cost", seen.cost_basis, seen.currency, "mid", seen.value.mid)

print("— net")
groups = client.get_exposure(by="group", limit=100).data
for yes, _ in pairs:
    [row] = [each for each in groups if any((at.venue, at.market_id) == (yes.venue, yes.market_id) for at in each.positions)]
    print("exposure", "+".join(row.venues), "worst", row.worst_case, "best", row.best_case, "used", row.capital_used, "locked", row.locked_profit)

print("— stop")
for leg in held:
    seen = position_of(leg)
    mark = float(seen.value.mid) / float(seen.quantity) if seen.value.mid is not None else leg.price
    level = round(max(0.02, mark - 0.06), 2)
    sale = build(leg, is_buy=False, price=level - 0.04, size=SIZE // 2)
    is_hosted = leg.venue == HOSTING
    armed = client.arm_conditional(
        {
            "executionId": sale.execution_id,
            "trigger": {"tpsl": "sl", "price": level, "reference": "bid", "dwellMs": 500},
            "expiresAt": (datetime.now(timezone.utc) + timedelta(hours=1)).isoformat(),
            **({"fireMode": "hosted", "signedArtifact": sign(sale.unsigned, wallet)} if is_hosted else {"fireMode": "client"}),
        }
    ).data
    if not is_hosted:
        print("stop", leg.venue, armed.fire_mode, client.cancel_conditional(armed.id).data.status)
        continue
    below = level - 0.04
    lab("move", seen, price=round(below if leg.side == "YES" else 1 - below, 2))

    def fired(id: str = armed.id) -> str | None:
        status = client.get_conditional(id).data.status
        return None if status in ("armed", "triggered", "firing") else status

    print("stop", leg.venue, armed.fire_mode, until("the stop", fired), flush=True)
    filled(leg.venue, sale.execution_id)

print("— resolve")
for yes, no in pairs:
    # The question comes true: the answer of an inverse one is no.
    lab("resolve", position_of(yes), result="yes" if yes.side == "YES" else "no")
    lab("resolve", position_of(no), result="no" if no.side == "YES" else "yes")
for leg in held:

    def settled(leg: Held = leg) -> Any:
        seen = position_of(leg)
        return seen if seen.settlement is not None else None

    # The catalog is read again every few minutes.
    seen = until(f"the payout of {leg.market_id}", settled, 400)
    paid = seen.settlement
    print("resolved", leg.venue, "pays", paid.value, "paid", paid.paid, "unclaimed", paid.unclaimed, "pnl", seen.realized_pnl, flush=True)


def resolve(venue: str, execution_id: str) -> Any:
    """Without a node of the chain, the outcome cannot be read: the owner states it, once no late copy can arrive."""
    waiting = [each for each in client.list_unresolved_orders(venue=venue).data if str(each.execution_id) == execution_id]
    now = datetime.now(timezone.utc)
    for action in waiting[0].actions if waiting else []:
        if action.kind == "resolve" and (action.from_ is None or action.from_ <= now):
            return client.resolve_execution(venue, execution_id, {"outcome": "filled", "reason": "the transaction is final"}).data
    return None


def hash_of(transaction: str) -> str:
    return f"0x{keccak(hexstr=transaction).hex()}"


print("— redeem")
redemptions: list[tuple[Held, str]] = []
for leg in held:
    if leg.venue not in REDEEMING:
        continue
    redemption = client.build_execution(leg.venue, {"intent": "redeem", "outcome": leg.market_id, "owner": wallet.address}).data
    signed = sign(redemption.unsigned, wallet, fees=Fees(nonce=0, gas=500_000, max_fee_per_gas=100_000_000))
    # Elsewhere the wallet sends it to a node of its own, and reports the hash.
    sent = signed if leg.venue in CHAINS else {"transactionHash": hash_of(signed["signedTransaction"])}
    print("redemption", leg.venue, client.submit_execution(leg.venue, redemption.execution_id, sent).data.status)
    redemptions.append((leg, str(redemption.execution_id)))
for leg, execution_id in redemptions:

    def ended(leg: Held = leg, execution_id: str = execution_id) -> Any:
        seen = client.refresh_execution(leg.venue, execution_id, {}).data if leg.venue in CHAINS else resolve(leg.venue, execution_id)
        return seen if seen is not None and seen.status == "filled" else None

    until(f"{leg.venue}: the redemption", ended, 240)
    paid = position_of(leg).settlement
    print("redeemed", leg.venue, "paid", paid.paid, "unclaimed", paid.unclaimed, flush=True)

print("— statement")
statement = client.get_statement(datetime.now(timezone.utc).strftime("%Y-%m")).data
for total in statement.totals:
    closing = [at for at in statement.closing if (at.venue, at.currency) == (total.venue, total.currency)]
    # What is still held counts at its cost; what it earned since then is not realized.
    value = sum((Decimal(at.cost_basis) for at in closing if at.cost_basis is not None), Decimal(0))
    # Limitless pays back what a purchase cost less than its limit, and does not report how much.
    if total.cash_flow is None or total.realized_pnl is None:
        print("statement", total.venue, total.currency, "has a purchase of unknown cost")
        continue
    pnl = Decimal(total.cash_flow) + value - Decimal(total.deposits.known)
    agrees = "=" if pnl == Decimal(total.realized_pnl) else "differs from"
    print("statement", total.venue, total.currency, "cash", total.cash_flow, "value", value, "less deposits", total.deposits.known, end=" ")
    print(agrees, "pnl", total.realized_pnl)
client.close()
