// All positions and balances of one account while its entries are applied.
import { type Amount, plus } from './amounts.ts'
import { Balance, type BalanceKey } from './balance.ts'
import type { Ledger } from './ledger.ts'
import { compareText } from './order.ts'
import { type Change, type OutcomeKey, Position } from './position.ts'

export class AccountBook {
  /** By venue and market, then by outcome. */
  private readonly markets = new Map<string, Map<string, Position>>()
  private readonly balances = new Map<string, Balance>()
  /** By entry: shares of all outcomes together, and what they paid before fees. */
  readonly redemptions = new Map<string, { size: bigint; cash: Amount }>()

  position({ venue, marketId, outcomeId }: OutcomeKey): Position {
    const marketKey = keyOf(venue, marketId)
    let market = this.markets.get(marketKey)
    if (market === undefined) {
      market = new Map()
      this.markets.set(marketKey, market)
    }
    let position = market.get(outcomeId)
    if (position === undefined) {
      position = new Position({ venue, marketId, outcomeId })
      market.set(outcomeId, position)
    }
    return position
  }

  /** Positions in the market, by outcome. */
  positionsOf(venue: string, marketId: string): Position[] {
    const positions = this.markets.get(keyOf(venue, marketId))?.values() ?? []
    return [...positions].sort((a, b) => compareText(a.outcomeId, b.outcomeId))
  }

  balance({ venue, currency }: BalanceKey): Balance {
    const key = keyOf(venue, currency)
    let balance = this.balances.get(key)
    if (balance === undefined) {
      balance = new Balance({ venue, currency })
      this.balances.set(key, balance)
    }
    return balance
  }

  /**
   * Moves shares of a position, whose part of the cash is in `currency`. Its balance is not changed, except by a
   * payout.
   */
  move(
    position: Position,
    currency: string | null,
    change: Change,
    as: 'trade' | 'deposit' | { redeemed: Amount } = 'trade',
  ): void {
    const isOwn = position.accepts(currency)
    if (!isOwn) this.balance({ venue: position.venue, currency }).leaveUnattributed()
    const counted = isOwn ? change : { ...change, cash: null, fee: null }
    if (as === 'trade') position.trade(counted)
    else if (as === 'deposit') position.deposit(counted)
    else position.redeem(counted, isOwn ? as.redeemed : null)
    this.settle(position, change.at)
  }

  /** Pays for the open shares of a resolved market, also for those that were traded after its settlement. */
  settle(position: Position, at: number): void {
    const payout = position.settle(at)
    if (payout !== 0n) this.balance(position).receive(payout)
  }

  report(): Ledger {
    const positions = [...this.markets.values()].flatMap((market) => [...market.values()])
    const realized = new Map<string, Amount[]>()
    for (const position of positions) {
      const key = keyOf(position.venue, position.currency)
      const amounts = realized.get(key)
      if (amounts === undefined) realized.set(key, [position.realized])
      else amounts.push(position.realized)
    }
    const balances = [...this.balances].map(([key, balance]) =>
      balance.report((realized.get(key) ?? []).reduce(plus, 0n)),
    )
    return {
      positions: positions
        .flatMap((position) => position.report() ?? [])
        .sort(
          (a, b) =>
            compareText(a.venue, b.venue) ||
            compareText(a.marketId, b.marketId) ||
            compareText(a.outcomeId, b.outcomeId),
        ),
      cash: balances.sort((a, b) => compareText(keyOf(a.venue, a.currency), keyOf(b.venue, b.currency))),
    }
  }
}

/** A venue's slug contains no line break. */
const keyOf = (venue: string, part: string | null): string => (part === null ? venue : `${venue}\n${part}`)
