// One outcome's shares: quantity, cost by both methods, and their settlement.
//
//   open ──settlement, venue pays──▶ flat (a later fill is settled at once)
//     └───settlement, to be claimed─▶ unclaimed, at its payout ──redemption─▶ flat
import {
  type Amount,
  formatAmount,
  formatAmountOrNull,
  formatRatio,
  magnitude,
  minus,
  partOf,
  plus,
  smaller,
  worth,
} from './amounts.ts'
import { AverageCost, FifoLots } from './costMethod.ts'
import type { LedgerPosition } from './ledger.ts'

export type OutcomeKey = Pick<LedgerPosition, 'venue' | 'marketId' | 'outcomeId'>

/** `shares` come in above zero and leave below it. `cash` is after the fee: received above zero, paid below it. */
export interface Change {
  at: number
  shares: bigint
  cash: Amount
  fee: Amount
}

export class Position {
  quantity = 0n
  private readonly key: OutcomeKey
  private ownCurrency: string | null | undefined
  private readonly average = new AverageCost()
  private readonly fifo = new FifoLots()
  private fees: Amount = 0n
  private bought = 0n
  private sold = 0n
  private settlement: { value: bigint; paysItself: boolean } | null = null
  private expectedPayout: Amount = null
  private paid = 0n
  private openedAt: number | null = null
  private updatedAt: number | null = null

  constructor(key: OutcomeKey) {
    this.key = key
  }

  get venue(): string {
    return this.key.venue
  }

  get currency(): string | null {
    return this.ownCurrency ?? null
  }

  /** At average cost. */
  get realized(): Amount {
    return this.average.realized
  }

  get outcomeId(): string {
    return this.key.outcomeId
  }

  /** Payout of a share; before the settlement that of the first one to come. Null: not resolved. */
  get payout(): Amount {
    return this.settlement?.value ?? this.expectedPayout
  }

  /** How many of the `shares` are held, and their average cost. */
  heldOf(shares: bigint): { held: bigint; cost: Amount } {
    const { costBasis } = this.average
    const held = this.quantity > 0n ? smaller(shares, this.quantity) : 0n
    return { held, cost: held === 0n ? 0n : costBasis === null ? null : partOf(costBasis, held, this.quantity) }
  }

  expectPayout(value: bigint): void {
    this.expectedPayout ??= value
  }

  /** Whether amounts in the currency count here. The first entry decides. */
  accepts(currency: string | null): boolean {
    if (this.ownCurrency === undefined) this.ownCurrency = currency
    return this.ownCurrency === currency
  }

  trade(change: Change): void {
    if (change.shares > 0n) this.bought += change.shares
    else this.sold -= change.shares
    this.fees = plus(this.fees, change.fee)
    this.change(change)
  }

  /** Acquired elsewhere: no trade. */
  deposit(change: Change): void {
    this.change(change)
  }

  /** `cash` of the change is after the fee, `paid` before it. */
  redeem(change: Change, paid: Amount): void {
    this.paid += paid ?? 0n
    this.fees = plus(this.fees, change.fee)
    this.change(change)
  }

  resolve(value: bigint, paysItself: boolean): void {
    this.settlement = { value, paysItself }
  }

  /**
   * Realises the payout of the open shares of a resolved market, and returns the cash that the venue pays for them
   * without a claim.
   */
  settle(at: number): bigint {
    if (this.settlement === null || this.quantity === 0n) return 0n
    const payout = worth(this.quantity, this.settlement.value)
    if (this.settlement.paysItself) {
      this.paid += payout
      this.change({ at, shares: -this.quantity, cash: payout, fee: 0n })
      return payout
    }
    for (const method of [this.average, this.fifo]) method.revalue(magnitude(this.quantity), payout)
    this.updatedAt = at
    return 0n
  }

  /** Null: nothing ever came in or left. */
  report(): LedgerPosition | null {
    if (this.updatedAt === null) return null
    const { costBasis } = this.average
    return {
      ...this.key,
      currency: this.currency,
      quantity: formatAmount(this.quantity),
      costBasis: formatAmountOrNull(costBasis),
      averageCost: this.quantity === 0n || costBasis === null ? null : formatRatio(costBasis, this.quantity),
      costBasisFifo: formatAmountOrNull(this.fifo.costBasis),
      realizedPnl: formatAmountOrNull(this.realized),
      realizedPnlFifo: formatAmountOrNull(this.fifo.realized),
      fees: formatAmountOrNull(this.fees),
      bought: formatAmount(this.bought),
      sold: formatAmount(this.sold),
      settlement:
        this.settlement === null
          ? null
          : {
              value: formatAmount(this.settlement.value),
              unclaimed: formatAmount(this.quantity),
              paid: formatAmount(this.paid),
            },
      openedAt: this.openedAt,
      updatedAt: this.updatedAt,
    }
  }

  /**
   * Closes what is open in the other direction, then opens with the rest. Cash is divided in proportion to the shares.
   */
  private change({ at, shares, cash }: Change): void {
    const before = this.quantity
    const moved = magnitude(shares)
    const closed = before !== 0n && shares < 0n !== before < 0n ? smaller(moved, magnitude(before)) : 0n
    const closingCash = cash === null ? null : closed === moved ? cash : partOf(cash, closed, moved)
    for (const method of [this.average, this.fifo]) {
      if (closed > 0n) method.close(closed, magnitude(before), closingCash)
      // A fee in shares may take all that was bought.
      else if (moved === 0n) method.realize(cash)
      if (moved > closed) method.open(moved - closed, minus(closingCash, cash))
    }
    this.quantity += shares
    this.updatedAt = at
    if (this.quantity === 0n) this.openedAt = null
    else if (before === 0n || before < 0n !== this.quantity < 0n) this.openedAt = at
  }
}
