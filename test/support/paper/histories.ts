// The market of a random history of a paper account.
import type { Market } from '#schemas/market'
import { binaryMarket } from '#test/support/laneWorld'

export function market(
  { yes, no }: { yes: string; no: string },
  status: Market['status'],
  prices: Readonly<Record<string, number>>,
): Market {
  const [row] = binaryMarket('kalshi', yes, [yes, no], { status, sourceMetadata: { collateral: 'USD' } })
  const outcomes = row!.market.outcomes.map((outcome) => ({ ...outcome, price: prices[outcome.outcomeId] ?? null }))
  return { ...row!.market, outcomes }
}
