// The stream accepts every id by which a book can be read over HTTP, at every venue, with or without the venue's name in front, whether the
// catalog has the market or not; and also the venue's own name of the book. It delivers the same book.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applySnapshot } from '#actors/ingest/snapshot'
import { readConfig } from '#config'
import { LiveBook } from '#core/books/liveBook'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type Lab, labVenueNames, startLab } from '#lab/lab'
import type { OutcomeRow } from '#marketData/catalog/catalog'
import { locate } from '#marketData/markets/index'
import { bookOfSnapshot } from '#marketData/markets/snapshotBook'
import { createHttpClient } from '#net/httpClient'
import { createStreamCatalog } from '#roles/streamCatalog'
import { openVenues, type RunningVenues } from '#roles/venues'
import type { Market } from '#schemas/market'
import { venueAliases } from '#schemas/venues'
import { startStream } from '#stream/server'
import { type Frame, KeyStore, MemoryBus, principal, tradeUpdate } from '#test/src/stream/support'
import { labSettings } from '#test/support/labSettings'
import { registry } from '#venues/registry'
import { type BookSnapshot, reportsTrades } from '#venues/venue'

interface World {
  market: Market
  snapshots: Map<string, BookSnapshot>
}

/** The venue's aliases. */
const aliasesOf = (slug: string): string[] => [...venueAliases].flatMap(([alias, of]) => (of === slug ? [alias] : []))

/** A name that matches no venue's id format. */
const slugOfMarket = 'will-it-ever-rain-again'

/** What is waited for arrives within a few milliseconds. */
const often = { interval: 2 }

const worlds = new Map<string, World>()
let lab: Lab
let venues: RunningVenues

beforeAll(async () => {
  lab = await startLab({ seed: 'stream ids', ratePerSecond: 0, markets: 12, venues: labVenueNames })
  const config = readConfig({ VENUES: labVenueNames.join(','), ...labSettings(lab) })
  venues = openVenues(config, { clock: systemClock, log: silentLog })
  // Requests to the lab need no rate limit.
  const http = createHttpClient({ venue: 'lab', requestsPerSecond: 100_000 })
  for (const { manifest, context: limited } of venues.list) {
    const context = { ...limited, http }
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
  await http.close()
}, 60_000)
afterAll(async () => {
  await venues?.close()
  await lab?.stop()
})

function outcomesNamed(slug: string, id: string): OutcomeRow[] {
  const { market } = worlds.get(slug)!
  const named = market.outcomes.filter(({ outcomeId }) => outcomeId === id)
  return named.map((outcome) => ({ venue: slug, outcome, market }))
}

/** A socket to a stream of one venue, whose books are those read above. */
async function openStream(slug: string, catalog: Parameters<typeof createStreamCatalog>[1]) {
  const { snapshots } = worlds.get(slug)!
  const running = venues.list.find(({ manifest }) => manifest.slug === slug)!
  // Requested from the venue once above; the response would be the same.
  const fetchOrderBook = async (_context: unknown, bookId: string) => snapshots.get(bookId) ?? null
  const { manifest } = running
  const stubbed = {
    ...running,
    manifest: { ...manifest, data: { ...manifest.data, fetchOrderBook } },
  } as typeof running
  const bus = new MemoryBus()
  const keys = new KeyStore()
  keys.keys.set('good', principal())
  const clock = new ManualClock()
  const stream = await startStream({
    bus,
    clock,
    log: silentLog,
    auth: keys,
    catalog: createStreamCatalog([stubbed], catalog, clock),
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
  const subscribe = (channel: string, marketId: string) =>
    connection.message(Buffer.from(JSON.stringify({ op: 'subscribe', channel, venue: slug, marketId })), false)
  function publishBooks(): void {
    for (const [bookId, snapshot] of snapshots) {
      const book = new LiveBook({ venue: slug, marketId: bookId, tickMicros: null, onDirty: () => undefined })
      applySnapshot(book, snapshot)
      bus.book(book.update(1))
    }
  }
  return { running, bus, stream, frames, subscribe, publishBooks }
}

describe.each(Object.values(registry).map(({ slug }) => slug))('%s', (slug) => {
  test.each([true, false])('every id of a market delivers its book; known to the catalog: %s', async (known) => {
    const { market, snapshots } = worlds.get(slug)!
    const { running, stream, frames, subscribe, publishBooks } = await openStream(slug, {
      findOutcomes: async (_venue, id) => (known ? outcomesNamed(slug, id) : []),
      findMarketNamed: async () => null,
    })
    const { data } = running.manifest
    const bare = [...new Set([...market.outcomes.map(({ outcomeId }) => outcomeId), ...snapshots.keys()])]
    const names = [slug, slug.toUpperCase(), ...aliasesOf(slug)]
    const bareOf = new Map(bare.flatMap((id) => [[id, id], ...names.map((name) => [`${name}:${id}`, id] as const)]))
    const ids = [...bareOf.keys()]
    for (const marketId of ids) subscribe('orderbook', marketId)
    await expect
      .poll(() => frames.map(({ type, code, marketId }) => `${code ?? type} ${marketId}`).sort(), often)
      .toEqual(ids.map((id) => `subscribed ${id}`).sort())
    publishBooks()
    stream.flush()
    for (const marketId of ids) {
      const id = bareOf.get(marketId)!
      expect(locate({ router: false, venues: [running.manifest] }, marketId).id).toBe(id)
      const ref = data.bookRef(id, known ? market.marketId : undefined) ?? { bookId: id, complement: false }
      const acknowledged = frames.find((frame) => frame.type === 'subscribed' && frame.marketId === marketId)
      const isOutcome = market.outcomes.some(({ outcomeId }) => outcomeId === id)
      expect(acknowledged, marketId).toMatchObject({
        nativeId: ref.bookId,
        ...(known && isOutcome && { outcomeId: id, catalogMarketId: market.marketId }),
      })
      const { bids, asks } = bookOfSnapshot(slug, snapshots.get(ref.bookId)!, ref.complement, false)
      const shown = frames.find((frame) => frame.type === 'snapshot' && frame.marketId === marketId)
      expect(shown?.data, marketId).toMatchObject({ bids, asks })
    }
    await stream.stop()
  })

  test('accepts and delivers the id that a refusal suggests, on each channel', async () => {
    const { market } = worlds.get(slug)!
    const { running, bus, stream, frames, subscribe, publishBooks } = await openStream(slug, {
      findOutcomes: async (_venue, id) => outcomesNamed(slug, id),
      findMarketNamed: async (_venue, name) => (name === slugOfMarket ? { by: 'slug', market } : null),
    })
    const channels = reportsTrades(running.manifest, running.context) ? ['orderbook', 'trades'] : ['orderbook']
    for (const channel of channels) {
      frames.length = 0
      subscribe(channel, slugOfMarket)
      await expect
        .poll(() => frames, often)
        .toMatchObject([{ code: 'MARKET_NOT_FOUND', channel, marketId: slugOfMarket }])
      const [, instead] = /did you mean (\S+)\?$/.exec(frames[0]!.message!)!
      subscribe(channel, instead!)
      await expect.poll(() => frames.at(-1), often).toMatchObject({ type: 'subscribed', marketId: instead })
      const { nativeId } = frames.at(-1) as unknown as { nativeId: string }
      if (channel === 'orderbook') publishBooks()
      else bus.trade(tradeUpdate(nativeId, 1, slug))
      stream.flush()
      expect(frames.at(-1)).toMatchObject({ type: channel === 'trades' ? 'trade' : 'snapshot', marketId: instead })
    }
    await stream.stop()
  })
})
