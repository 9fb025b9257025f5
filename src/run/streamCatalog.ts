// May a market be subscribed? Asked of the catalog once and remembered, asked of the venue when the catalog does not know it yet.
import type { Catalog } from '#catalog/catalog'
import type { Clock } from '#lib/clock'
import type { Resolution, StreamCatalog } from '#stream/ports'
import type { RunningVenue } from './venues.ts'

/** Answers remembered; the oldest goes first. */
const rememberedMax = 100_000
/** A market that was unknown may be listed a moment later. */
const unknownMs = 5_000

export function createStreamCatalog(venues: readonly RunningVenue[], catalog: Catalog, clock: Clock): StreamCatalog {
  const bySlug = new Map<string, RunningVenue>(venues.map((venue) => [venue.manifest.slug, venue]))
  const known = new Map<string, { found: boolean; at: number }>()
  const asking = new Map<string, Promise<boolean>>()

  /** The stream's market is the book itself; the other side of a book is a view that only reads offer. */
  async function exists({ manifest, context }: RunningVenue, marketId: string): Promise<boolean> {
    const rows = await catalog.findOutcomes(manifest.slug, marketId)
    const isBook = rows.some(
      ({ outcome, market }) => manifest.data.bookRef(outcome.outcomeId, market.marketId)?.bookId === marketId,
    )
    if (rows.length > 0) return isBook
    return (await manifest.data.fetchOrderBook(context, marketId)) !== null
  }

  async function ask(venue: RunningVenue, marketId: string, key: string): Promise<boolean> {
    try {
      const found = await exists(venue, marketId)
      known.delete(key)
      known.set(key, { found, at: clock.now() })
      if (known.size > rememberedMax) known.delete(known.keys().next().value!)
      return found
    } finally {
      asking.delete(key)
    }
  }

  return {
    resolve(slug, marketId, channel): Resolution | Promise<Resolution> {
      const venue = bySlug.get(slug)
      if (venue === undefined) return 'unknown_venue'
      const { data } = venue.manifest
      if (channel === 'trades' && (data.fetchTrades === undefined || data.stream === undefined)) return 'not_supported'
      if (data.bookRef(marketId, marketId) === null) return 'market_not_found'
      const key = `${slug}:${marketId}`
      const remembered = known.get(key)
      if (remembered?.found) return 'ok'
      if (remembered !== undefined && clock.now() - remembered.at < unknownMs) return 'market_not_found'
      let answer = asking.get(key)
      if (answer === undefined) {
        answer = ask(venue, marketId, key)
        asking.set(key, answer)
      }
      return answer.then((found) => (found ? 'ok' : 'market_not_found'))
    },
    resolveAll(slug) {
      const venue = bySlug.get(slug)
      if (venue === undefined) return 'unknown_venue'
      return venue.manifest.data.stream?.firehose ? 'ok' : 'not_supported'
    },
  }
}
