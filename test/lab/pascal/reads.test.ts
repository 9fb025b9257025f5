// The lab's public reads, requested as in the venue's quickstart.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { getJson, type Json } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['pascal'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string) => getJson(`${lab.pascal.urls.REST}/api/v1${path}`)
const dataOf = async <T>(path: string): Promise<T> => {
  const { status, body } = await get(path)
  expect([status, (body as Json).status]).toEqual([200, 'success'])
  return (body as Json).data as T
}

test('returns all markets at once, without resolved ones, which are only found by id', async () => {
  const rows = await dataOf<{ symbol: string; resolution: unknown }[]>('/markets')
  const { listing, engine } = lab.pascal
  const unresolved = listing.markets.filter(({ key }) => engine.statusOf(key) !== 'resolved')
  expect(rows.map(({ symbol }) => symbol)).toEqual(unresolved.map(({ symbol }) => symbol))
  for (const { symbol, resolution } of rows) {
    expect(symbol).toMatch(/^(?=.{3,32}$)[A-Z0-9_]+\.[A-Z0-9_]+$/)
    expect(resolution).toBeNull()
  }
  expect(new Set(listing.markets.map(({ symbol }) => symbol)).size).toBe(listing.markets.length)
  const resolved = listing.markets.find(({ key }) => engine.statusOf(key) === 'resolved')!
  const search = async (body: object) => {
    const answer = await fetch(`${lab.pascal.urls.REST}/api/v1/markets/search`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { data: { symbol: string; resolution: unknown }[] }).data
  }
  expect(await search({ symbols: [resolved.symbol] })).toMatchObject([
    { symbol: resolved.symbol, resolution: expect.any(String) },
  ])
  expect((await search({ events: [resolved.event.code] })).length).toBe(resolved.event.markets.length)
})

test('books of up to fifty symbols are decimal strings, best first', async () => {
  const [one, two] = lab.pascal.listing.markets
  const { books } = await dataOf<{ books: Record<string, { bids: string[][]; asks: string[][] }> }>(
    `/books?symbols=${one!.symbol},${two!.symbol},NO_SUCH.AAA`,
  )
  expect(Object.keys(books)).toEqual([one!.symbol, two!.symbol])
  const truth = lab.pascal.book(one!.symbol)!
  expect(books[one!.symbol]!.bids).toEqual(
    truth.bids.map(([micros, size]) => [(micros / 1e6).toFixed(6), String(size)]),
  )
  expect((await get(`/books?symbols=${Array(51).fill(one!.symbol).join(',')}`)).status).toBe(400)
})

test('pages trades by the cursor of the last one: each once, newest first, at any page size', async () => {
  const { symbol, key } = lab.pascal.listing.markets[0]!
  const all = lab.pascal.engine.market(key)!.recentTrades()
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const page = await dataOf<{ items: { trade_ts_ms: number; price: string }[]; next_cursor: string | null }>(
      `/trades?symbols=${symbol}&limit=70${cursor && `&before_cursor=${cursor}`}`,
    )
    seen.push(...page.items.map(({ trade_ts_ms, price }) => `${trade_ts_ms} ${price}`))
    if (page.next_cursor === null) break
    expect(page.next_cursor).toMatch(/^\d{20}:\d{10}$/)
    cursor = page.next_cursor
  }
  expect(seen).toEqual(all.map(({ atMs, priceMicros }) => `${atMs} ${(priceMicros / 1e6).toFixed(6)}`))
})

test.each(['limit=501', 'limit=0', 'before_cursor=1:1&at_or_before_seq=1'])(
  'rejects %s in the error envelope',
  async (query) => {
    const { symbol } = lab.pascal.listing.markets[0]!
    expect(await get(`/trades?symbols=${symbol}&${query}`)).toMatchObject({
      status: 400,
      body: { status: 'error', data: { code: expect.any(String) } },
    })
  },
)
