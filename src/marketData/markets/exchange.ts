// Which venues an `{exchange}` means. `router` is every venue that is served, built and not a sandbox.
import { Fault } from '#core/fault'
import { canonicalVenue, disabledVenues, isDark, isSandbox, sandboxVenues, servedVenues } from '#schemas/venues'
import type { VenueReads } from './ports.ts'

export interface Exchange {
  /** Slug, or `router`. */
  name: string
  router: boolean
  venues: readonly VenueReads[]
}

const known: ReadonlySet<string> = new Set([...servedVenues, ...disabledVenues, ...sandboxVenues])

export function createExchanges(venues: ReadonlyMap<string, VenueReads>): (name: string) => Exchange {
  const exchanges = new Map<string, Exchange>()
  for (const [slug, reads] of venues) {
    if (!isDark(slug)) exchanges.set(slug, { name: slug, router: false, venues: [reads] })
  }
  const union = [...exchanges.values()].filter(({ name }) => !isSandbox(name)).flatMap((exchange) => exchange.venues)
  exchanges.set('router', { name: 'router', router: true, venues: union })
  return (name) => exchanges.get(name) ?? exchanges.get(canonicalVenue(name)) ?? refuse(canonicalVenue(name))
}

/** Disabled, unknown and unbuilt venues answer alike, so that nothing about our plans leaks. */
function refuse(slug: string): never {
  throw new Fault(
    'EXCHANGE_NOT_AVAILABLE',
    'this exchange is not available here',
    known.has(slug) ? { exchange: slug } : {},
  )
}
