// What the routes of traders need from outside: the venues' own reads, and our record of wallets.
import type { Catalog } from '#catalog/catalog'
import type { Clock } from '#lib/clock'
import type { CursorCodec } from '#lib/cursor'
import type { Log } from '#lib/log'
import type { SmartMoneyTrade, TraderScore, WalletCategory } from '#schemas/traders'
import type { VenueTraders } from '#venues/traders'
import type { VenueContext, VenueData } from '#venues/venue'

/** A place in the feed: newest first, and of one moment by `tradeId` from behind; of equal ids by venue, and by outcome within a transaction. */
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
  /** As it was at the trade. */
  category: WalletCategory | null
  /** Trades from then on, epoch ms. Null: all there are. */
  sinceMs: number | null
  /** Strictly behind this place. Null: from the newest. */
  after: SmartMoneyPosition | null
  /** Rows wanted; the route asks for one more than it shows. */
  limit: number
}

/** A wallet's score row as it is kept. `asOf` and `refreshedAt` are the record's own times; its `provenance.source` is `archive`. */
export type KeptScore = TraderScore

/** How far the record has come. */
export interface Freshness {
  /** When the last trade of a venue was taken up, epoch ms; of venues without one among the newest nothing is said. */
  takenUp: ReadonlyMap<string, number>
  /** Up to when what was traded on a venue is in the record, as far as it looks there, epoch ms; of a venue that is not in it nobody knows. */
  lookedUntil: ReadonlyMap<string, number>
  /** The roll-up has not read what is written: scores and categories are older than the trades. */
  isBehind: boolean
}

/**
 * Our own record of the wallets seen on trades, rolled up and scored. What a method returns is answered as it is: nulls where nothing is known.
 * Each is bounded in time by itself and throws Fault (retryable, no storage words) when the store cannot answer.
 */
export interface TraderRecord {
  /** Null: no trade of this wallet was ever seen. A wallet with too few trades has a null `score` and says why in `note`. */
  findWallet(venue: string, wallet: string): Promise<KeptScore | null>
  /** Highest score first, scored wallets alone, of these venues together; of equal scores by venue and wallet. */
  listScores(query: { venues: readonly string[]; limit: number }): Promise<KeptScore[]>
  /** Newest first. */
  listSmartMoney(query: SmartMoneyQuery): Promise<SmartMoneyTrade[]>
  freshness(): Promise<Freshness>
  /** When the first trade was taken up, epoch ms; null: none was. */
  since(): Promise<number | null>
  /** A wallet that a caller asked about and the record does not know: it may be taken up, when there is room. Returns at once, with whether it is. */
  fillIn?(venue: string, wallet: string): boolean
}

/** A venue that is built and switched on. */
export interface TraderVenue {
  slug: string
  /** Undefined: it tells nothing of who trades there. */
  traders: VenueTraders | undefined
  fetchMarket: VenueData['fetchMarket']
  context: VenueContext
  /** The account that asks; absent without a caller. */
  asker?: string
}

export interface TradersPorts {
  /** By slug. */
  venues: ReadonlyMap<string, TraderVenue>
  catalog: Pick<Catalog, 'findMarket' | 'findOutcomes'>
  /** Null where this deployment keeps none: nothing is scored then, which every answer says. */
  record: TraderRecord | null
  cursors: CursorCodec
  clock: Clock
  log: Log
}
