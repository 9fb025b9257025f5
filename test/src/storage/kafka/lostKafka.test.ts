// A Kafka that restarts without its data, next to a ClickHouse that kept its own: offsets repeat, rows do not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import type { TapeBatch } from '#schemas/topics'
import { startTapeWriter } from '#storage/clickhouse/writer'
import { createKafkaBus } from '#storage/kafka/kafkaBus'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { eventually } from '#test/support/cluster/client'
import { startKafka } from '#test/support/kafka/broker'
import { hasKafka } from '#test/support/kafka/installed'

let tape: TestTape
beforeAll(async () => {
  tape = await openTestTape()
})
afterAll(() => tape?.close())

const batchAt = (ts: number): TapeBatch => ({
  venue: 'kalshi',
  outcomeId: 'A',
  topOfBook: [{ venue: 'kalshi', outcomeId: 'A', ts, recvTs: ts, bidMicros: 1, bidSize: 1, askMicros: 2, askSize: 1 }],
  trades: [],
  books: [],
})

async function storedTimes(): Promise<number[]> {
  const rows = await tape.store.rows<{ at: string }>(
    'SELECT toString(ts) AS at FROM top_of_book ORDER BY ts FORMAT JSONEachRow',
  )
  return rows.map(({ at }) => Number(at))
}

/** A new Kafka whose first row is written to the existing tape. */
async function writeThroughNewKafka(ts: number): Promise<void> {
  const kafka = await startKafka()
  try {
    const bus = await createKafkaBus({
      brokers: kafka.brokers,
      clientId: `writer-${ts}`,
      clock: systemClock,
      log: silentLog,
    })
    const writer = await startTapeWriter({
      bus,
      store: tape.store,
      clock: systemClock,
      log: silentLog,
      mode: 'kafka',
    })
    bus.publish('tape', 'kalshi:A', batchAt(ts))
    await eventually(() => expect(writer.stats().rowsWritten).toBe(1), 60_000)
    await writer.stop()
    await bus.close()
  } finally {
    await kafka.stop()
  }
}

describe.runIf(hasKafka)('a Kafka that lost its data', () => {
  it('loses no row to earlier rows with the same offsets', async () => {
    const [before, after] = [Date.now() - 60_000, Date.now()]
    await writeThroughNewKafka(before)
    expect(await storedTimes()).toEqual([before])
    await writeThroughNewKafka(after)
    expect(await storedTimes()).toEqual([before, after])
  }, 240_000)
})
