// Lines built from the engine's columns equal the lines that the engine prints, byte for byte: the same pages of the same tape, both ways.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClickhouseTape } from '#history/clickhouseTape'
import { encodeInline } from '#history/lines/rowEncoderWorker'
import type { MarketHistory, ReplayQuery } from '#history/tape'
import { recordedTops } from '#test/bench/tapeRows'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import { sharedFixture } from '#test/support/fixtures'
import { asPrinted, pageOf, pagesOf } from '#test/support/replayPages'
import { isLong } from '#test/support/shortRuns'

const start = Date.UTC(2026, 5, 7)
/** `…-NO` is the other side of its prefix. */
const bookOf = (_venue: string, id: string) =>
  id.endsWith('-NO') ? { bookId: id.slice(0, -3), complement: true } : { bookId: id, complement: false }

let opened: TestTape
let made: MarketHistory
let printed: MarketHistory
beforeAll(async () => {
  opened = await openTestTape()
  made = createClickhouseTape(opened.store, bookOf, { lines: encodeInline() })
  printed = createClickhouseTape(opened.store, bookOf, { lines: asPrinted })
})
afterAll(() => opened?.close())

type PageQuery = Omit<ReplayQuery, 'signal' | 'after' | 'venue' | 'outcomeIds' | 'lines'>
const window = { sinceMs: start, untilMs: start + 3_600_000 }

async function expectAlike(venue: string, outcomeId: string, pageQuery: PageQuery): Promise<void> {
  for (const id of [outcomeId, `${outcomeId}-NO`]) await expectSame({ venue, outcomeIds: [id], ...pageQuery })
}

async function expectSame(query: Omit<ReplayQuery, 'signal' | 'after'>): Promise<void> {
  const pages = await pagesOf(made, query)
  expect(pages).toEqual(await pagesOf(printed, query))
  const csv = pages.map(({ text, end }) => ({ text: csvOf(text), end }))
  expect(await pagesOf(made, { ...query, lines: 'csv' })).toEqual(csv)
  const withoutLines = pages.map(({ end }) => ({ text: '', end }))
  expect(await pagesOf(made, { ...query, lines: null })).toEqual(withoutLines)
}

/** Bytes as Latin-1, like the pages. Numbers are copied as written. */
function csvOf(ndjson: string): string {
  const lines = Buffer.from(ndjson, 'latin1').toString().split('\n').slice(0, -1)
  const rows = lines.map((line) => {
    const values = [...line.matchAll(/"(\w+)":("(?:[^"\\]|\\.)*"|[^,}]+)/g)].filter(([, name]) => name !== 'k')
    return `${values.map(([, , value]) => csvValue(value!)).join(',')}\n`
  })
  return Buffer.from(rows.join('')).toString('latin1')
}

function csvValue(json: string): string {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return json
  const stored = JSON.parse(json) as string
  // A spreadsheet would run it as a formula.
  const text = /^[=+\-@\t\r]/.test(stored) ? `'${stored}` : stored
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`
const insert = (table: string, columns: string, rows: readonly (readonly (string | number | bigint)[])[]) =>
  opened.store.command(
    `INSERT INTO ${table} (${columns}) VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
  )

const max = (bits: number): bigint => 2n ** BigInt(bits) - 1n
const unsigned = (bits: number, ...ordinary: fc.Arbitrary<number>[]): fc.Arbitrary<bigint> =>
  fc.oneof(
    ...ordinary.map((one) => one.map(BigInt)),
    fc.bigInt({ min: 0n, max: max(bits) }),
    fc.constantFrom(
      0n,
      1n,
      max(bits),
      max(bits) - 1n,
      ...(bits > 53 ? [max(53), 2n ** 53n, 858_993_459_200n, 900_000_000_000n] : []),
    ),
  )
const longs = (...ordinary: fc.Arbitrary<number>[]): fc.Arbitrary<bigint> =>
  fc.oneof(
    ...ordinary.map((one) => one.map(BigInt)),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(0n, -1n, 2n ** 53n, -(2n ** 53n), -BigInt(start) - 1n),
  )
const ts = fc.integer({ min: start, max: start + 20_000 })
const delay = longs(fc.integer({ min: -200, max: 900 }))
const tick = unsigned(16, fc.integer({ min: 0, max: 10_000 }), fc.constant(65_535))
const fine = unsigned(8, fc.constant(0), fc.integer({ min: 0, max: 99 }))
const size = unsigned(64, fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 2 ** 40 }))
const sizeFine = unsigned(16, fc.constant(0), fc.integer({ min: 0, max: 9_999 }))
/** Characters that JSON and CSV escape, and others. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'"\\/,\b\f\n\r\t\u0001\u001f\u007f\u2028\u2029\u202aâ€é😀'),
    fc.string({ maxLength: 1 }),
  ),
  maxLength: 24,
})
/** Two to a handful of pages. */
const limit = fc.integer({ min: 15, max: 60 })
const runs = process.env.CROSSBOOK_TEST_LONG === '1' ? 60 : 3
const several = { minLength: 30, maxLength: 90 }

describe('lines built from columns equal what the engine prints', () => {
  test('for top of book with any values', async () => {
    const row = fc.tuple(
      ts,
      delay,
      fc.integer({ min: 0, max: 12 }),
      ...[tick, fine, size, sizeFine, tick, fine, size, sizeFine],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, several), limit, async (rows, limit) => {
        const outcome = randomUUID()
        await insert(
          'top_of_book',
          'venue, outcome_id, ts, recv_delay, seq, bid, bid_fine, bid_size, bid_size_fine, ask, ask_fine, ask_size, ask_size_fine',
          rows.map((row) => ["'kalshi'", quote(outcome), ...row]),
        )
        await expectAlike('kalshi', outcome, { kind: 'tob', ...window, limit })
      }),
      { numRuns: runs },
    )
  }, 300_000)

  test('for full depth', async () => {
    const row = fc.tuple(
      ts,
      delay,
      fc.constantFrom(1n, 2n, max(64)),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 2 }),
      ...[tick, fine, size, sizeFine],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, several), limit, async (rows, limit) => {
        const outcome = randomUUID()
        await insert(
          'depth',
          'venue, outcome_id, recv_ts, recv_delay, epoch, seq, type, side, price, price_fine, size, size_fine',
          rows.map((row) => ["'kalshi'", quote(outcome), ...row]),
        )
        await expectAlike('kalshi', outcome, { kind: 'l2', ...window, limit })
      }),
      { numRuns: runs },
    )
  }, 300_000)

  test('for trades and candles', async () => {
    const price = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(4_294_967_295, 4_294_967_294))
    const side = fc.constantFrom("'buy'", "'sell'", "'unknown'")
    const row = fc.tuple(ts, text, delay, price, size, side, fc.option(text))
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 30, maxLength: 60 }),
        text,
        fc.integer({ min: 25, max: 60 }),
        async (rows, name, limit) => {
          const outcome = `${randomUUID()}${name}`
          await insert(
            'trades',
            'venue, outcome_id, ts, trade_id, recv_delay, price, size, side, transaction_hash',
            rows.map(([ts, id, delay, price, size, side, hash]) => [
              ...["'kalshi'", quote(outcome), ts, quote(id), delay, price, size, side],
              hash === null ? 'NULL' : quote(hash),
            ]),
          )
          await expectAlike('kalshi', outcome, { kind: 'trades', ...window, limit })
          await expectAlike('kalshi', outcome, { kind: 'candles', resolution: '5s', ...window, limit })
          const two = [outcome, randomUUID()]
          await expectSame({ venue: 'kalshi', outcomeIds: two, kind: 'trades', ...window, limit })
        },
      ),
      { numRuns: Math.ceil(runs / 2) },
    )
  }, 120_000)

  test.skipIf(sharedFixture('kalshi/ws_tape_btc15m') === null)(
    'for a recorded session',
    async () => {
      const { batches } = recordedTops(isLong ? undefined : 1)!
      const [largest] = batches.toSorted((a, b) => b.topOfBook.length - a.topOfBook.length)
      const { venue, outcomeId, topOfBook } = largest!
      await opened.insert([largest!])
      const [first, last] = [topOfBook[0]!.ts, topOfBook.at(-1)!.ts]
      await expectAlike(venue, outcomeId, { kind: 'tob', sinceMs: first, untilMs: last, limit: 20_000 })
    },
    60_000,
  )
})

test('ends a page after the last of several tied rows, even when they exceed the page size and span blocks', async () => {
  const outcome = randomUUID()
  const rows = (from: string, ts: string) =>
    opened.store.command(
      `INSERT INTO top_of_book SELECT 'kalshi', '${outcome}', ${ts}, 5, 0, 4000, 0, number % 1000, 0, 6000, 0, 7, 0 FROM numbers(${from})`,
    )
  await rows('9000', `${start} + number`)
  await rows('20000', String(start + 9_000))
  await rows('10', `${start} + 9001 + number`)
  const query = { venue: 'kalshi', outcomeIds: [outcome], kind: 'tob', ...window, limit: 9_001 } as const
  const pages = await pagesOf(made, query)
  expect(pages.map(({ end }) => end.rows)).toEqual([29_000, 10])
  expect(pages).toEqual(await pagesOf(printed, query))
})

test('falls back to pages printed by the engine when its column types differ, from then on directly', async () => {
  const outcome = randomUUID()
  await insert('top_of_book', 'venue, outcome_id, ts, recv_delay, seq, bid, bid_size, ask, ask_size', [
    ["'kalshi'", quote(outcome), start, 5, 0, 4_000, 100, 65_535, 0],
  ])
  const statements: string[] = []
  const warned: unknown[] = []
  const other = createClickhouseTape(
    {
      ...opened.store,
      stream(sql, parameters, signal) {
        statements.push(sql)
        return opened.store.stream(sql.replace('t.seq AS seq', 'toUInt32(t.seq) AS seq'), parameters, signal)
      },
    },
    bookOf,
    { log: { warn: (...words: unknown[]) => void warned.push(words) } },
  )
  const query = { venue: 'kalshi', outcomeIds: [outcome], kind: 'tob', ...window, limit: 5 } as const
  const [first, second] = [await pageOf(other, query), await pageOf(other, query)]
  expect(first).toEqual(await pageOf(made, query))
  expect(first.text).toContain('"seq":0')
  expect(second).toEqual(first)
  expect(statements.map((sql) => /FORMAT (\w+)/.exec(sql)![1])).toEqual(['Native', 'RawBLOB', 'RawBLOB'])
  expect(warned).toHaveLength(1)
})
