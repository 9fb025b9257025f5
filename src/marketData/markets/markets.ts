// The market-data service: the ports plus what is cached between reads. One per process.
import type { Plans } from '#platform/plans/plans'
import { BookReads } from './bookReads.ts'
import { CrossBooks } from './crossVenue/crossBooks.ts'
import { createExchanges, type Exchange } from './exchange.ts'
import { TapeFacts } from './historyEnrichment.ts'
import { MarketFacts } from './marketFacts.ts'
import type { MarketsPorts } from './ports.ts'

export interface Markets extends MarketsPorts {
  /** Throws Fault EXCHANGE_NOT_AVAILABLE. */
  exchangeOf(name: string): Exchange
  bookReads: BookReads
  crossBooks: CrossBooks
  tapeFacts: TapeFacts
}

/** Dependencies of this feature's routes. */
export interface MarketsDeps {
  markets: Markets
  plans: Plans
}

export function createMarkets(ports: MarketsPorts): Markets {
  const facts = new MarketFacts(ports)
  const bookReads = new BookReads(ports, facts)
  return {
    ...ports,
    exchangeOf: createExchanges(ports.venues),
    bookReads,
    crossBooks: new CrossBooks(ports, bookReads),
    tapeFacts: new TapeFacts(ports),
  }
}
