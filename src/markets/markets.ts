// The market-data service: the ports plus what is remembered between reads. One per process.
import { BookReads } from './bookReads.ts'
import { createExchanges, type Exchange } from './exchange.ts'
import { MarketFacts } from './marketFacts.ts'
import type { MarketsPorts } from './ports.ts'
import { TapeFacts } from './tapeFacts.ts'

export interface Markets extends MarketsPorts {
  /** Throws Fault EXCHANGE_NOT_AVAILABLE. */
  exchangeOf(name: string): Exchange
  bookReads: BookReads
  tapeFacts: TapeFacts
}

/** What routes of this feature ask for. */
export interface MarketsDeps {
  markets: Markets
}

export function createMarkets(ports: MarketsPorts): Markets {
  const facts = new MarketFacts(ports)
  return {
    ...ports,
    exchangeOf: createExchanges(ports.venues),
    bookReads: new BookReads(ports, facts),
    tapeFacts: new TapeFacts(ports),
  }
}
