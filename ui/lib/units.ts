// Amounts of markets with their units: venues count in dollars, in contracts or in their own currency.
import type { Market } from '#schemas/market'
import { format, unknown } from './format.ts'

type Counted = Pick<Market, 'sourceExchange' | 'sourceMetadata'>

/** 12.3K contracts, $12.3K, 12.3K USDC; without a unit if the market does not state one. */
export function compactIn(unit: unknown, value: number | null | undefined): string {
  const amount = format.compact(value)
  if (amount === unknown || typeof unit !== 'string') return amount
  if (unit === 'USD') return `$${amount}`
  return `${amount} ${unit === 'CONTRACTS' || unit === 'COLLATERAL' ? unit.toLowerCase() : unit}`
}

export const volumeOf = ({ volume24h, sourceMetadata }: Counted & Pick<Market, 'volume24h'>): string =>
  compactIn(sourceMetadata.volumeUnit, volume24h)

/** Venues whose open interest is counted in contracts, whatever the volume is counted in. */
const inContracts: readonly string[] = ['kalshi', 'kalshi-demo', 'pascal']

export const openInterestOf = (market: Counted & Pick<Market, 'openInterest'>): string =>
  compactIn(
    inContracts.includes(market.sourceExchange) ? 'CONTRACTS' : market.sourceMetadata.volumeUnit,
    market.openInterest,
  )
