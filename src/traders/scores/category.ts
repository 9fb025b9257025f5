// What kind of trader a wallet is, by verifiable rules. Pure.
import type { WalletCategory } from '#schemas/traders'
import { settledMin } from './walletScoreV1.ts'

export interface WalletHabits {
  /** Null: too few settled markets. */
  score: number | null
  trades: number
  /** UTC days with a trade. */
  activeDays: number
  /** First trade to last, ms. */
  spanMs: number
  settled: number
  /** All its trades, USD; null: unknown for some trade. */
  volumeUsd: number | null
}

const dayMs = 86_400_000
export const botTradesMin = 200
export const botTradesPerDay = 100
export const smartScoreMin = 70
export const whaleTradeUsd = 5_000
export const whaleVolumeUsd = 1_000_000
export const freshMs = 14 * dayMs
export const retailScoreMax = 40

/** The first matching rule, in the order of the docs page; null: none. */
export function categoryOf({
  score,
  trades,
  activeDays,
  spanMs,
  settled,
  volumeUsd,
}: WalletHabits): WalletCategory | null {
  if (trades >= botTradesMin && trades >= botTradesPerDay * activeDays) return 'bot'
  if (score !== null && score >= smartScoreMin) return 'smart'
  if (volumeUsd !== null && (volumeUsd >= whaleVolumeUsd || volumeUsd >= whaleTradeUsd * trades)) return 'whale'
  if (settled < settledMin && spanMs < freshMs) return 'fresh'
  if (score !== null && score < retailScoreMax) return 'fish'
  return null
}
