// Sports over HTTP: fixtures from PostgreSQL, prices from the live books.
import { isSandbox } from '#schemas/venues'
import { type FixtureMirror, startFixtureMirror } from '#sports/index'
import type { RouteDeps } from '../routes.ts'
import { type LiveQuotesOptions, liveQuotes, measureFixtures } from '../sports.ts'
import type { RunningVenue } from '../venues.ts'
import type { GatewayRoleOptions } from './options.ts'

type Options = Pick<GatewayRoleOptions, 'config' | 'stores' | 'venues' | 'metrics' | 'clock' | 'log'> &
  LiveQuotesOptions

export function openSports({ config, stores, venues, bookOf, books, hold, metrics, clock, log }: Options): {
  routes: RouteDeps['sports']
  stop(): Promise<void>
} {
  const fixtures = config.sports.enabled ? startFixtureMirror(stores.pool, { clock, log }) : null
  if (fixtures !== null) measureFixtures(metrics, fixtures, clock)
  return {
    routes: {
      mirror: fixtures ?? noFixtures,
      quotes: liveQuotes({ bookOf, books, hold }),
      catalogs: venues.filter(isRead).map(({ manifest }) => manifest.slug),
      clock,
    },
    stop: async () => fixtures?.stop(),
  }
}

/** Sandboxes have no games, nor have unconfigured venues. */
const isRead = ({ manifest: { slug, data }, context }: RunningVenue): boolean =>
  !isSandbox(slug) && (data.missing?.(context) ?? null) === null

/** Where sports are switched off. */
const noFixtures: FixtureMirror = { snapshot: () => null, entries: async () => new Map() }
