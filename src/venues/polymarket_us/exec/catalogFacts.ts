// What this lane reads off the catalog, and so what the data half must write there. Anything missing or at odds refuses the order.
//
//   market.marketId                         the bare slug
//   outcome.outcomeId                       `{slug}:long` (YES, the side whose `long` is true) or `{slug}:short`
//   market.tickSize                         orderPriceMinTickSize
//   market.sourceMetadata.minimumTradeQty   number or decimal string: the smallest quantity, and its step where below 1
//   market.sourceMetadata.feeCoefficient    number or decimal string, or absent when the venue does not tell
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { ResolvedOutcome } from '../../lane.ts'

export const Slug = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'must be a market slug')

const DecimalText = z
  .union([z.number().nonnegative(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,9}(\.\d{1,9})?$/))

const Metadata = z.object({ minimumTradeQty: DecimalText, feeCoefficient: DecimalText.nullish() })
const TickSize = z
  .number()
  .positive()
  .max(0.1)
  .transform(String)
  .pipe(z.string().regex(/^0\.\d{1,6}$/))

export interface CatalogFacts {
  slug: string
  outcomeId: string
  side: 'YES' | 'NO'
  /** Decimal strings. */
  tick: string
  minimumQuantity: string
  feeCoefficient: string | null
}

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  if (market.status !== 'active') {
    throw new Fault('VALIDATION_ERROR', `marketId: this market is ${market.status} and takes no orders`)
  }
  const slug = Slug.safeParse(market.marketId)
  const metadata = Metadata.safeParse(market.sourceMetadata)
  const tick = TickSize.safeParse(market.tickSize)
  for (const part of [slug, metadata, tick]) {
    if (!part.success) throw incomplete(market.marketId, z.prettifyError(part.error))
  }
  if (!slug.success || !metadata.success || !tick.success) throw incomplete(market.marketId, 'unreadable')
  const expected = `${slug.data}:${side === 'YES' ? 'long' : 'short'}`
  if (outcome.outcomeId !== expected) {
    throw incomplete(market.marketId, `outcome ${outcome.outcomeId} stands where ${expected} belongs`)
  }
  return {
    slug: slug.data,
    outcomeId: outcome.outcomeId,
    side,
    tick: tick.data,
    minimumQuantity: metadata.data.minimumTradeQty,
    feeCoefficient: metadata.data.feeCoefficient ?? null,
  }
}

const incomplete = (marketId: string, detail: string): Fault =>
  new Fault('CATALOG_UNAVAILABLE', 'the catalog does not know enough of this market to build an order', {
    exchange: 'polymarket_us',
    detail: `${marketId}: ${detail}`,
  })
