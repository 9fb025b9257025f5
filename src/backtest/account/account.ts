// The account of a backtest: cash per venue and currency, what working orders hold back, and positions. Amounts are exact.
// Each outcome is a position of its own, and nothing is sold short, as on paper accounts.
import { moneyOf, notional } from './money.ts'

export interface Position {
  venue: string
  marketId: string
  outcomeId: string
  currency: string
  /** Millionths of a contract. */
  quantity: number
  /** Of the open quantity at average cost, fees included. */
  cost: bigint
  realized: bigint
  fees: bigint
  bought: number
  sold: number
  openedAt: number | null
  updatedAt: number
  /** Payout of a contract, micros; null: not settled. */
  settled: number | null
  paid: bigint
}

export interface OutcomeKey {
  venue: string
  marketId: string
  outcomeId: string
  currency: string
}

export interface AppliedFill {
  side: 'buy' | 'sell'
  price: number
  size: number
  fee: bigint
  at: number
}

interface Purse {
  venue: string
  currency: string
  cash: bigint
  held: bigint
}

export class Account {
  /** In the order in which they were opened first. */
  readonly positions: Position[] = []
  private readonly purses: Purse[] = []
  private readonly pursesByVenue = new Map<string, Map<string, Purse>>()
  private readonly positionsByVenue = new Map<string, Map<string, Position>>()
  private readonly opening: ReadonlyMap<string, string>
  private readonly openingDefault: string

  /** `opening`: cash by venue; `openingDefault` at all others. Decimal strings. */
  constructor(openingDefault: string, opening: ReadonlyMap<string, string> = new Map()) {
    this.openingDefault = openingDefault
    this.opening = opening
  }

  openingCash(venue: string): bigint {
    return moneyOf(this.opening.get(venue) ?? this.openingDefault)
  }

  purse(venue: string, currency: string): Purse {
    const ofVenue = getOrMake(this.pursesByVenue, venue)
    const found = ofVenue.get(currency)
    if (found !== undefined) return found
    const made = { venue, currency, cash: this.openingCash(venue), held: 0n }
    ofVenue.set(currency, made)
    this.purses.push(made)
    return made
  }

  /** Not held back by working orders. */
  available(venue: string, currency: string): bigint {
    const { cash, held } = this.purse(venue, currency)
    return cash - held
  }

  /** `amount` below zero: less is held back. */
  hold(venue: string, currency: string, amount: bigint): void {
    this.purse(venue, currency).held += amount
  }

  /** Undefined: never held. */
  find({ venue, outcomeId }: Pick<OutcomeKey, 'venue' | 'outcomeId'>): Position | undefined {
    return this.positionsByVenue.get(venue)?.get(outcomeId)
  }

  quantity(key: Pick<OutcomeKey, 'venue' | 'outcomeId'>): number {
    return this.find(key)?.quantity ?? 0
  }

  /** Returns the position that it changed. */
  apply(key: OutcomeKey, { side, price, size, fee, at }: AppliedFill): Position {
    const position = this.position(key, at)
    if (side === 'sell' && size > position.quantity) throw new Error(`${key.outcomeId}: more was sold than is held`)
    this.purse(key.venue, key.currency).cash -= fee
    position.fees += fee
    if (side === 'buy') {
      this.open(position, size, price, at)
      position.cost += fee
    } else {
      this.close(position, size, price, at)
      position.realized -= fee
    }
    return position
  }

  /** Pays what is held of a resolved outcome. */
  settle(position: Position, payout: number, at: number): void {
    const paid = notional(payout, position.quantity)
    this.purse(position.venue, position.currency).cash += paid
    position.realized += paid - position.cost
    position.paid += paid
    position.cost = 0n
    position.quantity = 0
    position.settled = payout
    position.updatedAt = at
  }

  cash(): readonly Readonly<Purse>[] {
    return this.purses
  }

  private position(key: OutcomeKey, at: number): Position {
    const { venue, marketId, outcomeId, currency } = key
    const found = this.find(key)
    if (found !== undefined) return found
    const made: Position = {
      ...{ venue, marketId, outcomeId, currency, quantity: 0, cost: 0n, realized: 0n, fees: 0n },
      ...{ bought: 0, sold: 0, openedAt: null, updatedAt: at, settled: null, paid: 0n },
    }
    this.positions.push(made)
    getOrMake(this.positionsByVenue, venue).set(outcomeId, made)
    return made
  }

  private open(position: Position, size: number, price: number, at: number): void {
    const cost = notional(price, size)
    this.purse(position.venue, position.currency).cash -= cost
    position.quantity += size
    position.cost += cost
    position.bought += size
    position.openedAt ??= at
    position.updatedAt = at
  }

  private close(position: Position, size: number, price: number, at: number): void {
    const proceeds = notional(price, size)
    const cost = size === position.quantity ? position.cost : (position.cost * BigInt(size)) / BigInt(position.quantity)
    this.purse(position.venue, position.currency).cash += proceeds
    position.quantity -= size
    position.cost -= cost
    position.realized += proceeds - cost
    position.sold += size
    position.updatedAt = at
    if (position.quantity === 0) position.openedAt = null
  }
}

function getOrMake<Value>(all: Map<string, Map<string, Value>>, name: string): Map<string, Value> {
  let found = all.get(name)
  if (found === undefined) {
    found = new Map()
    all.set(name, found)
  }
  return found
}
