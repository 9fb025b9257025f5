// Every id that a book is read by over HTTP is one that the stream takes, at every venue, with the venue's name in front or without, whether the catalog has seen the market or not; and so
// is the venue's own name of the book. What comes is the same book.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applySnapshot } from '#actors/ingest/snapshot'
import { LiveBook } from '#books/liveBook'
import { readConfig } from '#config'
import { type Lab, labVenueNames, startLab } from '#lab/lab'
import { ManualClock, systemClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { locate } from '#markets/index'
import { bookOfSnapshot } from '#markets/snapshotBook'
import { createStreamCatalog } from '#run/streamCatalog'
import { openVenues, type RunningVenues } from '#run/venues'
import type { Market } from '#schemas/market'
import { venueAliases } from '#schemas/venues'
import { startStream } from '#stream/server'
import { type Frame, KeyStore, MemoryBus, principal } from '#test/src/stream/support'
import { labSettings } from '#test/support/labSettings'
import { registry } from '#venues/registry'
import type { BookSnapshot } from '#venues/venue'

interface World {
  market: Market
  snapshots: Map<string, BookSnapshot>
}

/** Other names that the venue goes by. */
const aliasesOf = (slug: string): string[] => [...venueAliases].flatMap(([alias, of]) => (of === slug ? [alias] : []))

const worlds = new Map<string, World>()
let lab: Lab
let venues: RunningVenues

beforeAll(async () => {
  lab = await startLab({ seed: 'stream ids', ratePerSecond: 0, markets: 12, venues: labVenueNames })
  const config = readConfig({ VENUES: labVenueNames.join(','), ...labSettings(lab) })
  venues = openVenues(config, { clock: systemClock, log: silentLog })
  for (const { manifest, context } of venues.list) {
    const { slug, data } = manifest
    for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null })) {
      const market = events.flatMap(({ markets }) => markets).find(({ status }) => status === 'active')
      if (market === undefined) continue
      const bookIds = market.outcomes.map(({ outcomeId }) => data.bookRef(outcomeId, market.marketId)!.bookId)
      const snapshots = new Map<string, BookSnapshot>()
      for (const bookId of bookIds) snapshots.set(bookId, (await data.fetchOrderBook(context, bookId))!)
      worlds.set(slug, { market, snapshots })
      break
    }
  }
}, 60_000)
afterAll(async () => {
  await venues?.close()
  await lab?.stop()
})

describe.each(Object.values(registry).map(({ slug }) => slug))('%s', (slug) => {
  test.each([true, false])('every id of a market reads its book; the catalog knows it: %s', async (known) => {
    const { market, snapshots } = worlds.get(slug)!
    const running = venues.list.find(({ manifest }) => manifest.slug === slug)!
    const { data } = running.manifest
    // Asked of the venue once above: what it would answer again.
    const fetchOrderBook = async (_context: unknown, bookId: string) => snapshots.get(bookId) ?? null
    const findOutcomes = async (_venue: string, id: string) =>
      market.outcomes.flatMap((outcome) =>
        known && outcome.outcomeId === id ? [{ venue: slug, outcome, market }] : [],
      )
    const asked = { ...running, manifest: { ...running.manifest, data: { ...data, fetchOrderBook } } } as typeof running
    const bus = new MemoryBus()
    const keys = new KeyStore()
    keys.keys.set('good', principal())
    const clock = new ManualClock()
    const stream = await startStream({
      bus,
      clock,
      log: silentLog,
      auth: keys,
      catalog: createStreamCatalog([asked], { findOutcomes, findMarketNamed: async () => null }, clock),
      books: { get: () => undefined },
      limitsOf: () => ({ subscriptionsPerConnection: 20, streamConnections: 1 }),
      gatewayId: 'g',
    })
    const frames: Frame[] = []
    const connection = stream.open(
      {
        id: 1,
        send(bytes) {
          frames.push(JSON.parse(String(bytes)) as Frame)
          return 'sent'
        },
        cork: (run) => run(),
        bufferedAmount: () => 0,
        close: () => undefined,
      },
      'good',
    )
    const bare = [...new Set([...market.outcomes.map(({ outcomeId }) => outcomeId), ...snapshots.keys()])]
    const names = [slug, slug.toUpperCase(), ...aliasesOf(slug)]
    const bareOf = new Map(bare.flatMap((id) => [[id, id], ...names.map((name) => [`${name}:${id}`, id] as const)]))
    const ids = [...bareOf.keys()]
    for (const marketId of ids)
      connection.message(
        Buffer.from(JSON.stringify({ op: 'subscribe', channel: 'orderbook', venue: slug, marketId })),
        false,
      )
    await expect
      .poll(() => frames.map(({ type, code, marketId }) => `${code ?? type} ${marketId}`).sort())
      .toEqual(ids.map((id) => `subscribed ${id}`).sort())
    for (const [bookId, snapshot] of snapshots) {
      const book = new LiveBook({ venue: slug, marketId: bookId, tickMicros: null, onDirty: () => undefined })
      applySnapshot(book, snapshot)
      bus.book(book.update(1))
    }
    stream.flush()
    for (const marketId of ids) {
      const id = bareOf.get(marketId)!
      expect(locate({ router: false, venues: [running.manifest] }, marketId).id).toBe(id)
      const ref = data.bookRef(id, known ? market.marketId : undefined) ?? { bookId: id, complement: false }
      const { bids, asks } = bookOfSnapshot(slug, snapshots.get(ref.bookId)!, ref.complement, false)
      const shown = frames.find((frame) => frame.type === 'snapshot' && frame.marketId === marketId)
      expect(shown?.data, marketId).toMatchObject({ bids, asks })
    }
    await stream.stop()
  })
})
