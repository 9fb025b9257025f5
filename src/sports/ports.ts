// What the routes of sports need from outside: the engine's fixtures as this process last saw them, the markets behind them, and live books.
import type { Clock } from '#lib/clock'
import type { FixtureIndex } from './fixtureIndex.ts'
import type { FixtureEntry, SportsTotals } from './records.ts'

export interface FixtureSnapshot {
  index: FixtureIndex
  /** When this process last asked the store and was answered, epoch ms. */
  refreshedAt: number
  engine: {
    heartbeatAt: number
    /** When the engine read the stored catalog that the fixtures are made of, epoch ms. */
    readAt: number
    /** When each venue's catalog was last read at the venue and stored to its end, epoch ms; missing: not lately. */
    walked: ReadonlyMap<string, number>
    totals: SportsTotals
  }
}

export interface FixtureMirror {
  /** Null before the engine's first pass. */
  snapshot(): FixtureSnapshot | null
  /** Markets of fixtures, by id. Throws Fault SPORTS_SCREEN_UNAVAILABLE where neither the store nor memory has them. */
  entries(fixtureIds: readonly string[]): Promise<ReadonlyMap<string, FixtureEntry[]>>
}

export interface Quote {
  /** Probabilities and contracts; null: that side is empty. */
  bid: number | null
  bidSize: number | null
  ask: number | null
  askSize: number | null
  state: 'live' | 'stale'
  /** Epoch ms. */
  asOf: number
}

export interface Quotes {
  /** The best of the book in memory; null where there is none. */
  read(venue: string, marketId: string, outcomeId: string): Quote | null
  /** Asks for a book to be live for a while. */
  hold(venue: string, marketId: string, outcomeId: string): void
}

export interface SportsDeps {
  mirror: FixtureMirror
  quotes: Quotes
  /** Venues whose catalogs are read in this deployment: a list without games of theirs is whole only where they were. */
  catalogs: readonly string[]
  clock: Clock
}

export interface SportsRouteDeps {
  sports: SportsDeps
}
