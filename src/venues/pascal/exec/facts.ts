// What a build must know: the deployment that a permit is signed for, and the market. The data half writes into the catalog for it:
//
//   market.marketId    the symbol, as the permit signs it
//   market.outcomes    YES and NO over the symbol's one book: buying NO at p is selling YES at 1 − p
//   market.tickSize    the venue's `tick_size_min`
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { resolveSelector } from '../../shared/selector.ts'
import { idsOf, isSymbol } from '../ids.ts'
import type { OrderBody } from './body.ts'

export interface Facts {
  symbol: string
  outcomeId: string
  side: 'YES' | 'NO'
  /** Decimal string. */
  tick: string
  deploymentId: number
}

export const gatherFacts = async ({ catalog, urls }: LaneContext, body: OrderBody): Promise<Facts> => ({
  ...readCatalogFacts(await resolveSelector(catalog, body)),
  deploymentId: deploymentOf(urls.TRADE ?? ''),
})

/** Signed with every permit. Only the canary's own host is the canary. */
export const deploymentOf = (url: string): number =>
  URL.canParse(url) && new URL(url).hostname === 'trade.canary.pascal.trade' ? 2 : 3

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): Omit<Facts, 'deploymentId'> {
  const { marketId: symbol } = market
  checkTakesOrders('outcome', market)
  const tick = readFact('pascal', market, TickSize, market.tickSize)
  const { outcomeId } = outcome
  if (!isSymbol(symbol) || idsOf(symbol)[side === 'YES' ? 0 : 1] !== outcomeId) {
    throw incomplete('pascal', symbol, `outcome ${outcomeId} is not its ${side}`)
  }
  return { symbol, outcomeId, side, tick }
}
