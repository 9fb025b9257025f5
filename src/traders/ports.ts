// External dependencies of the trader routes: the venues' own reads, and our record of wallets.

import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import type { Log } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import type { SmartMoneyTrade, TraderScore, WalletCategory } from '#schemas/traders'
import type { VenueTraders } from '#venues/traderData'
import type { VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

/**
 * A position in the feed: newest first, and within one moment by `tradeId` descending; equal ids by venue, and by outcome within a transaction.
 */
export interface SmartMoneyPosition {
  ts: number
  tradeId: string
  venue: string
  outcomeId: string
}

export interface SmartMoneyQuery {
  /** Slugs; never empty. */
  venues: readonly string[]
  /** Of `tradeScore`, 0 to 100. Null: any. */
  minScore: number | null
  /** Exact market id of the venue. */
  market: string | null
  /** As the venue writes it; chain addresses in lower case. */
  wallet: string | null
  /** As of the trade. */
  category: WalletCategory | null
  /** Trades from then on, epoch ms. Null: all. */
  sinceMs: number | null
  /** Strictly after this position. Null: from the newest. */
  after: SmartMoneyPosition | null
  /** Rows wanted; the route asks for one more than it shows. */
  limit: number
}

/** A wallet's stored score row. `asOf` and `refreshedAt` are the record's own times; its `provenance.source` is `archive`. */
export type StoredScore = TraderScore

/** The record's progress. */
export interface Freshness {
  /** When the last trade of a venue was recorded, epoch ms; venues without one among the newest are missing. */
  takenUp: ReadonlyMap<string, number>
  /** Up to when a venue's trades are in the record, as far as it reads them, epoch ms; unknown for a missing venue. */
  lookedUntil: ReadonlyMap<string, number>
  /** The roll-up has not read all written rows: scores and categories are older than the trades. */
  isBehind: boolean
}

/**
 * Our own record of the wallets seen on trades, rolled up and scored. Results are returned to callers unchanged: null when unknown. Each method
 * is bounded in time by itself and throws Fault (retryable, without storage details) when the store cannot answer.
 */
export interface TraderRecord {
  /** Null: no trade of this wallet was ever seen. A wallet with too few trades has a null `score` and the reason in `note`. */
  findWallet(venue: string, wallet: string): Promise<StoredScore | null>
  /** Highest score first, only scored wallets, of these venues together; ties by venue and wallet. */
  listScores(query: { venues: readonly string[]; limit: number }): Promise<StoredScore[]>
  /** Newest first. */
  listSmartMoney(query: SmartMoneyQuery): Promise<SmartMoneyTrade[]>
  freshness(): Promise<Freshness>
  /** When the first trade was recorded, epoch ms; null: none was. */
  since(): Promise<number | null>
  /** Adds a requested wallet that the record does not know, if there is room. Returns immediately, true if it was added. */
  fillIn?(venue: string, wallet: string): boolean
}

/** A venue that is built and enabled. */
export interface TraderVenue {
  slug: string
  /** Undefined: it publishes nothing about its traders. */
  traders: VenueTraders | undefined
  fetchMarket: VenueData['fetchMarket']
  context: VenueContext
  /** The requesting account; absent without a caller. */
  account?: string
}

export interface TradersPorts {
  /** By slug. */
  venues: ReadonlyMap<string, TraderVenue>
  catalog: Pick<Catalog, 'findMarket' | 'findOutcomes'>
  /** Null when this deployment keeps none: nothing is scored then, and every answer states that. */
  record: TraderRecord | null
  cursors: CursorCodec
  clock: Clock
  log: Log
}
