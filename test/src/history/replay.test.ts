// Replay end to end on the real engine: pages, cursors, deduplication, candles and refusals.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCursorCodec } from '#core/cursor'
import { createClickhouseTape } from '#history/clickhouseTape'
import { type ReplayDeps, startReplay } from '#history/replay'
import type { ReplayParams } from '#history/replayParams'
import type { OutcomeCatalog } from '#history/resolveOutcome'
import type { TapeBatch } from '#schemas/topics'
import { connectTape } from '#storage/clickhouse/client'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'

const start = Date.UTC(2026, 5, 7)
const day = 86_400_000
const window = { since: String(start), until: String(start + 31 * day) }

/** `one` has two ids on the tape; every other id is used as it is. */
const catalog: OutcomeCatalog = {
  findOutcomes: async (_venue, outcomeId) =>
    outcomeId === 'one-native'
      ? [{ venue: 'kalshi', outcome: { outcomeId: 'one' }, market: { marketId: 'M', eventId: null } } as never]
      : [],
  findMarket: async () => null,
}

let tape: TestTape
let deps: ReplayDeps

beforeAll(async () => {
  tape = await openTestTape()
  deps = {
    tape: createClickhouseTape(tape.store),
    catalog,
    cursors: createCursorCodec(randomBytes(32)),
    serves: () => true,
  }
})
afterAll(() => tape?.close())

type Line = Record<string, unknown> & { k: string }

async function read(
  params: ReplayParams,
  floor: number | null = null,
): Promise<{ rows: Line[]; next: string | null; text: string }> {
  const signal = new AbortController().signal
  const { chunks } = await startReplay(
    deps,
    { venue: 'kalshi', kind: 'tob', ...window, ...params },
    { historyFloorMs: floor },
    signal,
  )
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const text = Buffer.concat(parts).toString()
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const cursorLines = lines.filter((line) => line.k === 'cursor')
  expect(cursorLines).toHaveLength(1)
  expect(lines.at(-1)).toBe(cursorLines[0])
  const rows = lines.slice(0, -1)
  expect(cursorLines[0]?.rows).toBe(rows.length)
  return { rows, next: cursorLines[0]?.next as string | null, text: text.slice(0, text.lastIndexOf('{"k":"cursor"')) }
}

/** Follows cursors to the end, cycling through the page sizes; `between` runs after every page. */
async function readAll(
  params: ReplayParams,
  limits: readonly number[],
  between?: () => Promise<void>,
): Promise<string[]> {
  const lines: string[] = []
  let cursor: string | undefined
  for (let page = 0; ; page++) {
    const limit = limits[page % limits.length] as number
    const { text, next, rows } = await read({
      ...params,
      limit: String(limit),
      ...(cursor === undefined ? {} : { cursor }),
    })
    expect(rows.length).toBeLessThanOrEqual(limit)
    lines.push(...text.split('\n').slice(0, -1))
    if (next === null) return lines
    expect(rows.length).toBe(limit)
    cursor = next
    await between?.()
  }
}

function tops(outcomeId: string, rows: readonly { ts: number; recvTs?: number; bid?: number | null }[]): TapeBatch {
  const batch = emptyBatch('kalshi', outcomeId)
  batch.topOfBook = rows.map(({ ts, recvTs = ts + 5, bid = 400_000 }, i) => ({
    venue: 'kalshi',
    outcomeId,
    ts,
    recvTs,
    bidMicros: bid,
    bidSize: bid === null ? 0 : i + 0.25,
    askMicros: 417_500,
    askSize: 12.5,
  }))
  return batch
}

function trade(outcomeId: string, ts: number, tradeId: string, priceMicros: number | null, size = 1) {
  return {
    venue: 'kalshi',
    outcomeId,
    tradeId,
    ts,
    recvTs: ts + 7,
    priceMicros,
    size,
    side: 'buy' as const,
    transactionHash: null,
  }
}

describe('top of book', () => {
  test('returns probabilities, null for an empty side, and the order of arrival within a millisecond', async () => {
    await tape.insert([tops('shape', [{ ts: start + 1, bid: null }, { ts: start + 1, bid: 415_001 }, { ts: start }])])
    const { rows, next } = await read({ outcomeId: 'shape' })
    const row = { k: 'tob', ask: 0.4175, askSize: 12.5 }
    expect(rows).toEqual([
      { ...row, ts: start, bid: 0.4, bidSize: 2.25, recvTs: start + 5, seq: 0 },
      { ...row, ts: start + 1, bid: null, bidSize: null, recvTs: start + 6, seq: 0 },
      { ...row, ts: start + 1, bid: 0.415001, bidSize: 1.25, recvTs: start + 6, seq: 1 },
    ])
    expect(Object.keys(rows[0] ?? {})[0]).toBe('k')
    expect(next).toBeNull()
  })

  test('returns the same rows in pages of any size as in one response, over a thousand equal timestamps and new rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.integer({ min: 30, max: 700 }), { minLength: 1, maxLength: 5 }),
        async (outcomeId, steps, receiveMs, limits) => {
          let ts = start
          const spread = steps.map((step) => {
            ts += step
            return { ts, recvTs: ts + 9 }
          })
          const tied = Array.from({ length: 1_000 }, (_, i) => ({ ts, recvTs: ts + 9 + (i % receiveMs) }))
          tied.sort((a, b) => a.recvTs - b.recvTs)
          const rows = [...spread, ...tied]
          // Several inserts, so that table parts overlap in time.
          const third = Math.ceil(rows.length / 3)
          for (let i = 0; i < rows.length; i += third) await tape.insert([tops(outcomeId, rows.slice(i, i + third))])
          let late = ts + 1
          const paged = await readAll({ outcomeId }, limits, async () => {
            // Rows that arrive between two pages are later than everything read so far.
            if (late < ts + 4) await tape.insert([tops(outcomeId, [{ ts: late++ }])])
          })
          const whole = await readAll({ outcomeId }, [20_000])
          expect(new Set(paged).size).toBe(paged.length)
          expect(paged).toEqual(whole)
          expect(paged.length).toBe(rows.length + late - ts - 1)
        },
      ),
      { numRuns: 6 },
    )
  }, 120_000)

  test('includes both ends of the window', async () => {
    await tape.insert([tops('ends', [{ ts: start - 1 }, { ts: start }, { ts: start + 10 }, { ts: start + 11 }])])
    const { rows } = await read({ outcomeId: 'ends', since: String(start), until: String(start + 10) })
    expect(rows.map((row) => row.ts)).toEqual([start, start + 10])
  })

  test('returns an empty page, not an error, for an outcome without rows', async () => {
    expect(await read({ outcomeId: 'never-seen' })).toMatchObject({ rows: [], next: null })
  })
})

describe('trades', () => {
  test('counts a trade with two ids, or twice under one, only once, before the page limit', async () => {
    const native = emptyBatch('kalshi', 'one-native')
    native.trades = [trade('one-native', start + 1, 'a', 400_000), trade('one-native', start + 2, 'c', null)]
    const canonical = emptyBatch('kalshi', 'one')
    canonical.trades = ['a', 'b', 'b'].map((id) => trade('one', start + 1, id, 400_000))
    canonical.trades.push(trade('one', start + 2, 'c', null), trade('one', start + 3, 'a', 410_000))
    await tape.insert([native, canonical])
    for (const limits of [[20_000], [1], [2, 1]]) {
      const lines = (await readAll({ outcomeId: 'one-native', kind: 'trades' }, limits)).map(
        (line) => JSON.parse(line) as Line,
      )
      expect(lines.map((line) => [Number(line.ts) - start, line.tradeId])).toEqual([
        [1, 'a'],
        [1, 'b'],
        [2, 'c'],
        [3, 'a'],
      ])
    }
    const { rows } = await read({ outcomeId: 'one-native', kind: 'trades', limit: '3' })
    expect(rows[2]).toMatchObject({
      k: 'trades',
      price: null,
      size: 1,
      side: 'buy',
      transactionHash: null,
      recvTs: start + 9,
    })
  })

  test('keeps the position across pages for ids that need escaping', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 }),
        async (outcomeId, ids) => {
          const batch = emptyBatch('kalshi', outcomeId)
          batch.trades = ids.map((id) => trade(outcomeId, start, id, 500_000))
          await tape.insert([batch])
          const paged = await readAll({ outcomeId, kind: 'trades' }, [1])
          expect(paged.map((line) => (JSON.parse(line) as Line).tradeId).sort()).toEqual([...ids].sort())
        },
      ),
      { numRuns: 8 },
    )
  })
})

describe('candles', () => {
  test('equal a simple reference computation over deduplicated trades at every resolution and page size', async () => {
    let drawn = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.integer({ min: 0, max: 3 * day }),
            price: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: null }),
            size: fc.integer({ min: 1, max: 1_000 }),
            twice: fc.boolean(),
          }),
          { minLength: 1, maxLength: 40 },
        ),
        fc.constantFrom(...(['1s', '5s', '10s', '30s', '1m', '1h', '1d'] as const)),
        fc.integer({ min: 1, max: 7 }),
        async (given, resolution, limit) => {
          // Each case has its own outcome, so that cases do not read each other's rows.
          const outcomeId = `counted-${drawn++}`
          const trades = given.map(({ at, price, size, twice }, i) => ({
            ...trade(
              outcomeId,
              start + at,
              `t${String(i).padStart(3, '0')}`,
              price === null ? null : price * 100,
              size / 4,
            ),
            twice,
          }))
          const batch = emptyBatch('kalshi', outcomeId)
          batch.trades = trades.flatMap((row) => (row.twice ? [row, { ...row, recvTs: row.recvTs + 50 }] : [row]))
          await tape.insert([batch])
          const paged = await readAll({ outcomeId, kind: 'candles', resolution }, [limit])
          expect(paged.map((line) => JSON.parse(line))).toEqual(slowCandles(trades, resolution))
        },
      ),
      { numRuns: 20 },
    )
  })

  test('begin and end with whole buckets and never show a partial one', async () => {
    const batch = emptyBatch('kalshi', 'whole')
    batch.trades = [10, 50, 70, 110, 130].map((second, i) =>
      trade('whole', start + second * 1_000, `w${i}`, 100_000 * i),
    )
    await tape.insert([batch])
    const { rows } = await read({
      outcomeId: 'whole',
      kind: 'candles',
      resolution: '1m',
      since: String(start + 30_000),
      until: String(start + 60_000),
    })
    expect(rows.map((row) => [row.ts, row.open, row.close])).toEqual([[start + 60_000, 0.2, 0.3]])
  })
})

const stepMs = { '1s': 1e3, '5s': 5e3, '10s': 1e4, '30s': 3e4, '1m': 6e4, '1h': 3.6e6, '1d': 8.64e7 }

function slowCandles(trades: readonly ReturnType<typeof trade>[], resolution: keyof typeof stepMs): unknown[] {
  const step = stepMs[resolution]
  const buckets = new Map<number, ReturnType<typeof trade>[]>()
  for (const row of trades) {
    const bucket = Math.floor(row.ts / step) * step
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), row])
  }
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .flatMap(([ts, rows]) => {
      rows.sort((a, b) => a.ts - b.ts || (a.tradeId < b.tradeId ? -1 : 1))
      const prices = rows.flatMap((row) => (row.priceMicros === null ? [] : [row.priceMicros / 1e6]))
      if (prices.length === 0) return []
      const volume = rows.reduce((sum, row) => sum + row.size, 0)
      return [
        {
          k: 'candles',
          ts,
          venue: 'kalshi',
          resolution,
          open: prices[0],
          high: Math.max(...prices),
          low: Math.min(...prices),
          close: prices.at(-1),
          volume,
          trades: rows.length,
        },
      ]
    })
}

describe('cursors', () => {
  test('rejects 10,000 mutations of a cursor', async () => {
    await tape.insert([tops('mutated', [{ ts: start }, { ts: start + 1 }])])
    const { next } = await read({ outcomeId: 'mutated', limit: '1' })
    expect(next).not.toBeNull()
    const cursor = next as string
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.+/ '
    const accepted: string[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cursor.length),
        fc.constantFrom(...alphabet),
        fc.constantFrom('replace', 'insert', 'cut', 'swap'),
        async (at, sign, how) => {
          const mutated = {
            replace: cursor.slice(0, at) + sign + cursor.slice(at + 1),
            insert: cursor.slice(0, at) + sign + cursor.slice(at),
            cut: cursor.slice(0, at),
            swap: cursor.slice(at) + cursor.slice(0, at),
          }[how]
          if (mutated === cursor || mutated === '') return
          try {
            await startReplay(
              deps,
              { venue: 'kalshi', outcomeId: 'mutated', kind: 'tob', ...window, cursor: mutated },
              { historyFloorMs: null },
              new AbortController().signal,
            )
            accepted.push(mutated)
          } catch (error) {
            expect(error).toMatchObject({ code: 'VALIDATION_ERROR' })
          }
        },
      ),
      { numRuns: 10_000 },
    )
    expect(accepted).toEqual([])
  })

  test('accepts a cursor only for the kind, venue, outcome, window and resolution it was created for', async () => {
    const { next } = await read({ outcomeId: 'mutated', limit: '1' })
    const cursor = next as string
    for (const foreign of [
      { kind: 'trades' },
      { kind: 'candles', resolution: '1s' },
      { venue: 'polymarket' },
      { outcomeId: 'other' },
      { since: String(start + 1) },
      { until: String(start + day) },
      { marketId: 'M' },
    ]) {
      await expect(read({ outcomeId: 'mutated', cursor, ...foreign })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    }
    // The page size is not part of the query.
    expect((await read({ outcomeId: 'mutated', cursor, limit: '17' })).rows).toHaveLength(1)
  })
})

describe('refusals', () => {
  test('returns PLAN_REQUIRED for a window older than the plan’s history', async () => {
    await expect(read({ outcomeId: 'x' }, start + 1)).rejects.toMatchObject({ code: 'PLAN_REQUIRED' })
    expect((await read({ outcomeId: 'x' }, start)).rows).toEqual([])
  })

  test('returns HISTORY_UNAVAILABLE before the first byte when ClickHouse is down', async () => {
    const store = await connectTape({ url: 'http://127.0.0.1:9', dataDir: '/nowhere' })
    const down = { ...deps, tape: createClickhouseTape(store) }
    const params = { venue: 'kalshi', outcomeId: 'x', kind: 'tob', ...window }
    await expect(
      startReplay(down, params, { historyFloorMs: null }, new AbortController().signal),
    ).rejects.toMatchObject({
      code: 'HISTORY_UNAVAILABLE',
    })
    await store.close()
  })
})
