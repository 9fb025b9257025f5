// The cash that entries moved at one venue in one currency.
import { type Amount, formatAmount, formatAmountOrNull, plus } from './amounts.ts'
import type { CashBalance } from './ledger.ts'

export type BalanceKey = Pick<CashBalance, 'venue' | 'currency'>

export class Balance {
  private readonly key: BalanceKey
  private cash: Amount = 0n
  private deposits = 0n
  private fees = 0n
  private isPartial = false
  private hasUnattributed = false

  constructor(key: BalanceKey) {
    this.key = key
  }

  /** Above zero: received, below: paid, fees included. */
  receive(cash: Amount): void {
    this.cash = plus(this.cash, cash)
    if (cash === null) this.isPartial = true
  }

  /** Counts a fee that `receive` already contains. */
  countFee(fee: Amount): void {
    this.fees += fee ?? 0n
    if (fee === null) this.isPartial = true
  }

  /** In cash or in kind; `receive` is called as well for cash. */
  deposit(amount: Amount): void {
    this.deposits += amount ?? 0n
    if (amount === null) this.isPartial = true
  }

  /** Some of the cash belongs to no position of this currency: what was earned with it is unknown. */
  leaveUnattributed(): void {
    this.isPartial = true
    this.hasUnattributed = true
  }

  /** `realized` is the sum over the positions of this currency. */
  report(realized: Amount): CashBalance {
    return {
      ...this.key,
      cash: formatAmountOrNull(this.cash),
      deposits: formatAmount(this.deposits),
      fees: formatAmount(this.fees),
      realizedPnl: this.hasUnattributed ? null : formatAmountOrNull(realized),
      isPartial: this.isPartial,
    }
  }
}
