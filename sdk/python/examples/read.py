"""Markets, a book and its trades: `CROSSBOOK_URL=… CROSSBOOK_KEY=… python read.py kalshi`."""

import os
import sys

from crossbook import ApiError, Crossbook

venue = sys.argv[1] if len(sys.argv) > 1 else "kalshi"

with Crossbook(os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"]) as client:
    [market] = client.fetch_markets(venue, limit=1, sort="volume").data
    outcome = market.outcomes[0]
    print(market.title, "-", outcome.label)

    book = client.fetch_order_book(venue, outcome_id=outcome.outcome_id).data
    print("bid", book.bids[0].price, "ask", book.asks[0].price)

    for trade in client.fetch_trades(venue, outcome_id=outcome.outcome_id, limit=3).data:
        print(trade.side, trade.amount, "at", trade.price)

    # Pages are requested as they are needed.
    seen = 0
    for _ in client.iter_fetch_markets(venue, limit=5):
        seen += 1
        if seen == 12:
            break
    print(seen, "markets")

    try:
        client.fetch_order_book(venue, outcome_id="no-such-outcome")
    except ApiError as error:
        print(error.status, error.code, error.retryable)
