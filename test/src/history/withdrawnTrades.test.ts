// Trades withdrawn after a reorganisation are excluded from every read, in whatever order both were written. A trade
// whose block returned is included.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { DailyVolumesOfTape } from '#history/dailyVolumes'
import { countTapedTrades, findTapedSince } from '#history/recordedTrades'
import type { TapeTradeRow } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { startEventWriter } from '#storage/clickhouse/eventWriter'
import { sampleMarket, sampleOutcome } from '#test/src/marketData/catalog/samples'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'

const [venue, outcomeId] = ['rain', 'o']
const now = Date.UTC(2026, 10, 20)
const hourMs = 3_600_000

const trade = (tradeId: string, size: number, more: Partial<TapeTradeRow> = {}): TapeTradeRow => ({
  venue,
  outcomeId,
  tradeId,
  ts: now - hourMs,
  recvTs: now - hourMs + 1_000,
  priceMicros: 500_000,
  size,
  side: 'buy',
  transactionHash: null,
  ...more,
})

let opened: TestTape
beforeAll(async () => {
  opened = await openTestTape()
  const clock = new ManualClock(now)
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const writer = await startEventWriter('withdrawals', {
    bus,
    store: opened.store,
    clock,
    log: silentLog,
    mode: 'local',
  })
  const at = now - hourMs + 10_000
  for (const tradeId of ['gone', 'early', 'back'])
    bus.publish('withdrawals', `${venue}:${outcomeId}`, { venue, outcomeId, tradeId, at })
  await writer.stop()
  await bus.close()
  // Including trades written after their withdrawal.
  const trades = [
    trade('stays', 1),
    trade('gone', 2),
    trade('early', 4),
    trade('back', 8),
    trade('back', 8, { recvTs: at + 2_000 }),
  ]
  await opened.insert([{ ...emptyBatch(venue, outcomeId), trades }])
  const cover = {
    venue,
    outcomeId,
    kind: 'opened',
    mechanism: 'ws-lossless',
    effectiveIntervalMs: null,
    reason: null,
  } as const
  await insertCoverage(opened.store, [{ ...cover, at: now - 48 * hourMs }], 'cover')
}, 60_000)
afterAll(() => opened?.close())

test('excludes withdrawn trades from trade reads, their sums, replay, candles and daily volume', async () => {
  const tape = createClickhouseTape(opened.store)
  const range = { limit: 100 }
  const found = await tape.findTrades(venue, outcomeId, range)
  expect(found.map(({ id }) => id).sort()).toEqual(['back', 'stays'])
  const sums = await tape.sumTrades(venue, outcomeId, { startMs: 0, endMs: now, ...range })
  expect(sums).toEqual({ trades: 2, volume: '9', cash: '4.5' })
  const { signal } = new AbortController()
  const replay = {
    venue,
    outcomeIds: [outcomeId],
    sinceMs: now - 2 * hourMs,
    untilMs: now,
    limit: 100,
    after: null,
    signal,
  }
  const page = await tape.replay({ ...replay, kind: 'trades' })
  const lines: string[] = []
  for await (const chunk of page.chunks) lines.push(Buffer.from(chunk).toString())
  expect(lines.join('').match(/"tradeId":"\w+"/g)).toEqual(['"tradeId":"back"', '"tradeId":"stays"'])
  const [candle] = await tape.findCandles(venue, outcomeId, { resolutionMs: hourMs, ...range })
  expect(candle).toMatchObject({ volume: 9 })
  const bookOf = (_venue: string, bookId: string) => ({ bookId, complement: false })
  const volumes = new DailyVolumesOfTape({
    store: opened.store,
    venue,
    bookOf,
    clock: new ManualClock(now),
    log: silentLog,
  })
  const market = sampleMarket('m', { outcomes: [sampleOutcome('m', 'Yes', { outcomeId })] })
  expect((await volumes.at(now)).of([market]).get('m')).toBe(4.5)
})

test('counts a venue’s daily trades once each without withdrawn ones, and returns null for a day without coverage', async () => {
  const { store } = opened
  const dayMs = 24 * hourMs
  const count = (fromMs: number, of: string = venue) =>
    countTapedTrades(store, of, { fromMs, beforeMs: fromMs + dayMs })
  expect(await count(now - dayMs)).toBe(2)
  // Covered, but without trades.
  expect(await count(now - 2 * dayMs)).toBe(0)
  expect(await count(now - 3 * dayMs)).toBeNull()
  expect(await count(now)).toBeNull()
  expect(await count(now - dayMs, 'kalshi')).toBeNull()
  expect(await findTapedSince(store, venue, 0)).toBe(now - 48 * hourMs)
  expect(await findTapedSince(store, venue, now - 47 * hourMs)).toBeNull()
  expect(await findTapedSince(store, 'kalshi', 0)).toBeNull()
})
