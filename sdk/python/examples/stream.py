"""Books and the arbitrage surface, live: `CROSSBOOK_URL=… CROSSBOOK_KEY=… python stream.py`. Ends after ten books and one surface."""

import asyncio
import os

from crossbook import AsyncCrossbook
from crossbook.models import ArbitrageFrame, BookFrame
from crossbook.stream import Disconnected, Dropped, Gap, Reconnected, Stale


async def main() -> None:
    async with AsyncCrossbook(os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"]) as client:
        found = (await client.fetch_markets("kalshi", limit=5, sort="volume")).data
        async with client.stream() as stream:
            await stream.subscribe_books("kalshi", [market.outcomes[0].outcome_id for market in found], depth=5)
            await stream.subscribe_arbitrage()
            books = 0
            async for event in stream:
                if isinstance(event, BookFrame):
                    books += 1
                    best = event.data.bids[0].price if event.data.bids else None
                    print("book", event.market_id, event.sequence, "best bid", best)
                elif isinstance(event, ArbitrageFrame):
                    print("surface", stream.arbitrage.seq, len(stream.arbitrage.rows), "rows, stale:", stream.arbitrage.stale)
                elif isinstance(event, (Stale, Gap, Disconnected, Reconnected, Dropped)):
                    print(event)
                if books >= 10 and not stream.arbitrage.stale:
                    break


asyncio.run(main())
