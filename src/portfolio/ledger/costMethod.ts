// Two ways to determine the cost of the shares that leave a position. `shares` are above zero; the cost of a short is
// below zero, and so is the cash that closes it.
import { type Amount, minus, partOf, plus, smaller } from './amounts.ts'

export interface CostMethod {
  /** Of the open shares; null: part of it is unknown. */
  readonly costBasis: Amount
  readonly realized: Amount
  open(shares: bigint, cost: Amount): void
  /** Closes shares out of `held` for cash. */
  close(shares: bigint, held: bigint, cash: Amount): void
  realize(amount: Amount): void
  /** Realises the difference to `value`, the worth of all shares, which is their cost from now on. */
  revalue(shares: bigint, value: bigint): void
}

/** Each share costs the average. The rest of a division stays with the open shares. */
export class AverageCost implements CostMethod {
  costBasis: Amount = 0n
  realized: Amount = 0n

  open(_shares: bigint, cost: Amount): void {
    this.costBasis = plus(this.costBasis, cost)
  }

  close(shares: bigint, held: bigint, cash: Amount): void {
    const cost = this.costBasis === null ? null : partOf(this.costBasis, shares, held)
    this.realize(minus(cash, cost))
    this.costBasis = shares === held ? 0n : minus(this.costBasis, cost)
  }

  realize(amount: Amount): void {
    this.realized = plus(this.realized, amount)
  }

  revalue(_shares: bigint, value: bigint): void {
    this.realize(minus(value, this.costBasis))
    this.costBasis = value
  }
}

interface Lot {
  shares: bigint
  cost: Amount
}

/** The oldest shares leave first. The rest of a division stays with the lot. */
export class FifoLots implements CostMethod {
  realized: Amount = 0n
  private lots: Lot[] = []
  /** Index of the oldest open lot. */
  private oldest = 0
  /** Cost of the open lots with a known one. */
  private knownCost = 0n
  private unpricedLots = 0

  get costBasis(): Amount {
    return this.unpricedLots > 0 ? null : this.knownCost
  }

  open(shares: bigint, cost: Amount): void {
    this.lots.push({ shares, cost })
    if (cost === null) this.unpricedLots++
    else this.knownCost += cost
  }

  close(shares: bigint, _held: bigint, cash: Amount): void {
    let cost: Amount = 0n
    for (let left = shares; left > 0n; ) {
      const lot = this.lots[this.oldest]!
      const taken = smaller(left, lot.shares)
      cost = plus(cost, this.take(lot, taken))
      left -= taken
    }
    this.realize(minus(cash, cost))
    if (this.oldest === this.lots.length) this.clear()
  }

  realize(amount: Amount): void {
    this.realized = plus(this.realized, amount)
  }

  revalue(shares: bigint, value: bigint): void {
    this.realize(minus(value, this.costBasis))
    this.clear()
    this.open(shares, value)
  }

  /** Takes shares out of the oldest lot and returns their cost. */
  private take(lot: Lot, shares: bigint): Amount {
    const cost = lot.cost === null ? null : partOf(lot.cost, shares, lot.shares)
    if (cost !== null) this.knownCost -= cost
    if (shares < lot.shares) {
      lot.shares -= shares
      lot.cost = minus(lot.cost, cost)
    } else {
      this.oldest++
      if (cost === null) this.unpricedLots--
    }
    return cost
  }

  private clear(): void {
    this.lots = []
    this.oldest = 0
    this.knownCost = 0n
    this.unpricedLots = 0
  }
}
