// What a build must know of a market; all of it is in the catalog, so the data half must write there:
//
//   market                                    one contract of an event; its outcomes are YES and NO of the same instrument
//   market.sourceMetadata.instrumentSymbol    the venue's own, never rebuilt from tickers
//   market.tickSize                           its price step
//   market.sourceMetadata.priceMinimum, quantityIncrement, quantityMinimum    its own limits, if it states any
import { z } from 'zod'
import { readDecimal } from '#core/decimal'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { InstrumentSymbol } from './artifact.ts'
import type { OrderBody } from './body.ts'

export interface Facts {
  marketId: string
  outcomeId: string
  symbol: string
  side: 'YES' | 'NO'
  /** Decimal strings. */
  tick: string
  priceMinimum: string
  quantityStep: string
  quantityMinimum: string
}

export const gatherFacts = async ({ catalog }: LaneContext, body: OrderBody): Promise<Facts> =>
  readCatalogFacts(await resolveSelector(catalog, body))

const Limit = z.string().refine((text) => readDecimal(text) !== null)
const Metadata = z.object({
  instrumentSymbol: InstrumentSymbol,
  priceMinimum: Limit.optional(),
  quantityIncrement: Limit.optional(),
  quantityMinimum: Limit.optional(),
})

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): Facts {
  const { marketId, outcomes } = market
  checkTakesOrders('outcome', market)
  const { instrumentSymbol, ...limits } = readFact('gemini', market, Metadata, market.sourceMetadata)
  const tick = readFact('gemini', market, TickSize, market.tickSize)
  if (outcomes.length !== 2) {
    throw incomplete('gemini', marketId, `${outcomes.length} outcomes where a contract has YES and NO`)
  }
  return {
    marketId,
    outcomeId: outcome.outcomeId,
    symbol: instrumentSymbol,
    side,
    tick,
    priceMinimum: limits.priceMinimum ?? '0.01',
    quantityStep: limits.quantityIncrement ?? '1',
    quantityMinimum: limits.quantityMinimum ?? limits.quantityIncrement ?? '1',
  }
}
