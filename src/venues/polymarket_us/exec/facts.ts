// What a build must know of a market. The venue's own reads would require a key, so everything comes from the catalog, and the data half must
// write it there:
//
//   market.marketId                         the bare slug
//   outcome.outcomeId                       `{slug}:long` (YES, the side whose `long` is true) or `{slug}:short`
//   market.tickSize                         orderPriceMinTickSize
//   market.sourceMetadata.minimumTradeQty   number or decimal string: the smallest quantity, and its step where below 1
//   market.sourceMetadata.feeCoefficient    number or decimal string, or absent when the venue does not report it
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { Slug } from '../wire.ts'
import type { OrderBody } from './body.ts'

export interface Facts {
  slug: string
  outcomeId: string
  side: 'YES' | 'NO'
  /** Decimal strings. */
  tick: string
  minimumQuantity: string
  feeCoefficient: string | null
}

export async function gatherFacts({ catalog }: LaneContext, { marketId, outcomeId }: OrderBody): Promise<Facts> {
  const facts = readCatalogFacts(await catalog.outcome(outcomeId, marketId))
  if (facts.slug === marketId && facts.outcomeId === outcomeId) return facts
  throw new Fault('CATALOG_UNAVAILABLE', 'the catalog resolved another outcome than requested', {
    exchange: 'polymarket_us',
    detail: `${outcomeId} became ${facts.outcomeId}`,
  })
}

const DecimalText = z
  .union([z.number().nonnegative(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,9}(\.\d{1,9})?$/))
const Metadata = z.object({ minimumTradeQty: DecimalText, feeCoefficient: DecimalText.nullish() })

export function readCatalogFacts({ market, outcome: { outcomeId }, side }: ResolvedOutcome): Facts {
  checkTakesOrders('marketId', market)
  const slug = readFact('polymarket_us', market, Slug, market.marketId)
  const metadata = readFact('polymarket_us', market, Metadata, market.sourceMetadata)
  const tick = readFact('polymarket_us', market, TickSize, market.tickSize)
  const expected = `${slug}:${side === 'YES' ? 'long' : 'short'}`
  if (outcomeId !== expected) {
    throw incomplete('polymarket_us', slug, `outcome ${outcomeId} where ${expected} was expected`)
  }
  const { minimumTradeQty: minimumQuantity, feeCoefficient = null } = metadata
  return { slug, outcomeId, side, tick, minimumQuantity, feeCoefficient }
}
