// Pages of history on a thread of their own.
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClickhouseTape } from '#history/clickhouseTape'
import type { RowEncoderWorker } from '#history/lines/rowEncoderWorker'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { pageOf } from '#test/support/replayPages'
import { type HistoryEncoder, startHistoryEncoder } from '#workers/rowEncoderWorker'

const start = Date.UTC(2026, 5, 7)
let opened: TestTape
let lines: HistoryEncoder
const outcome = randomUUID()
const query = {
  venue: 'kalshi',
  outcomeIds: [outcome],
  kind: 'tob',
  sinceMs: start,
  untilMs: start + 3_600_000,
  limit: 20_000,
} as const

beforeAll(async () => {
  opened = await openTestTape()
  lines = startHistoryEncoder()
  await opened.store.command(
    `INSERT INTO top_of_book SELECT 'kalshi', '${outcome}', ${start} + number, 5, 0, number % 10000, 0, number, 0, 6000, 0, 7, 0 FROM numbers(30000)`,
  )
})
afterAll(async () => {
  await lines?.stop()
  await opened?.close()
})

test('pages encoded concurrently equal those encoded one after the other, on this thread', async () => {
  const here = createClickhouseTape(opened.store)
  const there = createClickhouseTape(opened.store, undefined, { lines })
  const queries = [0, 4_000, 8_000].map((after) => ({ ...query, sinceMs: start + after }))
  const pages = await Promise.all(queries.map((one) => pageOf(there, one)))
  for (const [i, one] of queries.entries()) expect(pages[i]).toEqual(await pageOf(here, one))
})

test('a reader that leaves cancels its page, and no other', async () => {
  const dropped: number[] = []
  const noted: RowEncoderWorker = {
    write: (request) => lines.write(request),
    drop(page) {
      dropped.push(page)
      lines.drop(page)
    },
  }
  const tape = createClickhouseTape(opened.store, undefined, { lines: noted })
  const page = await tape.replay({ ...query, after: null, signal: new AbortController().signal })
  for await (const chunk of page.chunks) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
  await expect(page.end).rejects.toThrow('the reader left')
  expect(dropped).toHaveLength(1)
  expect((await pageOf(tape, query)).end.rows).toBe(20_000)
})

test('a crashed thread fails its pages as temporarily unavailable, and the next page gets a new one', async () => {
  const filename = fileURLToPath(new URL('./faultyLines.worker.ts', import.meta.url))
  const faulty = startHistoryEncoder({ filename })
  try {
    const tape = createClickhouseTape(opened.store, undefined, { lines: faulty })
    await expect(pageOf(tape, { ...query, limit: 13 })).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
    expect((await pageOf(tape, { ...query, limit: 14 })).end.rows).toBe(14)
  } finally {
    await faulty.stop()
  }
})
