// Best prices of a market's Yes: from the live book if this process has it, otherwise as the catalog last knew them.
import type { Market } from '#schemas/market'
import { outcomeOf } from '../outcomes.ts'
import type { LiveBooks, MarketsPorts } from '../ports.ts'

export interface TopOfBook {
  /** Probability; null: no bids, or unknown. */
  bestBid: number | null
  bestAsk: number | null
}

export const emptyPrices: TopOfBook = { bestBid: null, bestAsk: null }

/** `isNamed`: the caller named this market, or a market that it matches; its next read is then live. */
export function topOfBook({ books, venues }: MarketsPorts, market: Market, isNamed: boolean): TopOfBook {
  const outcome = outcomeOf(market, 'yes')
  if (outcome === null) return emptyPrices
  const { sourceExchange: venue, marketId } = market
  const ref = venues.get(venue)?.data.bookRef(outcome.outcomeId, marketId) ?? null
  const update = ref === null ? undefined : books.get(venue, ref.bookId)
  if (isNamed && ref !== null && update === undefined) books.want?.(venue, ref.bookId)
  if (ref === null || update?.state !== 'live')
    return { bestBid: outcome.bestBid ?? null, bestAsk: outcome.bestAsk ?? null }
  return topOfCore(books, ref.complement ? books.complement(update.core) : update.core)
}

function topOfCore(books: LiveBooks, core: Buffer): TopOfBook {
  const { bids, asks } = JSON.parse(`${books.limit(core, 1).toString('latin1')}}`) as {
    bids: { price: number }[]
    asks: { price: number }[]
  }
  return { bestBid: bids[0]?.price ?? null, bestAsk: asks[0]?.price ?? null }
}
