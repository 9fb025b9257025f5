// The formats of replay on the real engine: in every format, each page has the same rows under the same cursors.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCursorCodec } from '#core/cursor'
import { createClickhouseTape } from '#history/clickhouseTape'
import { fieldsOf, parquetColumnsOf } from '#history/formats'
import { type ReplayDeps, startReplay } from '#history/replay'
import type { ReplayParams } from '#history/replayParams'
import type { TapeDepthRow } from '#schemas/topics'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { kindsOf } from '#test/support/tape/parquet'

const start = Date.UTC(2026, 5, 7)
const window = { since: String(start), until: String(start + 3_600_000) }
/** `T-NO` is the other side of T. */
const bookOf = (_venue: string, id: string) =>
  id === 'T-NO' ? { bookId: 'T', complement: true } : { bookId: id, complement: false }

let tape: TestTape
let deps: ReplayDeps

beforeAll(async () => {
  tape = await openTestTape()
  deps = {
    tape: createClickhouseTape(tape.store, bookOf),
    catalog: { findOutcomes: async () => [], findMarket: async () => null },
    cursors: createCursorCodec(randomBytes(32)),
    serves: () => true,
  }
  const batch = emptyBatch('kalshi', 'T')
  batch.topOfBook = Array.from({ length: 40 }, (_, i) => ({
    venue: 'kalshi',
    outcomeId: 'T',
    // Several rows per millisecond of event time, and several per millisecond of receive time.
    ts: start + Math.floor(i / 4),
    recvTs: start + 10 + Math.floor(i / 3),
    bidMicros: i % 7 === 0 ? null : 400_000 + i,
    bidSize: i % 7 === 0 ? 0 : i + 0.25,
    askMicros: i % 5 === 0 ? null : 417_500,
    askSize: i % 5 === 0 ? 0 : 1e9 + 0.000001,
  }))
  batch.trades = Array.from({ length: 12 }, (_, i) => ({
    venue: 'kalshi',
    outcomeId: 'T',
    tradeId: `a,"b"\n${i}`,
    ts: start + Math.floor(i / 2) * 700,
    recvTs: start + 9_000,
    priceMicros: i % 4 === 3 ? null : 10_000 * (i + 1),
    size: i + 0.5,
    side: i % 3 === 0 ? ('unknown' as const) : ('buy' as const),
    transactionHash: i % 2 === 0 ? null : '',
  }))
  await tape.insert([
    { ...batch, depth: changes(), epoch: 3 },
    { ...batch, topOfBook: [] },
  ])
})
afterAll(() => tape?.close())

/** A full book before the window and one within it; five changes share a millisecond. */
function changes(): TapeDepthRow[] {
  const all: TapeDepthRow[] = []
  const add = (type: TapeDepthRow['type'], after: number, levels: [micros: number, size: number][], bids: number) =>
    all.push({
      ...{ type, ts: start + after - 7, recvTs: start + after, seq: all.length + 1, bids },
      ...{ micros: levels.map(([micros]) => micros), sizes: levels.map(([, size]) => size) },
    })
  add('start', -50_000, [[400_000, 1]], 1)
  add(
    'start',
    -30_000,
    [
      [400_000, 5],
      [390_000, 0.25],
      [417_500, 1e9 + 0.000001],
    ],
    2,
  )
  add('delta', -10, [[400_000, 0]], 1)
  for (let i = 0; i < 5; i++)
    add(
      'delta',
      100,
      [
        [400_000, i],
        [417_533, i + 0.5],
      ],
      1,
    )
  add('same', 46_000, [], 0)
  add('gap', 47_000, [], 0)
  add('start', 48_000, [], 0)
  add('snapshot', 49_000, [[417_500, 2]], 0)
  return all
}

type Row = Record<string, unknown>
interface Read {
  rows: Row[]
  next: string | null
}

async function bytesOf(params: ReplayParams): Promise<{ bytes: Buffer; headers: Readonly<Record<string, string>> }> {
  const query = { venue: 'kalshi', outcomeId: 'T', kind: 'tob', ...window, ...params }
  const { chunks, headers } = await startReplay(deps, query, { historyFloorMs: null }, new AbortController().signal)
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return { bytes: Buffer.concat(parts), headers }
}

const pageFrom = (headers: Readonly<Record<string, string>>, rows: Row[]): Read => {
  expect(headers['x-page-rows']).toBe(String(rows.length))
  return { rows, next: headers['x-next-cursor'] ?? null }
}

const readers = {
  async ndjson(params: ReplayParams): Promise<Read> {
    const { bytes } = await bytesOf(params)
    const lines = bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    const cursor = lines.pop() as Row
    return { rows: lines.map(({ k: _, ...row }) => row), next: cursor.next as string | null }
  },
  async csv(params: ReplayParams): Promise<Read> {
    const { bytes, headers } = await bytesOf({ ...params, format: 'csv' })
    const [names, ...records] = readCsv(bytes.toString())
    return pageFrom(
      headers,
      records.map((record) =>
        Object.fromEntries(
          record.map((field, i) => {
            const name = names![i]!.text
            if (!field.quoted && field.text === '') return [name, null]
            return [name, texts.has(name) ? field.text : Number(field.text)]
          }),
        ),
      ),
    )
  },
  async parquet(params: ReplayParams): Promise<Read> {
    const { bytes, headers } = await bytesOf({ ...params, format: 'parquet' })
    expect(bytes.subarray(0, 4).toString() + bytes.subarray(-4).toString()).toBe('PAR1PAR1')
    const file = join(tape.dataDir, `${files++}.parquet`)
    await writeFile(file, bytes)
    expect(await kindsOf(tape.store, file)).toEqual(kinds[params.kind ?? 'tob'])
    const rows = await tape.store.rows<Row>(`SELECT * FROM file('${file}', Parquet) FORMAT JSONEachRow`)
    return pageFrom(headers, rows)
  },
} as const

const uint = (bits: number) => `Int(bitWidth=${bits}, isSigned=false)`
const columns = (list: string) => Object.fromEntries(list.split(',').map((pair) => pair.trim().split(' ')))
/** The type that a Parquet reader gives each column: text is text, not bytes. */
const kinds: Record<string, Record<string, string>> = {
  tob: {
    ...columns(
      'ts INT64, venue String, outcomeId String, bid DOUBLE, bidSize DOUBLE, ask DOUBLE, askSize DOUBLE, recvTs INT64',
    ),
    seq: uint(16),
  },
  trades: columns(
    `ts INT64, venue String, outcomeId String, tradeId String, price DOUBLE, size DOUBLE, side String,
    transactionHash String, recvTs INT64`,
  ),
  candles: {
    ...columns(
      'ts INT64, venue String, outcomeId String, resolution String, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE',
    ),
    ...{ volume: 'DOUBLE', trades: uint(64) },
  },
  l2: {
    ...columns(
      'ts INT64, venue String, outcomeId String, type String, side String, price DOUBLE, size DOUBLE, recvTs INT64, epoch INT64',
    ),
    seq: uint(32),
  },
}

let files = 0
const texts = new Set(['type', 'venue', 'outcomeId', 'tradeId', 'side', 'transactionHash', 'resolution'])

/** RFC 4180 with line feeds, parsed by its grammar. */
function readCsv(text: string): { text: string; quoted: boolean }[][] {
  const records: { text: string; quoted: boolean }[][] = []
  let record: { text: string; quoted: boolean }[] = []
  const pattern = /("(?:[^"]|"")*"|[^",\n]*)(,|\n)/gy
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const raw = match[1]!
    const quoted = raw.startsWith('"')
    record.push({ text: quoted ? raw.slice(1, -1).replaceAll('""', '"') : raw, quoted })
    if (match[2] === ',') continue
    records.push(record)
    record = []
  }
  return records
}

describe.each([
  ['tob', { kind: 'tob' }, 40, [3, 7]],
  ['tob of the other side', { kind: 'tob', outcomeId: 'T-NO' }, 40, [9]],
  ['trades', { kind: 'trades' }, 12, [5]],
  ['candles', { kind: 'candles', resolution: '1s' }, 4, [2, 1]],
  ['l2', { kind: 'l2' }, 18, [2, 5, 1]],
  ['l2 of the other side', { kind: 'l2', outcomeId: 'T-NO' }, 18, [3]],
] as const)('%s', (_name, params, total, limits) => {
  test.each(['csv', 'parquet'] as const)(
    '%s pages have the rows of NDJSON pages and continue under the same cursors',
    async (format) => {
      let cursor: string | undefined
      let seen = 0
      for (let page = 0; ; page++) {
        const query = {
          ...params,
          limit: String(limits[page % limits.length]),
          ...(cursor === undefined ? {} : { cursor }),
        }
        const [plain, other] = [await readers.ndjson(query), await readers[format](query)]
        const names = format === 'csv' ? fieldsOf[params.kind] : parquetColumnsOf(params.kind)
        expect(Object.keys(other.rows[0]!)).toEqual(names)
        const { outcomeId = 'T' } = params as { outcomeId?: string }
        const named = format === 'csv' ? {} : { venue: 'kalshi', outcomeId }
        expect(other).toEqual({ ...plain, rows: plain.rows.map((row) => ({ ...named, ...row })) })
        seen += plain.rows.length
        if (other.next === null) break
        cursor = other.next
      }
      expect(seen).toBe(total)
    },
  )
})

describe('full depth', () => {
  test('begins with the last full book at or before the window, and never splits a change', async () => {
    const { rows } = await readers.ndjson({ kind: 'l2' })
    expect(rows.slice(0, 4)).toEqual([
      { ts: start - 30_007, type: 'start', side: 'bid', price: 0.39, size: 0.25, ...mark(-30_000, 2) },
      { ts: start - 30_007, type: 'start', side: 'bid', price: 0.4, size: 5, ...mark(-30_000, 2) },
      {
        ts: start - 30_007,
        type: 'start',
        side: 'ask',
        price: 0.4175,
        size: 1_000_000_000.000001,
        ...mark(-30_000, 2),
      },
      { ts: start - 17, type: 'delta', side: 'bid', price: 0.4, size: 0, ...mark(-10, 3) },
    ])
    const none = { side: null, price: null, size: null }
    expect(rows.slice(-4, -1).map(({ type, side, price, size }) => ({ type, side, price, size }))).toEqual(
      ['same', 'gap', 'start'].map((type) => ({ type, ...none })),
    )
    const { rows: page, next } = await readers.ndjson({ kind: 'l2', limit: '5' })
    expect([page.length, page.at(-1)!.seq, next === null]).toEqual([6, 4, false])
  })

  test('of the other side is the mirrored book', async () => {
    const [own, other] = [await readers.ndjson({ kind: 'l2' }), await readers.ndjson({ kind: 'l2', outcomeId: 'T-NO' })]
    const mirrored = own.rows.map(({ side, price, ...row }) => ({
      ...row,
      side: side === null ? null : side === 'bid' ? 'ask' : 'bid',
      price: price === null ? null : Math.round((1 - Number(price)) * 1e6) / 1e6,
    }))
    expect(other.rows).toEqual(mirrored.map((row) => expect.objectContaining(row)))
  })

  test('begins at the newest full book, not at the oldest, for a window that starts later', async () => {
    const { rows } = await readers.ndjson({ kind: 'l2', since: String(start + 48_500) })
    expect(rows.map(({ type, seq }) => [type, seq])).toEqual([
      ['start', 11],
      ['snapshot', 12],
    ])
  })
})
const mark = (after: number, seq: number) => ({ recvTs: start + after, seq, epoch: 3 })

test('returns an empty page with a header and no rows in every format', async () => {
  const nothing = { outcomeId: 'nothing' }
  expect(await readers.ndjson(nothing)).toEqual({ rows: [], next: null })
  expect(await readers.parquet(nothing)).toEqual({ rows: [], next: null })
  const { bytes, headers } = await bytesOf({ ...nothing, format: 'csv' })
  expect(bytes.toString()).toBe('ts,bid,bidSize,ask,askSize,recvTs,seq\n')
  expect(headers['x-next-cursor']).toBeUndefined()
})

test('rejects an unknown format', async () => {
  await expect(bytesOf({ format: 'xml' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'format must be one of ndjson, csv, parquet',
  })
})
