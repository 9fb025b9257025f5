// Market data over HTTP: the catalog, live books, the tape, matches and the arbitrage surface behind the market routes.
import { type SurfaceView, surfaceReads } from '#arbitrage/surfaceView'
import { titleQuery } from '#marketData/catalog/titleQuery'
import { createMarkets, type MarketsPorts } from '#marketData/markets/index'
import { createPostgresMatches } from '#matching/candidateIndex'
import type { GatewayBooks } from '../liveBooks.ts'
import type { GatewayRoleOptions } from './options.ts'

type Options = Pick<GatewayRoleOptions, 'config' | 'stores' | 'venues' | 'clock' | 'log'> &
  Pick<MarketsPorts, 'catalog' | 'tape' | 'facts' | 'cursors'> & {
    books: GatewayBooks
    surface: SurfaceView | null
    /** Keeps a book fed for a while. */
    hold(venue: string, bookId: string): void
  }

export const openMarkets = ({
  config,
  stores,
  venues,
  catalog,
  tape,
  facts,
  cursors,
  books,
  surface,
  hold,
  clock,
  log,
}: Options) =>
  createMarkets({
    catalog,
    tape,
    facts,
    cursors,
    matches: createPostgresMatches(stores.pool, titleQuery),
    books: { ...books.reads, ...(stores.bus.deliversOnDemand && { want: hold }) },
    arbitrage: surface === null ? undefined : surfaceReads(surface),
    demand: { hold },
    venues: new Map(
      venues.map(({ manifest, context }) => [
        manifest.slug,
        { slug: manifest.slug, manifest, data: manifest.data, volume24h: manifest.volume24h, context },
      ]),
    ),
    lab: config.lab,
    clock,
    log,
  })
