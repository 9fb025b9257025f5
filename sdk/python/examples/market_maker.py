"""A market maker, the same file for a backtest, a paper account and live:

    npx crossbook backtest --strategy market_maker.py --from … --to … --markets kalshi:KXTEST-26-A
    python -m crossbook.strategy market_maker.py --markets kalshi:KXTEST-26-A --url … --key …

It bids for both outcomes of each market, half a spread from the middle, so that it needs no position to begin with. What it holds moves its
quotes away from buying more. Params: size (contracts), halfSpread, maxPosition (contracts).
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass

from crossbook import ApiError
from crossbook.models import BookFrame, OrdersFrame, PortfolioFrame
from crossbook.strategy import Context, Market
from crossbook.stream import Stale, Stream

# Whole cents, which every venue takes.
TICK = 0.01
ENDED = {"filled", "failed", "expired", "canceled"}
# Expected refusals; the strategy waits for the next book: cash is tied up, the market or the order has ended, the book is not live.
EXPECTED = {"PAPER_INSUFFICIENT_CASH", "PAPER_MARKET_CLOSED", "PAPER_NO_LIVE_BOOK", "PAPER_ORDER_NOT_OPEN", "EXECUTION_TERMINAL"}


@dataclass
class Quote:
    execution_id: str
    price: float
    has_ended: bool = False


async def strategy(ctx: Context) -> None:
    needs_owner = {each.venue for each in (await ctx.client.list_exec_venues()).data if each.owner_required}
    await asyncio.gather(*(Maker(ctx, market, market.venue in needs_owner).run() for market in ctx.markets))


class Maker:
    def __init__(self, ctx: Context, market: Market, needs_owner: bool) -> None:
        self.ctx = ctx
        self.market = market
        self.needs_owner = needs_owner
        self.size = ctx.params.get("size", "10")
        self.half_spread = float(ctx.params.get("halfSpread", "0.02"))
        self.max_position = float(ctx.params.get("maxPosition", "200"))
        # By outcome id.
        self.quotes: dict[str, Quote] = {}
        self.held: dict[str, float] = {}

    async def run(self) -> None:
        venue = self.market.venue
        row = (await self.ctx.client.fetch_market(venue, market_id=self.market.market_id)).data
        yes, no = (outcome.outcome_id for outcome in row.outcomes)
        async with self.ctx.client.stream() as stream:
            await stream.subscribe_orders()
            await stream.subscribe_portfolio()
            await stream.subscribe_book(venue, yes, depth=1)
            await self.follow(stream, yes, no)

    async def follow(self, stream: Stream, yes: str, no: str) -> None:
        async for event in stream:
            if isinstance(event, OrdersFrame):
                self.notice(event)
            elif isinstance(event, PortfolioFrame):
                self.hold(event)
            elif isinstance(event, Stale):
                await self.withdraw(yes)
                await self.withdraw(no)
            elif isinstance(event, BookFrame) and event.data.bids and event.data.asks:
                inventory = self.held.get(yes, 0.0) - self.held.get(no, 0.0)
                # A full position moves the quotes by half a spread.
                middle = (event.data.bids[0].price + event.data.asks[0].price) / 2
                fair = middle - inventory / self.max_position * self.half_spread
                await self.quote(yes, fair - self.half_spread, inventory < self.max_position)
                await self.quote(no, 1 - fair - self.half_spread, inventory > -self.max_position)

    def notice(self, event: OrdersFrame) -> None:
        """Marks quotes that have ended, for whatever reason."""
        change = event.data
        if change.kind == "execution" and change.execution.status in ENDED:
            for quote in self.quotes.values():
                if quote.execution_id == str(change.execution.execution_id):
                    quote.has_ended = True

    def hold(self, event: PortfolioFrame) -> None:
        for position in event.data.positions:
            self.held[position.outcome_id] = float(position.quantity)
        if event.data.kind == "change":
            for position in event.data.removed:
                self.held.pop(position.outcome_id, None)

    async def quote(self, outcome_id: str, wanted: float, may_buy: bool) -> None:
        """One order per outcome, moved when its price is no longer the wanted one."""
        price = math.floor(wanted / TICK + 1e-9) * TICK
        current = self.quotes.get(outcome_id)
        is_working = current is not None and not current.has_ended
        is_wanted = may_buy and TICK <= price <= 1 - TICK
        if is_working and is_wanted and current is not None and abs(current.price - price) < TICK / 2:
            return
        if is_working:
            await self.withdraw(outcome_id)
        if is_wanted:
            await self.place(outcome_id, price)

    async def place(self, outcome_id: str, price: float) -> None:
        venue = self.market.venue
        owner = {"owner": self.ctx.owner} if self.needs_owner else {}
        body = {"outcome": outcome_id, "isBuy": True, "price": f"{price:.2f}", "size": self.size, **owner}
        try:
            built = (await self.ctx.client.build_execution(venue, body)).data
            quote = self.quotes[outcome_id] = Quote(str(built.execution_id), price, has_ended=True)
            await self.ctx.client.submit_execution(venue, built.execution_id, await self.ctx.authorize(built))
            quote.has_ended = False
        except ApiError as error:
            self.tolerate(error)

    async def withdraw(self, outcome_id: str) -> None:
        current = self.quotes.pop(outcome_id, None)
        if current is None or current.has_ended:
            return
        venue = self.market.venue
        try:
            cancel = (await self.ctx.client.cancel_execution(venue, current.execution_id, {})).data
            await self.ctx.client.submit_execution(venue, cancel.execution_id, await self.ctx.authorize(cancel))
        except ApiError as error:
            self.tolerate(error)

    def tolerate(self, error: ApiError) -> None:
        if error.code not in EXPECTED:
            raise error
        self.ctx.log(str(error), market=self.market.market_id, code=error.code)
