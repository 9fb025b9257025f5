// Volumes of the last day from a tape on the real engine, only if the tape has no gap in that day.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { DailyVolumesOfTape } from '#history/dailyVolumes'
import type { BookOf } from '#history/recordedOutcomeId'
import { type CoverageEvent, recordsTrades, type TapeTradeRow } from '#schemas/topics'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { sampleMarket } from '#test/src/marketData/catalog/samples'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'

const venue = 'sxbet'
const now = Date.UTC(2026, 10, 20)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** `No` reads the book of `Yes`, except in markets with two books. */
const bookOf: BookOf = (_venue, outcomeId) =>
  outcomeId.startsWith('two') || !outcomeId.endsWith(':No')
    ? { bookId: outcomeId, complement: false }
    : { bookId: outcomeId.replace(':No', ':Yes'), complement: true }

let ids = 0
const trade = (outcomeId: string, ts: number, more: Partial<TapeTradeRow> = {}): TapeTradeRow => ({
  venue,
  outcomeId,
  tradeId: `t${ids++}`,
  ts,
  recvTs: ts,
  priceMicros: 400_000,
  size: 10,
  side: 'buy',
  transactionHash: null,
  ...more,
})

const eventOf = (
  outcomeId: string,
  kind: CoverageEvent['kind'],
  at: number,
  more: Partial<CoverageEvent> = {},
): CoverageEvent => ({
  venue,
  outcomeId,
  kind,
  mechanism: 'ws-lossless',
  effectiveIntervalMs: null,
  reason: null,
  at,
  ...more,
})
const read = (outcomeId: string, at: number) =>
  eventOf(outcomeId, 'resumed', at, { mechanism: 'rest-adaptive', reason: recordsTrades })
const polled = (outcomeId: string, at: number) => eventOf(outcomeId, 'opened', at, { mechanism: 'rest-adaptive' })

const twice = trade('paid:Yes', now - hourMs)
const readEnd = now - 10 * 60_000
const breakAt = now - 2 * hourMs
const breaks = ['gap', 'closed', 'opened'] as const

const trades: Readonly<Record<string, TapeTradeRow[]>> = {
  'paid:Yes': [
    trade('paid:Yes', now - dayMs - 1_000),
    trade('paid:Yes', now - dayMs + 1_000),
    twice,
    { ...twice, recvTs: now },
    trade('paid:Yes', now - 1_000, { side: 'sell', priceMicros: 700_000 }),
  ],
  'nobodysSide:Yes': [trade('nobodysSide:Yes', now - hourMs, { side: 'unknown' })],
  'unpriced:Yes': [trade('unpriced:Yes', now - hourMs, { priceMicros: null })],
  'read:Yes': [
    trade('read:Yes', readEnd - dayMs - 1),
    trade('read:Yes', readEnd - hourMs),
    trade('read:Yes', readEnd + 1),
  ],
  'twoHalf:Yes': [trade('twoHalf:Yes', now - hourMs)],
  'two:Yes': [trade('two:Yes', now - hourMs)],
  'two:No': [trade('two:No', now - hourMs, { priceMicros: 600_000 })],
}
const coverage: CoverageEvent[] = [
  eventOf('paid:Yes', 'opened', now - dayMs - hourMs),
  eventOf('quiet:Yes', 'opened', now - dayMs),
  eventOf('young:Yes', 'opened', now - dayMs + 1),
  ...breaks.flatMap((kind) => [
    eventOf(`${kind}:Yes`, 'opened', now - 2 * dayMs),
    eventOf(`${kind}:Yes`, kind, breakAt),
    eventOf(`${kind}:Yes`, 'resumed', breakAt + 1_000),
  ]),
  eventOf('ended:Yes', 'opened', now - 2 * dayMs),
  eventOf('ended:Yes', 'closed', now - dayMs - hourMs),
  eventOf('nobodysSide:Yes', 'opened', now - 2 * dayMs),
  eventOf('unpriced:Yes', 'opened', now - 2 * dayMs),
  polled('read:Yes', readEnd - dayMs - hourMs),
  read('read:Yes', readEnd - dayMs - 60_000),
  read('read:Yes', readEnd),
  polled('readLate:Yes', now - 2 * dayMs),
  read('readLate:Yes', now - hourMs + 1),
  polled('readLongAgo:Yes', now - 2 * dayMs),
  read('readLongAgo:Yes', now - 2 * dayMs + 1_000),
  read('readLongAgo:Yes', now - 2 * hourMs),
  ...['twoHalf:Yes', 'two:Yes', 'two:No'].map((outcomeId) => eventOf(outcomeId, 'opened', now - 2 * dayMs)),
]

let opened: TestTape
beforeAll(async () => {
  opened = await openTestTape()
  await opened.insert(
    Object.entries(trades).map(([outcomeId, rows]) => ({ ...emptyBatch(venue, outcomeId), trades: rows })),
  )
  await insertCoverage(opened.store, coverage, 'coverage')
  // Delivered twice.
  await insertCoverage(opened.store, coverage.slice(3), 'again')
}, 60_000)
afterAll(() => opened?.close())

/** Volumes of markets with the outcomes `<id>:Yes` and `<id>:No`. */
async function volumesOf(ids: readonly string[], at = now): Promise<Record<string, number>> {
  const { store } = opened
  const volumes = new DailyVolumesOfTape({ store, venue, bookOf, clock: new ManualClock(at), log: silentLog })
  return Object.fromEntries((await volumes.at(at)).of(ids.map((id) => sampleMarket(id))))
}

describe('the volume of a day', () => {
  let known: Record<string, number>
  beforeAll(async () => {
    known = await volumesOf(['never', ...new Set(coverage.map(({ outcomeId }) => outcomeId.split(':')[0]!))])
  })

  test('adds up what takers paid: a seller of one side bought the other, and a repeated trade counts once', () => {
    expect(known.paid).toBe(4 + 4 + 3)
  })

  test('is zero for a full day without trades, and unknown for less than a day or without coverage', () => {
    expect(known).toMatchObject({ quiet: 0 })
    expect(known).not.toHaveProperty('young')
    expect(known).not.toHaveProperty('never')
  })

  test.each(breaks)('is unknown with “%s” in the day', (kind) => expect(known).not.toHaveProperty(kind))

  test('is unknown when recording has stopped', () => expect(known).not.toHaveProperty('ended'))

  test('is unknown with a trade of unknown price or side', () => {
    expect(known).not.toHaveProperty('nobodysSide')
    expect(known).not.toHaveProperty('unpriced')
  })

  test('ends with the last read when trades are polled, and covers the day before it', () => expect(known.read).toBe(4))

  test('is unknown when trades were not read at the start of the day, or not for an hour', () => {
    expect(known).not.toHaveProperty('readLate')
    expect(known).not.toHaveProperty('readLongAgo')
  })

  test('is known for a market with two books when both are known', () => {
    expect(known.two).toBe(10)
    expect(known).not.toHaveProperty('twoHalf')
  })
})

test('ignores a gap that is a day ago', async () => {
  expect(await volumesOf(breaks, breakAt + dayMs - 1)).toEqual({})
  expect(await volumesOf(breaks, breakAt + dayMs + 1_000)).toEqual({ gap: 0, closed: 0, opened: 0 })
})

test('is unknown without a response, and caches one response for a minute', async () => {
  const clock = new ManualClock(now)
  let queries = 0
  const down = {
    stream: () => Promise.reject(new Error('down')),
    rows: () => {
      queries++
      return Promise.reject(new Error('down'))
    },
  }
  const volumes = new DailyVolumesOfTape({ store: down, venue, bookOf, clock, log: silentLog })
  expect((await volumes.at(now)).of([sampleMarket('quiet')]).size).toBe(0)
  await volumes.at(now)
  expect(queries).toBe(1)
  clock.advance(60_000)
  await volumes.at(now)
  expect(queries).toBe(2)
})
