// What a build must know of a market; all of it is in the catalog, so the data half must write there:
//
//   market.outcomes    two, each with the venue's own id; the book of each is of contracts that pay 1 CASH
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete } from '../../shared/exec/catalogFacts.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { isId } from '../ids.ts'
import type { OrderBody } from './body.ts'

export interface Facts {
  marketId: string
  outcomeId: string
  /** What a seller buys. */
  otherId: string
  side: 'YES' | 'NO'
}

export const gatherFacts = async ({ catalog }: LaneContext, body: OrderBody): Promise<Facts> =>
  readCatalogFacts(await resolveSelector(catalog, body))

export function readCatalogFacts({ market, outcome: { outcomeId }, side }: ResolvedOutcome): Facts {
  const { marketId, outcomes } = market
  checkTakesOrders('outcome', market)
  const [other, ...more] = outcomes.filter((each) => each.outcomeId !== outcomeId)
  if (other === undefined || more.length > 0) {
    throw incomplete('novig', marketId, `${outcomes.length} outcomes, where one is bought by selling the other`)
  }
  if (!isId(outcomeId) || !isId(other.outcomeId)) throw incomplete('novig', marketId, `outcome ${outcomeId}`)
  return { marketId, outcomeId, otherId: other.outcomeId, side }
}
