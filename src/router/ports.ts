// What the router needs from the outside.
import type { Offer, Relation } from '#arbitrage/structures/input'
import type { StructureVenue } from '#arbitrage/structures/marketFacts'
import type { StructureView } from '#arbitrage/structures/view'
import type { CursorCodec } from '#core/cursor'
import type { Matches } from '#matching/matches'
import type { ExecutionsDeps } from '#orders/executions/index'
import type { Market } from '#schemas/market'
import type { RouterStore } from '#storage/postgres/router/store'

export interface MarketName {
  venue: string
  marketId: string
}

/** `<venue>:<marketId>` */
export const keyOf = ({ venue, marketId }: MarketName): string => `${venue}:${marketId}`

export function nameOf(key: string): MarketName {
  const colon = key.indexOf(':')
  return { venue: key.slice(0, colon), marketId: key.slice(colon + 1) }
}

/** A live book in prices of its outcome, best first. */
export interface RouterBook {
  bids: Offer[]
  asks: Offer[]
  /** When the venue last confirmed it, epoch ms. */
  confirmedAt: number
}

export interface RouterBooks {
  /** One for each, in order; null: not known to be current. Books that were not watched are awaited briefly. */
  read(books: readonly { venue: string; bookId: string; complement: boolean }[]): Promise<(RouterBook | null)[]>
}

export interface RouterDeps {
  /** Throw MATCHES_UNAVAILABLE. */
  clusters: Pick<Matches, 'findCluster' | 'findClusterOf'>
  findRelations(markets: readonly MarketName[]): Promise<{ relations: readonly Relation[] }>
  /** By `<venue>:<marketId>`; those unknown to the catalog are missing. Throws CATALOG_UNAVAILABLE. */
  findMarkets(markets: readonly MarketName[]): Promise<ReadonlyMap<string, Market>>
  /** Undefined: not served by this deployment. */
  venueOf(venue: string): StructureVenue | undefined
  books: RouterBooks
  /** Null: not computed here. */
  structures: Pick<StructureView, 'state'> | null
  executions: ExecutionsDeps
  store: RouterStore
  cursors: CursorCodec
}

export interface RouterRouteDeps {
  router: RouterDeps
}
