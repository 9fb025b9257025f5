// What this lane reads off the catalog, and so what the data half must write there. Anything missing or at odds refuses the order.
//
//   market.sourceMetadata.outcome           HIP-4 outcome number
//   market.sourceMetadata.quoteToken        `USDC`, as outcomeMeta names it
//   market.sourceMetadata.deployerFeeScale  decimal string, or absent when the venue does not tell
//   outcome.outcomeId                       the coin: `#` + 10 × outcome + side
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { ResolvedOutcome } from '../../lane.ts'
import { assetOf, coinOf, encodingOf, type Side } from './asset.ts'

const Metadata = z.object({
  outcome: z.number().int().min(0).max(9_999_999),
  quoteToken: z.string().regex(/^[A-Za-z0-9]{1,16}$/),
  deployerFeeScale: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,8})?$/)
    .nullish(),
})

export interface CatalogFacts {
  marketId: string
  outcomeId: string
  side: Side
  encoding: number
  asset: number
  quoteToken: string
  deployerFeeScale: string | null
}

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  if (market.status !== 'active') {
    throw new Fault('VALIDATION_ERROR', `outcome: this market is ${market.status} and takes no orders`)
  }
  const metadata = Metadata.safeParse(market.sourceMetadata)
  if (!metadata.success) throw incomplete(market.marketId, z.prettifyError(metadata.error))
  const encoding = encodingOf(metadata.data.outcome, side)
  if (outcome.outcomeId !== coinOf(encoding)) {
    throw incomplete(market.marketId, `outcome ${outcome.outcomeId} is not side ${side} of ${metadata.data.outcome}`)
  }
  return {
    marketId: market.marketId,
    outcomeId: outcome.outcomeId,
    side,
    encoding,
    asset: assetOf(encoding),
    quoteToken: metadata.data.quoteToken,
    deployerFeeScale: metadata.data.deployerFeeScale ?? null,
  }
}

const incomplete = (marketId: string, detail: string): Fault =>
  new Fault('CATALOG_UNAVAILABLE', 'the catalog does not know enough of this market to build an order', {
    exchange: 'hyperliquid',
    detail: `${marketId}: ${detail}`,
  })
