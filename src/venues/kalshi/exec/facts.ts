// What a build must know of a market; all of it is in the catalog.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneContext } from '../../lane.ts'
import { checkTakesOrders } from '../../shared/exec/catalogFacts.ts'
import type { FeeSchedule } from '../fees.ts'
import type { OrderBody } from './body.ts'

const Metadata = z.object({
  marketType: z.literal('binary').default('binary'),
  fees: z
    .object({ feeType: z.string(), multiplier: z.number(), takerRate: z.number(), makerRate: z.number().nullable() })
    .nullish()
    .catch(null),
})

export interface Facts {
  /** Also the market id. */
  ticker: string
  outcomeId: string
  side: 'YES' | 'NO'
  fees: FeeSchedule | null
}

export async function gatherFacts({ catalog }: LaneContext, body: OrderBody): Promise<Facts> {
  const { asset, outcome, outcomeSide } = body
  const resolved = await (outcome !== undefined && outcomeSide !== undefined
    ? catalog.side(outcome, outcomeSide)
    : catalog.outcome((asset ?? outcome)!))
  const { market, side } = resolved
  checkTakesOrders('outcome', market)
  const metadata = Metadata.safeParse(market.sourceMetadata)
  if (!metadata.success || market.outcomes.length !== 2) {
    throw new Fault('VALIDATION_ERROR', 'outcome: only binary markets can be ordered')
  }
  return { ticker: market.marketId, outcomeId: resolved.outcome.outcomeId, side, fees: metadata.data.fees ?? null }
}
