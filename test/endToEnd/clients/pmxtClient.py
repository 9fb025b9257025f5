"""Everything a user of the pip client does first, against the address and key of the environment. Prints one JSON object."""

import json
import os

import pmxt
from pmxt.errors import PmxtError

at = {"base_url": os.environ["CROSSBOOK_URL"], "pmxt_api_key": os.environ["KEY"], "auto_start_server": False}
results = {}


def book_of(book):
    return {"bid": book.bids[0].price, "ask": book.asks[0].price, "levels": len(book.bids), "timestamp": book.timestamp}


def code_of(call):
    try:
        call()
    except PmxtError as error:
        return [type(error).__name__, getattr(error, "code", None)]
    return None


def venue(name, client, unknown):
    markets = client.fetch_markets(limit=5, sort="volume")
    market = client.fetch_market(market_id=markets[0].market_id)
    yes, no = market.yes.outcome_id, market.no.outcome_id
    watched = [book_of(client.watch_order_book(yes, limit=2)) for _ in range(2)]
    results[name] = {
        "markets": len(markets),
        "events": [[event.id, len(event.markets)] for event in client.fetch_events(limit=3)],
        "sameMarket": market.market_id == markets[0].market_id,
        "yes": book_of(client.fetch_order_book(yes)),
        "no": book_of(client.fetch_order_book(no)),
        "books": sorted(client.fetch_order_books([yes, no])) == sorted([yes, no]),
        "trades": len(client.fetch_trades(yes, limit=10)),
        "candles": len(client.fetch_ohlcv(yes, resolution="1h", limit=12)),
        "has": client.has["fetchOrderBook"],
        "watched": watched,
        "watchedMany": sorted(client.watch_order_books([yes, no])),
        "unknown": code_of(lambda: client.fetch_order_book(unknown)),
        "unknownWatched": code_of(lambda: client.watch_order_book(unknown)),
    }


def router():
    client = pmxt.Router(**at)
    market = client.fetch_markets(query="bitcoin above 110", limit=1)[0]
    matches = client.fetch_market_matches(market)
    arbitrage = client.fetch_arbitrage(limit=5, min_spread=-1)
    results["router"] = {
        "matches": [[match.relation, match.market.source_exchange != market.source_exchange] for match in matches],
        "prices": [[row.venue, row.best_bid, row.best_ask] for row in client.compare_market_prices(market)],
        "hedges": sorted({row.relation for row in client.fetch_hedges(market)}),
        "events": [len(row.market_matches) for row in client.fetch_event_matches(event_id=market.event_id)],
        "arbitrage": [
            {
                "titles": [row.market_a.title, row.market_b.title],
                "venues": [row.buy_venue, row.sell_venue],
                "of": [row.market_a.source_exchange, row.market_b.source_exchange],
                "spread": row.spread,
                "prices": [row.buy_price, row.sell_price],
                "confidence": row.confidence,
            }
            for row in arbitrage
        ],
        "merged": len(client.fetch_order_book(f"{market.source_exchange}:{market.yes.outcome_id}").bids),
    }


venue("polymarket", pmxt.Polymarket(**at), "1" * 77)
venue("kalshi", pmxt.Kalshi(**at), "KXNOSUCH-99JAN01-T1")
router()
print(json.dumps(results))
