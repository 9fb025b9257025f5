// External dependencies of the sports routes: the engine's fixtures as this process last saw them, the markets behind them, and live books.
import type { Clock } from '#core/clock'
import type { FixtureIndex } from './fixtureIndex.ts'
import type { FixtureEntry, SportsTotals } from './records.ts'

export interface FixtureSnapshot {
  index: FixtureIndex
  /** When this process last got an answer from the store, epoch ms. */
  refreshedAt: number
  engine: {
    heartbeatAt: number
    /** When the engine read the stored catalog behind the fixtures, epoch ms. */
    readAt: number
    /** When each venue's catalog was last fully read at the venue and stored, epoch ms; missing: not recently. */
    walked: ReadonlyMap<string, number>
    totals: SportsTotals
  }
}

export interface FixtureMirror {
  /** Null before the engine's first pass. */
  snapshot(): FixtureSnapshot | null
  /** Markets of fixtures, by id. Throws Fault SPORTS_SCREEN_UNAVAILABLE when neither the store nor memory has them. */
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
  /** The best prices of the book in memory; null when there is none. */
  read(venue: string, marketId: string, outcomeId: string): Quote | null
  /** Requests a book to be live for a while. */
  hold(venue: string, marketId: string, outcomeId: string): void
}

export interface SportsDeps {
  mirror: FixtureMirror
  quotes: Quotes
  /**
   * Venues whose catalogs are read in this deployment: a list without their games is complete only if they were read.
   */
  catalogs: readonly string[]
  clock: Clock
}

export interface SportsRouteDeps {
  sports: SportsDeps
}
