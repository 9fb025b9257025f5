// May a market be subscribed, and which book does its id read? Asked of the catalog once and remembered, asked of the venue when the catalog
// does not know it yet. Every id that a book is read by over HTTP is one (with its venue in front or not: one function takes it off for both),
// and the venue's own name of the market.
import type { Catalog } from '#catalog/catalog'
import type { Clock } from '#lib/clock'
import { locate } from '#markets/index'
import type { Resolution, StreamCatalog, StreamRef } from '#stream/ports'
import { readsChain, tellsTrades } from '#venues/venue'
import type { RunningVenue } from './venues.ts'

/** Answers remembered; the oldest goes first. */
const rememberedMax = 100_000
/** A market that was unknown may be listed a moment later. */
const unknownMs = 5_000
/** One that only the venue knew is looked for in the catalog again after this: what its outcome is called stands there. */
const unlistedMs = 60_000

/** `latencyOf`: of trades read off a chain, as their reader measured it; null: it has not. */
export function createStreamCatalog(
  venues: readonly RunningVenue[],
  catalog: Catalog,
  clock: Clock,
  latencyOf: (venue: string) => number | null = () => null,
): StreamCatalog {
  const bySlug = new Map<string, RunningVenue>(venues.map((venue) => [venue.manifest.slug, venue]))
  const known = new Map<string, { ref: StreamRef | null; at: number }>()
  const asking = new Map<string, Promise<StreamRef | null>>()

  /** Where an id is both a book and the other side of another, it is the book. */
  async function find({ manifest, context }: RunningVenue, id: string, asker?: object): Promise<StreamRef | null> {
    const { slug, data } = manifest
    const rows = await catalog.findOutcomes(slug, id, asker)
    const listed = rows.flatMap(({ outcome, market }): StreamRef[] => {
      const ref = data.bookRef(outcome.outcomeId, market.marketId)
      const index = market.outcomes.findIndex(({ outcomeId }) => outcomeId === outcome.outcomeId)
      return ref === null ? [] : [{ ...ref, outcome: { label: outcome.label, index } }]
    })
    if (listed.length > 0) return listed.find(({ complement }) => !complement) ?? listed[0]!
    for (const ref of readings(data, id)) if ((await data.fetchOrderBook(context, ref.bookId)) !== null) return ref
    return null
  }

  async function ask(venue: RunningVenue, id: string, key: string, asker?: object): Promise<StreamRef | null> {
    try {
      const ref = await find(venue, id, asker)
      known.delete(key)
      known.set(key, { ref, at: clock.monotonic() })
      if (known.size > rememberedMax) known.delete(known.keys().next().value!)
      return ref
    } finally {
      asking.delete(key)
    }
  }

  return {
    resolve(slug, asked, channel, asker): Resolution | Promise<Resolution> {
      const venue = bySlug.get(slug)
      if (venue === undefined) return 'unknown_venue'
      const { manifest } = venue
      const { data } = manifest
      const marketId = locate({ router: false, venues: [manifest] }, asked).id
      if (channel === 'trades' && !tellsTrades(manifest, venue.context)) return 'not_supported'
      // Before the catalog is asked, so that noise never reaches it.
      if (readings(data, marketId).length === 0) return 'market_not_found'
      const key = `${slug}:${marketId}`
      const remembered = known.get(key)
      const age = remembered === undefined ? Infinity : clock.monotonic() - remembered.at
      const named = (ref: StreamRef): StreamRef => (asked === marketId ? ref : { ...ref, outcomeId: marketId })
      if (remembered?.ref != null && (remembered.ref.outcome !== undefined || age < unlistedMs))
        return named(remembered.ref)
      if (remembered?.ref === null && age < unknownMs) return 'market_not_found'
      let answer = asking.get(key)
      if (answer === undefined) {
        answer = ask(venue, marketId, key, asker)
        asking.set(key, answer)
      }
      return answer.then((ref) => (ref === null ? 'market_not_found' : named(ref)))
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

/** What an id can mean at the venue by its form alone: a market of that name, an outcome of that name, the market's own name. */
function readings(data: RunningVenue['manifest']['data'], id: string): StreamRef[] {
  const found: StreamRef[] = []
  for (const ref of [data.bookRef(id, id), data.bookRef(id), data.marketBook?.(id) ?? null]) {
    if (ref === null) continue
    if (!found.some(({ bookId, complement }) => bookId === ref.bookId && complement === ref.complement)) found.push(ref)
  }
  return found
}
