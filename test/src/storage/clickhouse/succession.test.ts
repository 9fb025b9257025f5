// A tape writer that crashed: its books have a gap from its watermark on, and the successor continues at once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createTapeCoverage } from '#history/tapeCoverage'
import { type CoverageEvent, takeoverMarker, writerEnded } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { allWritten, handOverMs, insertProgress, kafkaLagMs, publishWatermark } from '#storage/clickhouse/watermark'
import { startTapeWriter } from '#storage/clickhouse/writer'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'

// The engine expires old watermarks by its own clock.
const start = Date.now()
const clock = new ManualClock(start)
let tape: TestTape
beforeAll(async () => {
  tape = await openTestTape()
})
afterAll(() => tape?.close())

const event = (outcomeId: string, kind: CoverageEvent['kind'], at: number) => ({
  venue: 'kalshi',
  outcomeId,
  kind,
  mechanism: 'ws-lossless' as const,
  effectiveIntervalMs: null,
  reason: null,
  at,
})
let inserts = 0
const happened = (...events: ReturnType<typeof event>[]) => insertCoverage(tape.store, events, `test:${inserts++}`)
const coverageOf = async (outcomeId: string) => {
  const now = clock.now()
  const window = { sinceMs: start - 3_600_000, untilMs: now }
  const [found] = await createTapeCoverage(tape.store).findAll('kalshi', [outcomeId], window, now)
  return { completeUntil: found?.completeUntil, gaps: found?.gaps }
}
const iso = (at: number): string => new Date(at).toISOString()
const bus = () =>
  createLocalBus({
    onError: (error) => {
      throw error
    },
  })

test('a crash leaves a gap from the watermark, and the successor advances the watermark at once', async () => {
  await happened(event('again', 'opened', start - 60_000), event('left', 'opened', start - 60_000))
  await happened(event('closed', 'opened', start - 60_000), event('closed', 'closed', start - 50_000))
  const dead = publishWatermark({
    store: tape.store,
    clock,
    log: silentLog,
    writer: 'dead',
    until: () => clock.now() - 1_000,
  })
  await dead.report()
  // It crashes, so it does not stop in order.
  await dead.stop(false)
  const writtenUntil = start - 1_000
  clock.advance(20_000)

  const startedAt = clock.now()
  const writer = await startTapeWriter({ bus: bus(), store: tape.store, clock, log: silentLog, mode: 'local' })
  const gap = { kind: 'gap', from: iso(writtenUntil), reason: writerEnded }
  await expect
    .poll(() => coverageOf('again'), { timeout: 10_000 })
    .toEqual({ completeUntil: iso(writtenUntil), gaps: [{ ...gap, to: null }] })
  expect(await coverageOf('closed')).toMatchObject({ gaps: [{ kind: 'closed', from: iso(start - 50_000) }] })

  clock.advance(500)
  // Ingest takes the venue over and opens one of its books again.
  await happened(event(takeoverMarker, 'opened', startedAt + 100), event('again', 'opened', startedAt + 200))
  await expect
    .poll(() => coverageOf('again'), { timeout: 10_000 })
    .toEqual({ completeUntil: iso(startedAt - handOverMs), gaps: [{ ...gap, to: iso(startedAt + 200) }] })
  expect((await coverageOf('left')).gaps).toEqual([
    { ...gap, to: iso(startedAt + 100) },
    { kind: 'closed', from: iso(startedAt + 100), to: null, reason: 'not watched since its writer ended' },
  ])
  await writer.stop()

  // A writer that stopped in order leaves no gap.
  const next = await startTapeWriter({ bus: bus(), store: tape.store, clock, log: silentLog, mode: 'local' })
  await next.stop()
  expect((await coverageOf('again')).gaps).toEqual([{ ...gap, to: iso(startedAt + 200) }])
})

test('a gap that no writer recorded begins at the last row before its end', async () => {
  const row = (ts: number) => ({
    venue: 'kalshi',
    outcomeId: 'rows',
    ts,
    recvTs: ts + 5,
    bidMicros: 400_000,
    bidSize: 1,
    askMicros: 600_000,
    askSize: 1,
  })
  const at = start - 1_000_000
  await happened(event('rows', 'opened', at), event('rows', 'opened', at + 9_000), event('rows', 'opened', at + 30_000))
  await tape.insert([{ ...emptyBatch('kalshi', 'rows'), topOfBook: [row(at + 1), row(at + 4_000), row(at + 10_000)] }])
  expect((await coverageOf('rows')).gaps?.slice(0, 2)).toMatchObject([
    { from: iso(at + 4_005), to: iso(at + 9_000) },
    { from: iso(at + 10_005), to: iso(at + 30_000) },
  ])
})

test('over Kafka the only reader ends the watermarks of other writers at once, except one that lagged', async () => {
  const now = clock.now()
  const died = (writer: string, lagMs: number) =>
    insertProgress(tape.store, { writer, until: now - kafkaLagMs - lagMs, at: now }, `${writer}/test`)
  const marks = () =>
    tape.store.rows<{ writer: string; isEnded: number }>(
      "SELECT writer, until = {end:UInt64} AS isEnded FROM tape_progress FINAL WHERE writer IN ('even', 'behind') ORDER BY writer FORMAT JSONEachRow",
      { end: allWritten },
    )
  await died('even', 0)
  await died('behind', 60_000)
  clock.advance(20_000)
  const kafka: Bus = {
    ...bus(),
    async consume(_topic, _group, _handle, onSoleReader) {
      onSoleReader?.()
      return async () => undefined
    },
  }
  const writer = await startTapeWriter({ bus: kafka, store: tape.store, clock, log: silentLog, mode: 'kafka' })
  await expect.poll(marks, { timeout: 10_000 }).toEqual([
    { writer: 'behind', isEnded: 0 },
    { writer: 'even', isEnded: 1 },
  ])
  await writer.stop()
})
