// What a build must know of a market; all of it is in the catalog: its ids, and the token in the outcome's id.
import type { LaneContext } from '../../lane.ts'
import { checkTakesOrders, incomplete } from '../../shared/exec/catalogFacts.ts'
import { Uint } from '../../shared/exec/typedOrder.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { tokenOf } from '../ids.ts'
import type { OrderBody } from './body.ts'

export interface Facts {
  marketId: string
  outcomeId: string
  side: 'YES' | 'NO'
  tokenId: string
}

export async function gatherFacts({ catalog }: LaneContext, body: OrderBody): Promise<Facts> {
  const { market, outcome, side } = await resolveSelector(catalog, body)
  checkTakesOrders('outcome', market)
  const { outcomeId } = outcome
  const tokenId = Uint.safeParse(tokenOf(outcomeId))
  if (!tokenId.success) throw incomplete('xo', market.marketId, `outcome ${outcomeId} has no token of an exchange`)
  return { marketId: market.marketId, outcomeId, side, tokenId: tokenId.data }
}
