// A market with two outcomes: their prices and names. One book serves both, or each has its own.
import { noPriceChanges, type Outcome } from '#schemas/market'
import type { BookRef } from '../../venue.ts'
import { complementOf, probabilityOf } from './parsers.ts'

/** Micros of the first outcome; null when unknown. */
export interface Quoted {
  price: number | null
  bid: number | null
  ask: number | null
  /** The second outcome's own price, if the venue gives one; otherwise the first one's complement. */
  otherPrice?: number | null
}

/** YES before NO, quoted from the single book. */
export function binaryOutcomes(
  marketId: string,
  [yes, no]: readonly [id: string, id: string],
  { price, bid, ask, otherPrice }: Quoted,
  [yesLabel, noLabel]: readonly [string, string] = ['Yes', 'No'],
): [Outcome, Outcome] {
  const unknown = { ...noPriceChanges, coverage: null }
  return [
    {
      outcomeId: yes,
      marketId,
      label: yesLabel,
      price: probabilityOf(price),
      bestBid: probabilityOf(bid),
      bestAsk: probabilityOf(ask),
      ...unknown,
    },
    {
      outcomeId: no,
      marketId,
      label: noLabel,
      price: otherPrice === undefined ? complementOf(price) : probabilityOf(otherPrice),
      bestBid: complementOf(ask),
      bestAsk: complementOf(bid),
      ...unknown,
    },
  ]
}

export interface SuffixedIds {
  /** YES before NO. */
  idsOf(marketId: string): [string, string]
  bookRef(outcomeId: string, marketId?: string): BookRef | null
}

/**
 * Outcomes named by the market and a suffix, over the market's single book. `marketId` decides when the caller has it. Otherwise only the form
 * is left: a market whose own name ends like a NO outcome then reads like the NO side of a market that the venue does not know.
 */
export function withOutcomeSuffix(
  { yes, no }: { yes: string; no: string },
  isMarketId: (text: string) => boolean,
): SuffixedIds {
  function bare(outcomeId: string, suffix: string): string | null {
    const marketId = outcomeId.slice(0, outcomeId.length - suffix.length)
    return outcomeId.endsWith(suffix) && isMarketId(marketId) ? marketId : null
  }
  return {
    idsOf: (marketId) => [marketId + yes, marketId + no],
    bookRef(outcomeId, marketId) {
      const [asNo, asYes] = [bare(outcomeId, no), bare(outcomeId, yes)]
      if (asNo === null && asYes === null) return null
      if (marketId !== undefined) {
        return isMarketId(marketId) ? { bookId: marketId, complement: outcomeId !== marketId + yes } : null
      }
      return asNo === null ? { bookId: asYes!, complement: false } : { bookId: asNo, complement: true }
    },
  }
}

/** Outcomes that each have a book under their own name. */
export const ownBook =
  (isOutcomeId: (text: string) => boolean) =>
  (outcomeId: string): BookRef | null =>
    isOutcomeId(outcomeId) ? { bookId: outcomeId, complement: false } : null
