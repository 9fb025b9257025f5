// Short constructors for markets, books and relations.
import type { Answer, Offers, OffersOf, Relation, StructureMarket } from '#arbitrage/structures/index'

export const market = (key: string, facts: Partial<StructureMarket> = {}): StructureMarket => ({
  key,
  venue: key.split(':')[0]!,
  fee: { kind: 'none' },
  settlementFee: { kind: 'none' },
  tickMicros: 10_000,
  stepUnits: 100,
  minimumUnits: 100,
  minimumMicros: 0,
  minimumOtherMicros: 0,
  ...facts,
})

/** `[price in dollars, contracts]`, best first. */
export const book = (levels: readonly (readonly [price: number, contracts: number])[], flags = 0): Offers => ({
  levels: levels.map(([price, contracts]) => ({
    micros: Math.round(price * 1e6),
    units: Math.round(contracts * 100),
  })),
  flags,
  asOf: 1_790_000_000_000,
})

/** By `<market> <side>`; a book that is not listed is unknown. */
export const booksOf =
  (books: Readonly<Record<string, Offers>>): OffersOf =>
  (key, side) =>
    books[`${key} ${side}`] ?? null

export const implies = (a: string, b: string, band: Relation['band'] = 'verified'): Relation => ({
  id: `${a}=>${b}`,
  band,
  kind: 'a_implies_b',
  a,
  b,
})

export const same = (a: string, b: string, band: Relation['band'] = 'verified'): Relation => ({
  id: `${a}=${b}`,
  band,
  kind: 'same',
  a,
  b,
})

export const yes = (market: string): Answer => ({ market, side: 'yes' })
export const no = (market: string): Answer => ({ market, side: 'no' })

export const outcomes = (id: string, members: readonly Answer[], complete = true): Relation => ({
  id,
  band: 'verified',
  kind: 'outcomes',
  members,
  complete,
})
