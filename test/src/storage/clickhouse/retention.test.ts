// Retention on the real engine: expired rows are removed, and coverage, counts and daily files reflect it.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '#config'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startDailyExport } from '#history/files/dailyExportJob'
import { FileStore } from '#history/files/fileStore'
import { createOutcomeFacts } from '#history/outcomeStats'
import { countTapedTrades } from '#history/recordedTrades'
import { createTapeCoverage } from '#history/tapeCoverage'
import type { RetainedTable } from '#schemas/history'
import { recordsDepth } from '#schemas/topics'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { applyRetention, findExpired } from '#storage/clickhouse/retention'
import { publishWatermark } from '#storage/clickhouse/watermark'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'

const dayMs = 86_400_000
const now = Date.now()
const today = Math.floor(now / dayMs) * dayMs
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const outcomeId = 'A'
const venue = 'kalshi'
/** Days before today with recorded rows, the last one yesterday. */
const tapedDays = [100, 50, 20, 10, 1]

let tape: TestTape
beforeAll(async () => {
  tape = await openTestTape()
  const event = { venue, outcomeId, mechanism: 'ws-lossless', effectiveIntervalMs: null } as const
  const opened = today - 100 * dayMs
  await insertCoverage(
    tape.store,
    [
      { ...event, kind: 'opened', reason: null, at: opened },
      { ...event, kind: 'resumed', reason: recordsDepth, at: opened + 1 },
    ],
    'coverage',
  )
  await tape.insert(
    tapedDays.map((days) => {
      const batch = emptyBatch(venue, outcomeId)
      const ts = today - days * dayMs + 3_600_000
      const row = { venue, outcomeId, ts, recvTs: ts + 5 }
      batch.topOfBook.push({ ...row, bidMicros: 400_000, bidSize: 1, askMicros: 500_000, askSize: 1 })
      batch.trades.push({
        ...row,
        tradeId: `t${days}`,
        priceMicros: 450_000,
        size: 1,
        side: 'buy',
        transactionHash: null,
      })
      return batch
    }),
  )
})
afterAll(() => tape?.close())

const apply = (wanted: Partial<Record<RetainedTable, number | null>>) =>
  applyRetention(tape.store, new Map(Object.entries(wanted) as [RetainedTable, number | null][]), silentLog)

/** What the engine does in the background within hours. */
const letGo = (table: RetainedTable) => tape.store.command(`OPTIMIZE TABLE ${table} FINAL`)

const daysIn = async (table: RetainedTable): Promise<number[]> =>
  (await tape.store.rows<{ ts: number }>(`SELECT ts FROM ${table} ORDER BY ts FORMAT JSONEachRow`)).map(
    ({ ts }) => (today - Math.floor(ts / dayMs) * dayMs) / dayMs,
  )

const isAbout = (actual: number | undefined, days: number): void => {
  const expected = Date.now() - days * dayMs
  expect(actual).toBeGreaterThan(expected - 600_000)
  expect(actual).toBeLessThan(expected + 600_000)
}

const window = { sinceMs: today - 31 * dayMs, untilMs: now }
/** Reads time out after four seconds, which can happen on a busy machine. */
const patiently = <T>(look: () => Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 40_000, interval: 100 })
const coveredIn = (span: typeof window) =>
  patiently(async () => (await createTapeCoverage(tape.store).find(venue, outcomeId, undefined, span, now))!)
const covered = () => coveredIn(window)

describe('retention', () => {
  test('keeps everything and reports no gap by default', async () => {
    expect(await applyRetention(tape.store, readConfig({}).retention, silentLog)).toEqual([])
    expect(await findExpired(tape.store)).toEqual(new Map())
    expect(await covered()).toMatchObject({ tapeSince: new Date(today - 100 * dayMs).toISOString(), gaps: [] })
  })

  test('changes only tables whose setting differs', async () => {
    expect(await apply({ trades: 90 })).toEqual(['trades'])
    expect(await apply({ trades: 90 })).toEqual([])
    await letGo('trades')
    await letGo('top_of_book')
    expect(await daysIn('trades')).toEqual(tapedDays.slice(1))
    expect(await daysIn('top_of_book')).toEqual(tapedDays)
    const expired = await findExpired(tape.store)
    expect([...expired.keys()]).toEqual(['trades'])
    isAbout(expired.get('trades'), 90)
  })

  test('reports coverage from the first remaining row, and one gap per kind of removed rows', async () => {
    await apply({ trades: 15, top_of_book: 30 })
    await letGo('trades')
    const { tapeSince, tradesSince, depthSince, gaps } = await covered()
    isAbout(Date.parse(tapeSince), 30)
    isAbout(Date.parse(tradesSince!), 15)
    expect(depthSince).toBe(new Date(today - 100 * dayMs + 1).toISOString())
    expect(gaps.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['gap', 'tops of books of this period are past their retention'],
      ['gap', 'trades of this period are past their retention'],
    ])
    for (const { from, to } of gaps) {
      expect(from).toBe(new Date(today - 100 * dayMs).toISOString())
      expect([tapeSince, tradesSince]).toContainEqual(expect.stringContaining(to!.slice(0, 16)))
    }
    const paced = await patiently(() => createTapeCoverage(tape.store).gaps(venue, outcomeId, undefined, window))
    expect(paced.filter(({ reason }) => reason?.startsWith('trades'))).toHaveLength(1)
    const facts = createOutcomeFacts(tape.store)
    const known = (await patiently(() => facts.findCoverage(venue, [{ outcomeId }], now))).get(outcomeId)!
    isAbout(Date.parse(known.tradesSince!), 15)
  })

  test('reports the gaps of a window in which everything was removed', async () => {
    const gone = { sinceMs: today - 60 * dayMs, untilMs: today - 40 * dayMs }
    expect((await coveredIn(gone)).gaps).toHaveLength(2)
  })

  test('restores nothing when the period is extended or unlimited', async () => {
    await apply({ trades: 60, depth: 40 })
    isAbout((await findExpired(tape.store)).get('trades'), 15)
    await apply({ trades: null, depth: null })
    const expired = await findExpired(tape.store)
    isAbout(expired.get('trades'), 15)
    isAbout(expired.get('depth'), 40)
    const depth = await patiently(() => createOutcomeFacts(tape.store).findDepthSince(venue, [{ outcomeId }]))
    isAbout(depth.get(outcomeId), 40)
  })

  test('does not count trades or export files for days whose trades were removed', async () => {
    const of = (days: number) => ({ fromMs: today - days * dayMs, beforeMs: today - (days - 1) * dayMs })
    await apply({ trades: 4 })
    expect(await countTapedTrades(tape.store, venue, of(5))).toBeNull()
    expect(await countTapedTrades(tape.store, venue, of(1))).toBe(1)

    const clock = new ManualClock(now)
    const writer = publishWatermark({ store: tape.store, clock, log: silentLog, writer: 'w', until: () => now })
    await writer.stop(true)
    const root = join(tape.dataDir, 'files')
    const keeper = startDailyExport({
      store: tape.store,
      root,
      venues: [venue],
      days: 5,
      bytesMax: 1e9,
      clock,
      log: silentLog,
    })
    await keeper.round()
    await keeper.stop()
    const made = (await new FileStore(root).list()).map(({ date, kind }) => `${date} ${kind}`)
    expect(made).toContain(`${dayOf(today - 5 * dayMs)} tob`)
    expect(made).not.toContain(`${dayOf(today - 5 * dayMs)} trades`)
    expect(made).toContain(`${dayOf(today - 2 * dayMs)} trades`)
  }, 60_000)

  test('leaves a TTL set by someone else alone and promises nothing about that table', async () => {
    await tape.store.command(`ALTER TABLE books MODIFY TTL toDateTime(intDiv(ts, 1000), 'UTC') + INTERVAL 9 HOUR`)
    expect(await apply({})).toEqual([])
    isAbout((await findExpired(tape.store)).get('books'), 0)
    expect(await apply({ books: 3 })).toEqual(['books'])
    expect((await findExpired(tape.store)).get('books')).toBeGreaterThan(now - dayMs)
  })
})

test('rejects an invalid period before anything starts', () => {
  expect(readConfig({ CROSSBOOK_RETENTION_TRADES: '90d' }).retention.get('trades')).toBe(90)
  expect(readConfig({ CROSSBOOK_RETENTION_DEPTH: 'forever' }).retention.get('depth')).toBeNull()
  for (const wrong of ['90', '1d', '0d', '3 months', '99999d'])
    expect(() => readConfig({ CROSSBOOK_RETENTION_TOP_OF_BOOK: wrong }), wrong).toThrow(
      'CROSSBOOK_RETENTION_TOP_OF_BOOK:',
    )
})
