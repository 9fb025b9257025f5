// The traders of a lab venue: a few dozen recurring accounts, so that wallets have a history. Their identities and rankings are drawn from
// the venue's name; their trades are the engine's.

import type { Engine } from './engine/engine.ts'
import type { LabTrade } from './engine/market.ts'
import { digestHex } from './prng.ts'

export interface LabTrader {
  /** Lower case. */
  wallet: string
  name: string
  /** All-time, in dollars. */
  volume: number
  profit: number
}

const people = 24
/** Trades per market searched for one trader's. */
const lookedThrough = 100

export class SyntheticTraders {
  readonly all: readonly LabTrader[]
  private readonly byWallet: ReadonlyMap<string, LabTrader>
  private readonly places = new Map<string, number>()

  constructor(venue: string) {
    this.all = Array.from({ length: people }, (_, n) => ({
      wallet: `0x${digestHex(`${venue}/trader/${n}`).slice(0, 40)}`,
      name: `lab-trader-${n}`,
      volume: (people - n) * 12_345.67,
      profit: (((n * 7_919) % 200) - 80) * 100.5,
    }))
    this.byWallet = new Map(this.all.map((trader) => [trader.wallet, trader]))
  }

  find(wallet: string | null | undefined): LabTrader | null {
    return this.byWallet.get(wallet?.toLowerCase() ?? '') ?? null
  }

  takerOf(key: string, { ordinal }: Pick<LabTrade, 'ordinal'>): LabTrader {
    return this.all[(this.placeOf(key) + ordinal) % people]!
  }

  /** Never the taker. */
  makerOf(key: string, { ordinal }: Pick<LabTrade, 'ordinal'>): LabTrader {
    return this.all[(this.placeOf(key) + ordinal + 1 + (ordinal % 5)) % people]!
  }

  /** The trader's taker trades, newest first, in the markets that move. */
  tradesOf(wallet: string, engine: Engine, keys: readonly string[]): { key: string; trade: LabTrade }[] {
    return keys
      .filter((key) => engine.touched(key) !== null)
      .flatMap((key) =>
        engine
          .glance(key)!
          .log.newest(lookedThrough)
          .filter((trade) => this.takerOf(key, trade).wallet === wallet)
          .map((trade) => ({ key, trade })),
      )
      .sort((a, b) => b.trade.atMs - a.trade.atMs || b.trade.ordinal - a.trade.ordinal)
  }

  /** Everyone's holdings after the market's newest trades, per side; never negative. */
  holdingsOf(key: string, engine: Engine): { trader: LabTrader; yes: number; no: number }[] {
    const held = new Map<LabTrader, { yes: number; no: number }>()
    for (const trade of engine.glance(key)?.log.newest(lookedThrough) ?? []) {
      const trader = this.takerOf(key, trade)
      const own = held.get(trader) ?? { yes: 0, no: 0 }
      held.set(trader, own)
      own[trade.takerBuysYes ? 'yes' : 'no'] += trade.size
    }
    return [...held].map(([trader, own]) => ({ trader, ...own }))
  }

  private placeOf(key: string): number {
    const known = this.places.get(key) ?? Number.parseInt(digestHex(key).slice(0, 6), 16) % people
    this.places.set(key, known)
    return known
  }
}

/** One page of a list, numbered from 1. */
export const pageRows = <T>(rows: readonly T[], page: number, limit: number): T[] =>
  rows.slice((page - 1) * limit, page * limit)
