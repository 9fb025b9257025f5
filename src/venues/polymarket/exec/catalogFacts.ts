// What this lane reads off the catalog. Anything missing refuses the order: an order signed for the wrong exchange is money at risk.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { ResolvedOutcome } from '../../lane.ts'

const Metadata = z.object({ conditionId: z.string().regex(/^0x[0-9a-fA-F]{64}$/), negRisk: z.boolean() })

export interface CatalogFacts {
  marketId: string
  /** Also the catalog's outcome id. */
  tokenId: string
  side: 'YES' | 'NO'
  conditionId: `0x${string}`
  negRisk: boolean
}

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  const metadata = Metadata.safeParse(market.sourceMetadata)
  if (!metadata.success) throw incomplete(market.marketId, z.prettifyError(metadata.error))
  if (!/^\d{1,78}$/.test(outcome.outcomeId)) throw incomplete(market.marketId, 'the outcome id is no token id')
  const { conditionId, negRisk } = metadata.data
  const { marketId } = market
  return { marketId, tokenId: outcome.outcomeId, side, conditionId: conditionId as `0x${string}`, negRisk }
}

export const incomplete = (marketId: string, detail: string): Fault =>
  new Fault('CATALOG_UNAVAILABLE', 'the catalog does not know enough of this market to build for it', {
    exchange: 'polymarket',
    detail: `${marketId}: ${detail}`,
  })
