// Resolves what a caller names to markets and events.
import { Fault } from '#core/fault'
import type { Event, Market } from '#schemas/market'
import type { Exchange } from '../exchange.ts'
import type { Markets } from '../markets.ts'
import { splitQualified } from '../qualifiedIds.ts'
import { matchesOf } from './requireMatches.ts'

/** Markets one call may stand for: an event's, a cluster's. */
const sourcesMax = 200

export interface MarketLookup {
  marketId?: string | undefined
  slug?: string | undefined
  url?: string | undefined
  market?: string | { marketId: string } | undefined
  clusterId?: string | undefined
}

export interface EventLookup {
  eventId?: string | undefined
  slug?: string | undefined
  event?: string | { id: string } | undefined
}

/** Null when nothing is named. Throws Fault MARKET_NOT_FOUND or CLUSTER_NOT_FOUND. */
export async function findSourceMarkets(
  markets: Markets,
  exchange: Exchange,
  { marketId, slug, url, market, clusterId }: MarketLookup,
): Promise<Market[] | null> {
  const id = marketId ?? (typeof market === 'object' ? market.marketId : market)
  if (id !== undefined) return [await marketById(markets, exchange, id)]
  if (slug !== undefined) return found(await marketsBySlug(markets, exchange, [slug]))
  if (url !== undefined) return found(await marketsByUrl(markets, exchange, url))
  if (clusterId !== undefined) return marketsOfCluster(markets, exchange, clusterId)
  return null
}

/** Null when nothing is named. Throws Fault EVENT_NOT_FOUND. */
export async function findSourceEvents(
  markets: Markets,
  exchange: Exchange,
  { eventId, slug, event }: EventLookup,
): Promise<Event[] | null> {
  const id = eventId ?? (typeof event === 'object' ? event.id : event)
  if (id === undefined && slug === undefined) return null
  const named = id === undefined ? null : splitQualified(exchange, id)
  const { rows } = await markets.catalog.findEvents({
    filter: {
      venues: named === null ? venuesOf(exchange) : [named.venue.slug],
      status: 'all',
      ...(id === undefined ? { slug: slug! } : { eventId: named?.id ?? id }),
    },
    sort: 'volume',
    limit: sourcesMax,
  })
  if (rows.length === 0) throw new Fault('EVENT_NOT_FOUND', 'no event matches')
  if (id !== undefined && rows.length > 1) throw ambiguous()
  return rows
}

export const venuesOf = (exchange: Exchange): string[] => exchange.venues.map(({ slug }) => slug)

async function marketById({ catalog }: Markets, exchange: Exchange, id: string): Promise<Market> {
  const named = splitQualified(exchange, id)
  if (named !== null) return found(await listed(catalog.findMarket(named.venue.slug, named.id)))[0]!
  const { rows } = await catalog.findMarkets({
    filter: { venues: venuesOf(exchange), status: 'all', marketId: id },
    sort: 'volume',
    limit: 2,
  })
  if (rows.length > 1) throw ambiguous()
  return found(rows)[0]!
}

const listed = async (market: Promise<Market | null>): Promise<Market[]> => {
  const known = await market
  return known === null ? [] : [known]
}

async function marketsBySlug({ catalog }: Markets, exchange: Exchange, slugs: readonly string[]): Promise<Market[]> {
  for (const slug of slugs) {
    const { rows } = await catalog.findMarkets({
      filter: { venues: venuesOf(exchange), status: 'all', slug },
      sort: 'volume',
      limit: sourcesMax,
    })
    if (rows.length > 0) return rows
  }
  return []
}

/** Venues end a page's URL with the slug of the market or of its event. */
async function marketsByUrl(markets: Markets, exchange: Exchange, url: string): Promise<Market[]> {
  const path = URL.parse(url)?.pathname ?? url
  const last = path.split('/').filter(Boolean).at(-1)
  if (last === undefined) return []
  const slugs = [...new Set([last, last.toLowerCase()])]
  const direct = await marketsBySlug(markets, exchange, slugs)
  if (direct.length > 0) return direct
  for (const slug of slugs) {
    const { rows } = await markets.catalog.findEvents({
      filter: { venues: venuesOf(exchange), status: 'all', slug },
      sort: 'volume',
      limit: 1,
    })
    if (rows[0] !== undefined) return rows[0].markets.slice(0, sourcesMax)
  }
  return []
}

async function marketsOfCluster(markets: Markets, exchange: Exchange, clusterId: string): Promise<Market[]> {
  const cluster = await matchesOf(markets).findCluster(clusterId)
  if (cluster === null) throw new Fault('CLUSTER_NOT_FOUND', 'no such cluster')
  const served = new Set(venuesOf(exchange))
  const members = cluster.members.filter(({ venue }) => served.has(venue))
  const rows = await Promise.all(members.map(({ venue, marketId }) => markets.catalog.findMarket(venue, marketId)))
  return rows.filter((market) => market !== null)
}

function found(rows: Market[]): Market[] {
  if (rows.length === 0) throw new Fault('MARKET_NOT_FOUND', 'no market matches')
  return rows
}

const ambiguous = (): Fault =>
  new Fault('VALIDATION_ERROR', 'several venues have this id: on router, write it as <venue>:<id>')
