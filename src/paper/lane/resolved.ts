// The payouts of a market that a paper account redeems, from the catalog.
import { readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import type { PaperTrading } from '../accounts/ports.ts'

/** Throws PAPER_MARKET_CLOSED while the market is not resolved, or its payouts are unknown. */
export async function resolvedValues(
  { store, findMarket }: PaperTrading,
  accountId: string,
  venue: string,
  executionId: string,
): Promise<{ marketId: string; values: Map<string, string> }> {
  const marketId = (await store.findRedemption(accountId, executionId))?.marketId ?? null
  const market = marketId === null ? null : await findMarket(venue, marketId)
  const values = market === null ? null : payoutsOf(market)
  if (marketId === null || values === null) {
    throw new Fault('PAPER_MARKET_CLOSED', 'this market is not known to be resolved: there is nothing to redeem yet', {
      exchange: venue,
    })
  }
  return { marketId, values }
}

/** Payout of one share by outcome, as the portfolio counts it; null: not resolved, or no payout is known. */
export function payoutsOf({ status, outcomes }: Pick<Market, 'status' | 'outcomes'>): Map<string, string> | null {
  if (status !== 'resolved') return null
  const values = new Map<string, string>()
  for (const { outcomeId, price } of outcomes) {
    const value = price === null ? null : readDecimal(price)
    if (value !== null) values.set(outcomeId, value)
  }
  return values.size === 0 ? null : values
}
