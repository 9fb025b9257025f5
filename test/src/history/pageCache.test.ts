import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { cacheReplayPages, retentionMs, settledAfterMs } from '#history/pageCache'
import type { MarketHistory, ReplayPage, ReplayQuery } from '#history/tape'

let clock: ManualClock
let queries: ReplayQuery[]
let more: boolean
let chunkBytes: number

/** Returns `limit` rows that end at `sinceMs`, in two chunks that identify the page. */
const tape: Pick<MarketHistory, 'replay'> = {
  async replay(query): Promise<ReplayPage> {
    queries.push(query)
    const body = `${query.sinceMs}/${queries.length}`.padEnd(chunkBytes, '.')
    async function* chunks() {
      yield Buffer.from(body)
      yield Buffer.from('end')
    }
    return {
      chunks: chunks(),
      end: Promise.resolve({ rows: query.limit, last: { ts: query.sinceMs, tie: '' }, more }),
    }
  },
}

const query = (sinceMs: number, extra: Partial<ReplayQuery> = {}): ReplayQuery => ({
  venue: 'kalshi',
  outcomeIds: ['A'],
  kind: 'tob',
  sinceMs,
  untilMs: sinceMs + 1_000,
  limit: 10,
  after: null,
  signal: new AbortController().signal,
  ...extra,
})

async function read(cache: Pick<MarketHistory, 'replay'>, pageQuery: ReplayQuery): Promise<string> {
  const page = await cache.replay(pageQuery)
  const parts: Uint8Array[] = []
  for await (const chunk of page.chunks) parts.push(chunk)
  expect(await page.end).toEqual({ rows: pageQuery.limit, last: { ts: pageQuery.sinceMs, tie: '' }, more })
  return Buffer.concat(parts).toString()
}

beforeEach(() => {
  clock = new ManualClock()
  queries = []
  more = true
  chunkBytes = 40
})

const past = () => clock.now() - settledAfterMs - 5

describe('a page of settled history', () => {
  test('is cached on its second read, byte for byte, and read again after it expires', async () => {
    const cache = cacheReplayPages(tape, clock)
    const pageQuery = query(past())
    const texts: string[] = []
    for (let i = 0; i < 5; i++) texts.push(await read(cache, pageQuery))
    expect(queries).toHaveLength(2)
    expect(new Set(texts.slice(1)).size).toBe(1)
    clock.advance(retentionMs)
    await read(cache, pageQuery)
    expect(queries).toHaveLength(3)
  })

  test('is never used for a different query', async () => {
    const cache = cacheReplayPages(tape, clock)
    const base = query(past())
    for (let i = 0; i < 3; i++) await read(cache, base)
    queries.length = 0
    const others: Partial<ReplayQuery>[] = [
      { venue: 'polymarket' },
      { outcomeIds: ['B'] },
      { outcomeIds: ['A', 'B'] },
      { marketId: 'M' },
      { kind: 'trades' },
      { kind: 'candles', resolution: '1s' },
      { untilMs: base.untilMs + 1 },
      { limit: 11 },
      { after: { ts: base.sinceMs, tie: '1' } },
      { after: { ts: base.sinceMs, tie: '2' } },
    ]
    for (const other of others) await read(cache, { ...base, ...other })
    expect(queries).toHaveLength(others.length)
  })
})

test('does not cache recent pages, the last page of a window, or candles of an unfinished bucket', async () => {
  const cache = cacheReplayPages(tape, clock)
  const thrice = async (pageQuery: ReplayQuery) => {
    queries.length = 0
    for (let i = 0; i < 3; i++) await read(cache, pageQuery)
    return queries.length
  }
  expect(await thrice(query(clock.now() - settledAfterMs + 1))).toBe(3)
  expect(await thrice(query(past(), { kind: 'candles', resolution: '1d' }))).toBe(3)
  more = false
  expect(await thrice(query(past()))).toBe(3)
})

test('keeps within its memory limit: evicts the least recently used page and skips one that is too large', async () => {
  chunkBytes = 400
  const cache = cacheReplayPages(tape, clock, 8_192)
  const pages = Array.from({ length: 40 }, (_, i) => query(past() - i))
  for (const page of pages) {
    await read(cache, page)
    await read(cache, page)
    // Used all the time.
    await read(cache, pages[0]!)
  }
  queries.length = 0
  for (const page of pages) await read(cache, page)
  expect(queries.some((page) => page.sinceMs === pages[0]!.sinceMs)).toBe(false)
  expect(queries.length).toBeGreaterThan(10)
  expect(queries.length).toBeLessThan(40)
  chunkBytes = 50_000
  queries.length = 0
  for (let i = 0; i < 3; i++) await read(cache, query(past() - 1_000))
  expect(queries).toHaveLength(3)
})

test('caches nothing when the reader stops early', async () => {
  const cache = cacheReplayPages(tape, clock)
  const pageQuery = query(past())
  for (let i = 0; i < 3; i++) {
    const page = await cache.replay(pageQuery)
    for await (const _ of page.chunks) break
  }
  expect(queries).toHaveLength(3)
})
