// What this lane reads off the catalog, and so what the data half must write there. Anything missing or at odds refuses the order.
//
//   market                                    one contract of an event; its outcomes are YES and NO of the same instrument
//   market.sourceMetadata.instrumentSymbol    the venue's own, never rebuilt from tickers
//   market.tickSize                           0.01
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { ResolvedOutcome } from '../../lane.ts'
import { symbolForm } from '../symbol.ts'

export const InstrumentSymbol = z.string().regex(symbolForm)
const Metadata = z.object({ instrumentSymbol: InstrumentSymbol })
const TickSize = z
  .number()
  .positive()
  .max(0.1)
  .transform(String)
  .pipe(z.string().regex(/^0\.\d{1,6}$/))

export interface CatalogFacts {
  marketId: string
  outcomeId: string
  symbol: string
  side: 'YES' | 'NO'
  /** Decimal string. */
  tick: string
}

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  if (market.status !== 'active') {
    throw new Fault('VALIDATION_ERROR', `outcome: this market is ${market.status} and takes no orders`)
  }
  const metadata = Metadata.safeParse(market.sourceMetadata)
  if (!metadata.success) throw incomplete(market.marketId, z.prettifyError(metadata.error))
  const tick = TickSize.safeParse(market.tickSize)
  if (!tick.success) throw incomplete(market.marketId, z.prettifyError(tick.error))
  if (market.outcomes.length !== 2) {
    throw incomplete(market.marketId, `${market.outcomes.length} outcomes where a contract has YES and NO`)
  }
  return {
    marketId: market.marketId,
    outcomeId: outcome.outcomeId,
    symbol: metadata.data.instrumentSymbol,
    side,
    tick: tick.data,
  }
}

const incomplete = (marketId: string, detail: string): Fault =>
  new Fault('CATALOG_UNAVAILABLE', 'the catalog does not know enough of this market to build an order', {
    exchange: 'gemini',
    detail: `${marketId}: ${detail}`,
  })
