// What ingest records of a market is found under every id of it: both outcomes as the catalog reports them, by every read of the tape, at
// every venue.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFeed } from '#actors/ingest/feedSink'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { applySnapshot, depthRow } from '#actors/ingest/snapshot'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { createOutcomeFacts } from '#history/outcomeStats'
import type { BookOf } from '#history/recordedOutcomeId'
import { type ReplayDeps, startReplay } from '#history/replay'
import { type Lab, labVenueNames, startLab } from '#lab/lab'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { openVenues, type RunningVenues } from '#roles/venues'
import type { Market, Outcome } from '#schemas/market'
import type { CoverageEvent, TapeBatch } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { labSettings } from '#test/support/labSettings'
import { registry } from '#venues/registry'
import { hasTradesTape, type OutcomeRef, type VenueData } from '#venues/venue'

const dataOf: ReadonlyMap<string, VenueData> = new Map(Object.values(registry).map(({ slug, data }) => [slug, data]))
const bookOf: BookOf = (venue, outcomeId, marketId) => dataOf.get(venue)?.bookRef(outcomeId, marketId) ?? null
const markets = new Map<string, Market>()
const now = Math.floor(Date.now() / 60_000) * 60_000

let lab: Lab
let venues: RunningVenues
/** Requests to the lab need no rate limit. */
let http: OwnedHttpClient
let opened: TestTape

beforeAll(async () => {
  lab = await startLab({ seed: 'tape ids', ratePerSecond: 0, markets: 12, venues: labVenueNames })
  venues = openVenues(
    readConfig({
      VENUES: labVenueNames.join(','),
      ...labSettings(lab),
    }),
    { clock: systemClock, log: silentLog },
  )
  http = createHttpClient({ venue: 'lab', requestsPerSecond: 100_000 })
  opened = await openTestTape()
  for (const { manifest, context: limited } of venues.list) {
    const context = { ...limited, http }
    const market = await firstOpen(manifest.data, context)
    markets.set(manifest.slug, market)
    await tape(manifest.slug, manifest.data, context, market)
  }
}, 60_000)
afterAll(async () => {
  await opened?.close()
  await http?.close()
  await venues?.close()
  await lab?.stop()
})

type Context = RunningVenues['list'][number]['context']

async function firstOpen(data: VenueData, context: Context): Promise<Market> {
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null })) {
    const open = events.flatMap(({ markets }) => markets).find(({ status }) => status === 'active')
    if (open !== undefined) return open
  }
  throw new Error('no open market')
}

/** As ingest does it: the books from which the outcomes are read, and a trade of each. */
async function tape(venue: string, data: VenueData, context: Context, market: Market): Promise<void> {
  const bus = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  const batches: TapeBatch[] = []
  await bus.consume('tape', 'test', async ({ values }) => void batches.push(...values))
  const buffer = new TapeBuffer(venue)
  const unheard = (): void => expect.unreachable()
  const feed = createFeed({
    venue,
    bus,
    tape: buffer,
    find: () => undefined,
    counters: { malformed: 0 },
    log: silentLog,
    send: unheard,
    onBroken: unheard,
    onContradicted: () => false,
    onUnseeded: unheard,
    onRefused: unheard,
    onEnded: unheard,
    onReopened: unheard,
    onFailed: unheard,
    onDraining: () => undefined,
  })
  const coverage: CoverageEvent[] = []
  for (const bookId of new Set(
    market.outcomes.map(({ outcomeId }) => data.bookRef(outcomeId, market.marketId)!.bookId),
  )) {
    const book = new IngestBook({
      venue,
      marketId: bookId,
      tickMicros: null,
      tape: buffer,
      beat: { at: 0 },
      onDirty: () => undefined,
      onBroken: unheard,
      onSynced: () => undefined,
    })
    const snapshot = await data.fetchOrderBook(context, bookId)
    // Quoted two minutes ago, so that a price change is known.
    applySnapshot(book, { ...snapshot!, bookId, eventTs: now - 120_000, recvTs: now - 120_000 })
    buffer.book(depthRow(book))
    feed.trade({
      venue,
      marketId: bookId,
      outcomeId: bookId,
      recvTs: now - 110_000,
      data: {
        id: `${bookId} 1`,
        time: new Date(now - 110_000).toISOString(),
        timestamp: now - 110_000,
        type: 'Buy',
        usd: null,
        outcome: null,
        outcomeIndex: null,
        shares: 5,
        price: 0.4,
        maker: null,
        transactionHash: null,
        wallet: null,
        counterparty: null,
      },
    })
    coverage.push({
      venue,
      outcomeId: bookId,
      kind: 'opened',
      mechanism: 'rest-adaptive',
      effectiveIntervalMs: 5_000,
      reason: null,
      at: now - 120_000,
    })
  }
  await buffer.flush(bus, () => expect.unreachable())
  await opened.insert(batches)
  await insertCoverage(opened.store, coverage, `test:${venue}`)
  await bus.close()
}

type Line = Record<string, unknown>

async function replayed(
  venue: string,
  kind: string,
  outcomeId: string,
  known: boolean,
  marketId?: string,
): Promise<Line[]> {
  const market = markets.get(venue)!
  const deps: ReplayDeps = {
    tape: createClickhouseTape(opened.store, bookOf),
    catalog: {
      findOutcomes: async (_venue, id) =>
        market.outcomes
          .filter((outcome) => known && outcome.outcomeId === id)
          .map((outcome) => ({ venue, outcome, market })),
      findMarket: async () => null,
    },
    cursors: createCursorCodec(randomBytes(32)),
    serves: () => true,
  }
  const named = marketId === undefined ? {} : { marketId }
  const params = { venue, outcomeId, kind, since: String(now - 600_000), until: String(now), ...named }
  const { chunks } = await startReplay(
    deps,
    kind === 'candles' ? { ...params, resolution: '1m' } : params,
    { historyFloorMs: null },
    new AbortController().signal,
  )
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const lines = Buffer.concat(parts).toString().trimEnd().split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Line)
}

describe.each(Object.values(registry).map(({ slug }) => slug))('%s', (venue) => {
  const outcomes = () => markets.get(venue)!.outcomes
  const marketId = () => markets.get(venue)!.marketId

  test('replay finds both outcomes, known to the catalog or not, and names them as requested', async () => {
    for (const { outcomeId } of outcomes()) {
      for (const known of [true, false]) {
        expect((await replayed(venue, 'tob', outcomeId, known)).length, outcomeId).toBe(1)
        expect(await replayed(venue, 'trades', outcomeId, known), outcomeId).toMatchObject([{ outcomeId, size: 5 }])
        expect((await replayed(venue, 'candles', outcomeId, known)).length, outcomeId).toBe(1)
      }
    }
  })

  test('replay accepts an id with its venue in front, in any case, together with a marketId in either form', async () => {
    for (const { outcomeId } of outcomes()) {
      const qualified = `${venue}:${outcomeId}`
      for (const known of [true, false]) {
        expect((await replayed(venue, 'trades', qualified, known)).length, qualified).toBe(1)
      }
      const loud = `${venue.toUpperCase()}:${outcomeId}`
      for (const market of [marketId(), `${venue}:${marketId()}`]) {
        expect((await replayed(venue, 'tob', loud, true, market)).length, loud).toBe(1)
      }
    }
  })

  test('single reads of trades, candles and archived books find both outcomes', async () => {
    const tape = createClickhouseTape(opened.store, bookOf)
    for (const { outcomeId } of outcomes()) {
      expect(await tape.findTrades(venue, outcomeId, { limit: 5 }, marketId())).toMatchObject([
        { outcomeId, amount: 5 },
      ])
      expect(await tape.findCandles(venue, outcomeId, { resolutionMs: 60_000, limit: 5 }, marketId())).toHaveLength(1)
      expect(await tape.findBook(venue, outcomeId, now, marketId())).not.toBeNull()
      expect(await tape.hasOutcome(venue, outcomeId, marketId())).toBe(true)
    }
  })

  test('trades recorded for the tape are requested by book id alone, and are the trades of the outcome', async () => {
    const { manifest, context: limited } = venues.list.find((each) => each.manifest.slug === venue)!
    const context = { ...limited, http }
    const { fetchTrades, bookRef } = manifest.data as VenueData
    if (fetchTrades === undefined) return expect(hasTradesTape(manifest.data)).toBe(false)
    const [{ outcomeId }] = outcomes() as [Outcome]
    const { bookId } = bookRef(outcomeId, marketId())!
    const { sourceMetadata, eventId } = markets.get(venue)!
    const fetchRecent = (ref: OutcomeRef) => fetchTrades(context, ref, { limit: 500 })
    const byBook = await fetchRecent({ outcomeId: bookId, marketId: bookId, eventId: null, metadata: {} })
    const byOutcome = await fetchRecent({ outcomeId, marketId: marketId(), eventId, metadata: sourceMetadata })
    expect(byBook.length).toBeGreaterThan(0)
    const known = new Set(byOutcome.map(({ id }) => id))
    expect(byBook.some(({ id }) => known.has(id))).toBe(true)
    for (const trade of byBook) expect(trade.outcomeId).toBe(bookId)
  })

  test('coverage and price changes of both outcomes are found', async () => {
    const facts = createOutcomeFacts(opened.store, bookOf)
    const names = outcomes().map(({ outcomeId }) => ({ outcomeId, marketId: marketId() }))
    const coverage = await facts.findCoverage(venue, names, now)
    const changes = await facts.findPriceChanges(venue, names, now)
    for (const { outcomeId } of outcomes()) {
      expect(coverage.get(outcomeId), outcomeId).toMatchObject({ mechanism: 'rest-adaptive' })
      expect(changes.get(outcomeId), outcomeId).toMatchObject({ priceChange1m: 0 })
    }
  })
})
