// What a build must know is all in the catalog: no read answers without a key, and build takes none. The data half writes there:
//
//   market.tickSize                        0.001, or null when not published
//   market.sourceMetadata.tokenIds         of index set 1 and 2: YES and NO
//   market.sourceMetadata.negRisk, isYieldBearing, conditionId
//   market.sourceMetadata.fees.taker       the market's rate, which an order states as its maximum
import { z } from 'zod'
import { multiplyDecimals } from '#core/decimal'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { type Hex, Uint } from '../../shared/exec/typedOrder.ts'
import { resolveSelector } from '../../shared/selector.ts'
import type { OrderBody } from './body.ts'
import type { MarketKind } from './typedData.ts'

export interface CatalogFacts extends MarketKind {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  tokenId: string
  conditionId: Hex
}

export interface Facts extends CatalogFacts {
  /** Decimal string; null: not reported. */
  tick: string | null
  feeRateBps: string
}

const Metadata = z.object({
  tokenIds: z.tuple([Uint, Uint]),
  negRisk: z.boolean(),
  isYieldBearing: z.boolean(),
  conditionId: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/)
    .transform((text): Hex => `0x${text.slice(-64)}`),
})
const Fees = z.object({ fees: z.object({ taker: z.string().regex(/^0(\.\d{1,4})?$/) }) })

export async function gatherFacts({ catalog }: LaneContext, body: OrderBody): Promise<Facts> {
  const resolved = await resolveSelector(catalog, body)
  const { market } = resolved
  checkTakesOrders('outcome', market)
  const { fees } = readFact('predictfun', market, Fees, market.sourceMetadata)
  return {
    ...readCatalogFacts(resolved),
    tick: market.tickSize === null ? null : readFact('predictfun', market, TickSize, market.tickSize),
    feeRateBps: multiplyDecimals(fees.taker, '10000'),
  }
}

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): CatalogFacts {
  const { tokenIds, ...facts } = readFact('predictfun', market, Metadata, market.sourceMetadata)
  const tokenId = tokenIds[side === 'YES' ? 0 : 1]
  return { marketId: market.marketId, outcomeId: outcome.outcomeId, side, tokenId, ...facts }
}
