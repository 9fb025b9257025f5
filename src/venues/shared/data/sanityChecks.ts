// Plausible ranges for a venue's numbers. A price is a probability, a size is above zero, and a trade is not in the future: a number out of
// range is null, and a row that needs it is dropped.
import type { NativeLeader, TraderHolder, TraderTrade, WalletStats } from '#schemas/traders'

/** Maximum that venue and chain clocks run ahead of ours. */
export const aheadMs = 60_000
/** No venue traded earlier; also catches seconds mistaken for milliseconds. */
const earliestMs = Date.parse('2015-01-01T00:00:00Z')
/** No market has this many shares, and the record could not count them. */
const sharesMax = 9_000_000_000
/** More than any account has traded anywhere. */
const usdMax = 1e13

/** Null passes: not reported. */
type Figure = number | null

export const isMoment = (ms: number, now: number): boolean =>
  Number.isInteger(ms) && ms >= earliestMs && ms <= now + aheadMs
export const isPrice = (price: number): boolean => price >= 0 && price <= 1
/** A resting order's price lies strictly between. */
export const isLimitPrice = (price: number): boolean => price > 0 && price < 1
/** For a trade: size zero is no trade. */
export const isTraded = (shares: number): boolean => shares > 0 && shares <= sharesMax
const isHeld = (shares: number): boolean => shares >= 0 && shares <= sharesMax
const isDollars = (usd: number): boolean => usd >= 0 && usd <= usdMax
const isResult = (usd: number): boolean => Math.abs(usd) <= usdMax

const only = (is: (value: number) => boolean, value: Figure): Figure => (value !== null && is(value) ? value : null)

/** Null when its time is impossible for a trade. */
export function isSaneTrade<T extends TraderTrade>(row: T, now: number): T | null {
  if (!isMoment(row.ts, now)) return null
  const [price, amount] = [only(isPrice, row.price), only(isTraded, row.amount)]
  // Values derived from an impossible one are dropped too.
  const isSound = price === row.price && amount === row.amount
  return { ...row, price, amount, usdSize: isSound ? only(isDollars, row.usdSize) : null }
}

export const possibleHolder = (row: TraderHolder): TraderHolder | null =>
  isHeld(row.shares) ? { ...row, usdValue: only(isDollars, row.usdValue) } : null

export const possibleLeader = (row: NativeLeader): NativeLeader => ({
  ...row,
  profitUsd: only(isResult, row.profitUsd),
  volumeUsd: only(isDollars, row.volumeUsd),
})

export function possibleStats(stats: WalletStats, now: number): WalletStats {
  const moment = (text: string | null): string | null =>
    text !== null && isMoment(Date.parse(text), now) ? text : null
  return {
    ...stats,
    walletAgeDays: only((days) => days >= 0, stats.walletAgeDays),
    marketsTraded: only((markets) => markets >= 0, stats.marketsTraded),
    totalVolumeUsd: only(isDollars, stats.totalVolumeUsd),
    realizedPnlUsd: only(isResult, stats.realizedPnlUsd),
    firstSeen: moment(stats.firstSeen),
    lastSeen: moment(stats.lastSeen),
    depositFirstAt: moment(stats.depositFirstAt),
  }
}
