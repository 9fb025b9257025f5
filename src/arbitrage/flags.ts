// Why a leg or a row is not executable: one bit per reason, and its public name.

/** Bits of one side. None set: the side is executable at the requested size. */
export const sideFlag = {
  unavailable: 1,
  stale: 2,
  synthetic: 4,
  dark: 8,
  empty: 16,
  thin: 32,
  /** Every level kept in shared memory was taken and the venue may hold more. */
  window: 64,
  feeUnknown: 128,
  /** Of the row, not the leg: the settlement cost is unknown. */
  settlementUnknown: 256,
} as const

const legWords: readonly [bit: number, word: string][] = [
  [sideFlag.unavailable, 'book_unavailable'],
  [sideFlag.stale, 'stale_book'],
  [sideFlag.synthetic, 'synthetic_book'],
  [sideFlag.dark, 'venue_dark'],
  [sideFlag.empty, 'no_offers'],
  [sideFlag.thin, 'insufficient_depth'],
  [sideFlag.window, 'deeper_than_kept_levels'],
  [sideFlag.feeUnknown, 'fee_unknown'],
]

export const executabilityReasons = (flags: number): string[] =>
  legWords.filter(([bit]) => (flags & bit) !== 0).map(([, word]) => word)

export const legExecutable = (flags: number): boolean => (flags & ~sideFlag.settlementUnknown) === 0

export function rowReasons(yesFlags: number, noFlags: number, verified: boolean, pricesDiffer: boolean): string[] {
  const reasons = [
    ...executabilityReasons(yesFlags).map((word) => `buyYes:${word}`),
    ...executabilityReasons(noFlags).map((word) => `buyNo:${word}`),
  ]
  if (((yesFlags | noFlags) & sideFlag.settlementUnknown) !== 0) reasons.push('settlement_fee_unknown')
  if (!verified) reasons.push('resolution_not_verified')
  if (pricesDiffer) reasons.push('prices_differ')
  return reasons
}

/** Both legs can be bought at the size now and the two markets are known to settle alike. Unrelated to profit, which is `label`. */
export const rowExecutable = (yesFlags: number, noFlags: number, verified: boolean): boolean =>
  (yesFlags | noFlags) === 0 && verified

export const arbitrageLabel = 'arbitrage'
export const indicativeLabel = 'indicative price discrepancy'
