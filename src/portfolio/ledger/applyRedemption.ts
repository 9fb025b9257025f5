// Redemptions. The payout of a share is that of the market's settlement, also if the settlement comes later.
//
// Cash for several outcomes is divided in proportion to their payouts. If a payout is unknown, so is each outcome's
// part. Cash for shares that are not held belongs to no position.
import type { AccountBook } from './accountBook.ts'
import { type Amount, minus, parseAmountOrNull, plus, smaller, splitByWeights, worth } from './amounts.ts'
import type { RedemptionEntry } from './entry.ts'
import type { Position } from './position.ts'

interface Redeemed {
  position: Position
  shares: bigint
  payout: Amount
}

export function applyRedemption(book: AccountBook, entry: RedemptionEntry): void {
  const fee = parseAmountOrNull(entry.fee)
  const given = parseAmountOrNull(entry.cash)
  const redeemed = redeemedShares(book, entry)
  const payouts = redeemed.map(({ payout }) => payout)
  const total = given ?? (isUnknownOutcome(entry, redeemed) ? null : payouts.reduce(plus, 0n))

  book.redemptions.set(entry.id, {
    size: redeemed.reduce((sum, { shares }) => sum + shares, 0n),
    cash: total,
  })
  const balance = book.balance(entry)
  balance.receive(minus(total, fee ?? 0n))
  balance.countFee(fee)
  if (redeemed.length === 0) {
    if (total !== 0n || (fee ?? 0n) !== 0n) balance.leaveUnattributed()
    return
  }

  const known = payouts.filter((payout) => payout !== null)
  const weights = known.length === payouts.length ? known : payouts.map(() => 0n)
  const fees = fee === null ? null : splitByWeights(fee, weights)
  const cash = given === null ? payouts : dividedCash(given, known, payouts.length)
  redeemed.forEach(({ position, shares }, i) => {
    const paid = cash[i]!
    const part = fees === null ? null : fees[i]!
    const change = { at: entry.at, shares: -shares, cash: minus(paid, part ?? 0n), fee: part }
    book.move(position, entry.currency, change, { redeemed: paid })
  })
}

/** Shares of some outcome were redeemed, and none is held. */
const isUnknownOutcome = ({ size }: RedemptionEntry, redeemed: readonly Redeemed[]): boolean =>
  redeemed.length === 0 && (parseAmountOrNull(size) ?? 0n) > 0n

function dividedCash(cash: bigint, known: readonly bigint[], count: number): readonly Amount[] {
  if (count === 1) return [cash]
  return known.length === count ? splitByWeights(cash, known) : Array.from({ length: count }, () => null)
}

/** One outcome may be redeemed beyond what is held: its purchase may be reported later. */
function redeemedShares(book: AccountBook, entry: RedemptionEntry): Redeemed[] {
  const { venue, marketId, outcomeId } = entry
  const size = parseAmountOrNull(entry.size)
  const positions =
    outcomeId === null ? book.positionsOf(venue, marketId) : [book.position({ venue, marketId, outcomeId })]
  return positions.flatMap((position) => {
    const held = position.quantity > 0n ? position.quantity : 0n
    const shares = size === null ? held : outcomeId === null ? smaller(size, held) : size
    const { payout } = position
    return shares === 0n ? [] : [{ position, shares, payout: payout === null ? null : worth(shares, payout) }]
  })
}
