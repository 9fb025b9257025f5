// A day of tape of several markets and venues, written through ingest's own books, the bus and the writer; and all of its input, to compare
// with the output.
import { expect, vi } from 'vitest'
import { DepthTape } from '#actors/ingest/depthRecorder'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { ASK, BID } from '#core/books/book'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng, type Prng } from '#lab/prng'
import { recordsDepth, type TapeBatch } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import type { TapeStore } from '#storage/clickhouse/client'
import { unitsOf } from '#storage/clickhouse/columnBuffers'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { startTapeWriter } from '#storage/clickhouse/writer'
import type { BookSide } from '#venues/venue'

export const dayMs = 86_400_000
export const kinds = ['tob', 'trades', 'l2'] as const
export type Kind = (typeof kinds)[number]
export type Row = Record<string, unknown>
export interface Market {
  venue: string
  outcomeId: string
}

/** The expected output of a replay, as text, so that hundreds of thousands of books fit into memory. */
export interface ExpectedFrame extends Market {
  /** When it was received, epoch ms. */
  at: number
  kind: 'book' | 'trade'
  text: string
}

export interface DayOfTape {
  since: number
  date: string
  markets: readonly Market[]
  taped: Record<Kind, (Row & Market)[]>
  /** In the order in which it happened, over all markets. */
  expected: ExpectedFrame[]
  /** An interval of the first market in which rows may be missing. */
  gap: { from: number; to: number; reason: string }
}

export interface DayOptions {
  /** Its start, epoch ms. */
  since: number
  markets: readonly Market[]
  changes: number
}

const depthShown = 64
/** Whole books are recorded every ten minutes, and confirmations of unchanged ones: ingest checks what is due. */
const sweepEveryMs = 30_000
const epoch = 7

export async function writeDay(store: TapeStore, { since, markets, changes }: DayOptions): Promise<DayOfTape> {
  const clock = new ManualClock(since)
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const writer = await startTapeWriter({ bus, store, clock, log: silentLog, mode: 'local' })
  const reason = 'the venue did not answer'
  const day: DayOfTape = {
    ...{ since, date: new Date(since).toISOString().slice(0, 10), markets, expected: [] },
    taped: { tob: [], trades: [], l2: [] },
    gap: { from: since + dayMs / 4, to: since + dayMs / 4 + 60_000, reason },
  }
  const random = createPrng('a day of tape')
  const writing = [...new Set(markets.map(({ venue }) => venue))].map((venue) => openVenue(venue, markets, clock))

  const owned = {
    ready: () => bus.ready(),
    publish(topic: 'tape', key: string, value: TapeBatch) {
      note(day.taped, { ...value, epoch })
      bus.publish(topic, key, { ...value, epoch })
    },
  }
  const flush = async (): Promise<void> => {
    for (const { tape } of writing) await tape.flush(owned as never, () => ({}) as never)
  }

  await writeCoverage(store, day)
  let swept = since
  for (let i = 0; i < changes; i++) {
    // Not close to midnight: what was seen a moment before belongs to the day before.
    const at = since + 1_000 + Math.floor((i * (dayMs - 2_000)) / changes)
    while (at - swept > sweepEveryMs) {
      swept += sweepEveryMs
      clock.advance(swept - clock.now())
      for (const { depth } of writing) depth.sweep()
    }
    clock.advance(at - clock.now())
    const { tape, books } = writing[random.int(writing.length)]!
    const book = books[random.int(books.length)]!
    move(random, book, clock.now())
    if (book.shown) day.expected.push(expectedBook(book, clock.now()))
    if (random.chance(0.005)) book.markStale('gap')
    if (random.chance(0.1)) day.expected.push(trade(random, tape, book, clock.now(), i))
    if (i % 100 === 99) await flush()
    if (i % 20_000 === 19_999)
      await vi.waitFor(() => expect(writer.stats().backlogRows).toBeLessThan(100_000), {
        timeout: 60_000,
        interval: 50,
      })
  }
  await flush()
  await writer.stop()
  expect(writer.stats()).toMatchObject({ rowsLost: 0, rowsRejected: 0, backlogRows: 0 })
  return day
}

/** Writes a venue's markets: their rows are gathered in one buffer. */
function openVenue(venue: string, markets: readonly Market[], clock: ManualClock) {
  const tape = new TapeBuffer(venue)
  const depth = new DepthTape({ tape, now: () => clock.now() })
  const books = markets
    .filter((market) => market.venue === venue)
    .map(
      ({ outcomeId: marketId }) =>
        new IngestBook({
          ...{ venue, marketId, tickMicros: 10_000, tape, depth: depth.open(marketId), beat: { at: 0 } },
          ...{ onDirty: () => undefined, onSynced: () => undefined },
        }),
    )
  return { tape, depth, books }
}

function move(random: Prng, book: IngestBook, now: number): void {
  const isWhole = !book.synced || random.chance(0.02)
  if (isWhole) book.beginSnapshot()
  for (let n = isWhole ? 20 : 1 + random.int(3); n > 0; n--) {
    const step = random.int(20) * 10_000
    const size = random.chance(0.2) ? 0 : Math.round(random.next() * 1e8) / 1e4
    if (random.chance(0.5)) book.set(BID, 490_000 - step, size)
    else book.set(ASK, 500_000 + step, size)
  }
  book.commit(now - random.int(50), now)
}

function trade(random: Prng, tape: TapeBuffer, { venue, marketId }: IngestBook, now: number, i: number): ExpectedFrame {
  const priceMicros = random.chance(0.05) ? null : 10_000 * (1 + random.int(99))
  const side = (['buy', 'sell', 'unknown'] as const)[random.int(3)]!
  const transactionHash = random.chance(0.3) ? `0x${i.toString(16).padStart(64, '0')}` : null
  const [tradeId, size] = [`t${i}`, 1 + i / 4]
  tape.trade({
    ...{ venue, outcomeId: marketId, tradeId, ts: now, recvTs: now, priceMicros, size, side, transactionHash },
  })
  const price = priceMicros === null ? null : priceMicros / 1e6
  const text = tradeText({ id: tradeId, timestamp: now, type: types[side], shares: size, price, transactionHash })
  return { venue, outcomeId: marketId, at: now, kind: 'trade', text }
}

const types = { buy: 'Buy', sell: 'Sell', unknown: 'Unknown' } as const

async function writeCoverage(store: TapeStore, { since, markets, gap }: DayOfTape): Promise<void> {
  for (const { venue, outcomeId } of markets) {
    const event = { venue, outcomeId, mechanism: 'ws-lossless', effectiveIntervalMs: null, at: since } as const
    await insertCoverage(
      store,
      [
        { ...event, kind: 'opened', reason: null },
        { ...event, kind: 'resumed', reason: recordsDepth },
      ],
      `${venue} ${outcomeId}`,
    )
  }
  const event = { ...markets[0]!, mechanism: '', effectiveIntervalMs: null } as const
  await insertCoverage(
    store,
    [
      { ...event, kind: 'gap', at: gap.from, reason: gap.reason },
      { ...event, kind: 'resumed', at: gap.to, reason: null },
    ],
    'gap',
  )
}

function expectedBook(book: IngestBook, at: number): ExpectedFrame {
  const side = (of: BookSide): [number, number][] => {
    const [prices, sizes] = [new Int32Array(depthShown), new Float64Array(depthShown)]
    const count = book.copyLevels(of, depthShown, prices, sizes)
    return Array.from({ length: count }, (_, i) => [prices[i]! / 1e6, sizes[i]!])
  }
  const { venue, marketId, timestamp } = book
  return { venue, outcomeId: marketId, at, kind: 'book', text: bookText(timestamp, side(BID), side(ASK)) }
}

export const bookText = (timestamp: number, bids: [number, number][], asks: [number, number][]): string =>
  JSON.stringify([timestamp, bids, asks])

/** A complete trade, as the tape keeps it. */
export const tradeText = (trade: {
  id: string
  timestamp: number
  type: string
  shares: number
  price: number | null
  transactionHash: string | null
}): string => JSON.stringify(trade)

const exact = (size: number): number => unitsOf(size) / 1e6

function note(taped: DayOfTape['taped'], batch: TapeBatch): void {
  const { venue, outcomeId, topOfBook, trades, depth = [] } = batch
  for (const { ts, recvTs, bidMicros, bidSize, askMicros, askSize } of topOfBook) {
    const side = (micros: number | null, size: number) => (micros === null ? [null, null] : [micros / 1e6, exact(size)])
    const [bid, bidOf] = side(bidMicros, bidSize)
    const [ask, askOf] = side(askMicros, askSize)
    taped.tob.push({ venue, outcomeId, ts, bid, bidSize: bidOf, ask, askSize: askOf, recvTs })
  }
  for (const { tradeId, ts, recvTs, priceMicros, size, side, transactionHash } of trades) {
    const price = priceMicros === null ? null : priceMicros / 1e6
    taped.trades.push({ venue, outcomeId, ts, tradeId, price, size, side, transactionHash, recvTs })
  }
  for (const { type, ts, recvTs, seq, micros, sizes, bids } of depth) {
    const head = { venue, outcomeId, ts, type }
    const tail = { recvTs, seq, epoch }
    if (micros.length === 0) taped.l2.push({ ...head, side: null, price: null, size: null, ...tail })
    for (const [i, price] of micros.entries())
      taped.l2.push({ ...head, side: i < bids ? 'bid' : 'ask', price: price / 1e6, size: exact(sizes[i]!), ...tail })
  }
}
