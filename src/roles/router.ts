// Connects the router to the matcher's clusters, the catalog, live books and executions.
import type { StructureVenue } from '#arbitrage/structures/marketFacts'
import type { Clock } from '#core/clock'
import type { CursorCodec } from '#core/cursor'
import { titleQuery } from '#marketData/catalog/titleQuery'
import { createPostgresMatches } from '#matching/candidateIndex'
import type { ExecutionsDeps } from '#orders/executions/index'
import type { ExposureDeps } from '#portfolio/exposure/index'
import { createRouterBooks, type RouterDeps } from '#router/index'
import type { Market } from '#schemas/market'
import { hasSyntheticBooks } from '#schemas/venues'
import { findMarketsByIds } from '#storage/postgres/catalog/findMarketsByIds'
import { asUnavailable, type Pool } from '#storage/postgres/pool'
import { createRouterStore } from '#storage/postgres/router/store'
import type { GatewayBooks } from './liveBooks.ts'
import type { RunningVenue } from './venues.ts'

export interface RouterOptions {
  pool: Pool
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  structures: RouterDeps['structures']
  exposure: Pick<ExposureDeps, 'findRelations'>
  executions: ExecutionsDeps
  books: Pick<GatewayBooks, 'reads'>
  /** Keeps a book fed for a while. */
  hold(venue: string, bookId: string): void
  cursors: CursorCodec
  clock: Clock
}

export function openRouter(options: RouterOptions): RouterDeps {
  const { pool, venues, structures, exposure, executions, books, hold, cursors, clock } = options
  const served = new Map<string, StructureVenue>(
    venues.map(({ manifest: { slug, data } }) => [slug, { data, synthetic: hasSyntheticBooks(slug) }]),
  )
  return {
    clusters: createPostgresMatches(pool, titleQuery),
    findRelations: (markets) => exposure.findRelations(markets),
    async findMarkets(markets) {
      const rows = await asUnavailable('CATALOG_UNAVAILABLE', findMarketsByIds<Market>(pool, markets))
      return new Map(rows.map(({ venue, id, doc }) => [`${venue}:${id}`, doc]))
    },
    venueOf: (venue) => served.get(venue),
    books: createRouterBooks({ books: books.reads, hold, clock }),
    structures,
    executions,
    store: createRouterStore(pool),
    cursors,
  }
}
