// Whether a market can be subscribed to, and which book its id refers to. Read from the catalog once and cached; read from the venue when
// the catalog does not know it yet. Accepts every id that a book is read by over HTTP (with or without its venue prefix: one function
// removes it for both), the venue's own name of the market, and a two-outcome market of the catalog: then its Yes. For any other id the
// error suggests what may have been meant.

import { Cache } from '#core/cache'
import type { Clock } from '#core/clock'
import type { Catalog } from '#marketData/catalog/catalog'
import { locate, outcomeOf, suggestOtherVenues } from '#marketData/markets/index'
import type { Market } from '#schemas/market'
import type { NotFound, Resolution, StreamCatalog, StreamRef } from '#stream/ports'
import { readsChain, reportsTrades } from '#venues/venue'
import type { RunningVenue } from './venues.ts'

/** Answers cached. */
const cachedMax = 100_000
/** A market that was unknown may be listed a moment later. */
const unknownMs = 5_000
/** One that only the venue knew is looked up in the catalog again after this, for its outcome's name. */
const unlistedMs = 60_000

/** Text that no venue's ids look like never reaches the catalog. */
const idForm = /^[!-~]+$/

type Found = StreamRef | NotFound

/** `latencyOf`: for trades read from a chain, as their reader measured it; null: not measured. */
export function createStreamCatalog(
  venues: readonly RunningVenue[],
  catalog: Pick<Catalog, 'findOutcomes' | 'findMarketNamed'>,
  clock: Clock,
  latencyOf: (venue: string) => number | null = () => null,
): StreamCatalog {
  const bySlug = new Map<string, RunningVenue>(venues.map((venue) => [venue.manifest.slug, venue]))
  const known = new Cache<Found | null>(cachedMax, { clock })
  const inFlight = new Map<string, Promise<Found | null>>()

  async function find(venue: RunningVenue, id: string, caller?: object): Promise<Found | null> {
    const { manifest, context } = venue
    const { slug, data } = manifest
    const means = readings(data, id)
    const listed = means.length === 0 ? null : await findListed(venue, id, caller)
    if (listed !== null) return listed
    const named = await catalog.findMarketNamed(slug, id, caller)
    if (named?.by === 'id' && named.market.outcomes.length === 2) {
      const ref = refOf(data, named.market, outcomeOf(named.market, 'yes')?.outcomeId)
      if (ref !== null) return ref
    }
    for (const ref of means) if ((await data.fetchOrderBook(context, ref.bookId)) !== null) return ref
    const instead = named === null ? await suggestion(venue, id, caller) : idIn(slug, named.market)
    return instead === null ? null : { instead }
  }

  /** If an id is both a book and the other side of another, it is the book. */
  async function findListed(venue: RunningVenue, id: string, caller?: object): Promise<StreamRef | null> {
    const { slug, data } = venue.manifest
    const rows = await catalog.findOutcomes(slug, id, caller)
    const listed = rows.flatMap(({ outcome, market }) => refOf(data, market, outcome.outcomeId) ?? [])
    return listed.find(({ complement }) => !complement) ?? listed[0] ?? null
  }

  async function suggestion(venue: RunningVenue, id: string, caller?: object): Promise<NotFound['instead'] | null> {
    const row = await suggestOtherVenues(catalog, placeOf(venue), venues.map(placeOf), id, caller)
    return row === null ? null : { venue: row.venue, marketId: row.outcome.outcomeId }
  }

  async function findAtVenue(venue: RunningVenue, id: string, key: string, caller?: object): Promise<Found | null> {
    try {
      const found = await find(venue, id, caller)
      known.set(key, found, keptMs(found))
      return found
    } finally {
      inFlight.delete(key)
    }
  }

  return {
    resolve(slug, requestedId, channel, caller): Resolution | Promise<Resolution> {
      const venue = bySlug.get(slug)
      if (venue === undefined) return 'unknown_venue'
      const { manifest } = venue
      const marketId = locate({ router: false, venues: [manifest] }, requestedId).id
      if (channel === 'trades' && !reportsTrades(manifest, venue.context)) return 'not_supported'
      if (!idForm.test(marketId)) return 'market_not_found'
      const key = `${slug}:${marketId}`
      const cached = known.get(key)
      if (cached !== undefined) return cached ?? 'market_not_found'
      let answer = inFlight.get(key)
      if (answer === undefined) {
        answer = findAtVenue(venue, marketId, key, caller)
        inFlight.set(key, answer)
      }
      return answer.then((found) => found ?? 'market_not_found')
    },
    resolveAll(slug) {
      const venue = bySlug.get(slug)
      if (venue === undefined) return 'unknown_venue'
      return venue.manifest.data.stream?.firehose ? 'ok' : 'not_supported'
    },
    disclosureOf(slug) {
      const venue = bySlug.get(slug)
      const chain = venue?.manifest.data.chainTrades
      if (venue === undefined || chain === undefined || !readsChain(venue.manifest, venue.context)) return
      return { provenance: 'chain-scan', latencyMs: latencyOf(slug), completeness: chain.completeness }
    },
  }
}

function keptMs(found: Found | null): number {
  if (found === null || 'instead' in found) return unknownMs
  return found.outcome === undefined ? unlistedMs : Number.POSITIVE_INFINITY
}

const placeOf = ({ manifest: { slug, data } }: RunningVenue) => ({
  slug,
  mayHave: (id: string) => readings(data, id).length > 0,
})

type Data = RunningVenue['manifest']['data']

function refOf(data: Data, market: Market, outcomeId: string | undefined): StreamRef | null {
  const index = market.outcomes.findIndex((outcome) => outcome.outcomeId === outcomeId)
  const outcome = market.outcomes[index]
  const ref = outcome === undefined ? null : data.bookRef(outcome.outcomeId, market.marketId)
  if (ref === null) return null
  const { outcomeId: id, label } = outcome!
  return { ...ref, outcomeId: id, catalogMarketId: market.marketId, outcome: { label, index } }
}

function idIn(venue: string, market: Market): NotFound['instead'] | null {
  const outcome = outcomeOf(market, 'yes') ?? market.outcomes[0]
  return outcome === undefined ? null : { venue, marketId: outcome.outcomeId }
}

/** What an id can mean at the venue by its form alone: a market of that name, an outcome of that name, the market's own name. */
function readings(data: Data, id: string): StreamRef[] {
  const found: StreamRef[] = []
  for (const ref of [data.bookRef(id, id), data.bookRef(id), data.marketBook?.(id) ?? null]) {
    if (ref === null) continue
    if (!found.some(({ bookId, complement }) => bookId === ref.bookId && complement === ref.complement)) found.push(ref)
  }
  return found
}
