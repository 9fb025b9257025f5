import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { renamedTrade } from '#test/src/venues/polymarket/support'
import { sharedFixture } from '#test/support/fixtures'
import { getJson, type Json } from '../clients.ts'

let lab: Lab
const clock = new ManualClock()

beforeAll(async () => {
  lab = await startLab({ clock, seed: 'rest', venues: ['polymarket'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

interface Page {
  data: Json[]
  pagination: { limit: number; offset: number; has_more: boolean; next_cursor: string | null }
}

const urls = () => lab.polymarket.urls
const get = (url: string) => getJson(url)
const list = async (url: string) => (await get(url)).body as unknown as Json[]

async function walk(name: 'markets' | 'events', query: string): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get(`${urls().GAMMA}/${name}/keyset?limit=17&${query}${cursor}`)
    all.push(...(body[name] as Json[]))
    if (body.next_cursor === undefined) return all
    cursor = `&after_cursor=${body.next_cursor}`
  }
}

describe('gamma', () => {
  test('keyset pages have every open event and market once, the last page has no cursor', async () => {
    const { listing } = lab.polymarket
    const open = listing.markets.filter(({ catalog }) => catalog.status === 'open')
    expect((await walk('markets', '')).map(({ id }) => id)).toEqual(open.map(({ id }) => id))
    const events = [...(await walk('events', 'closed=false')), ...(await walk('events', 'closed=true'))]
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(listing.events.map(({ id }) => id)))
  })

  test('lists closed markets only on request, with their outcome', async () => {
    const closed = await walk('markets', 'closed=true')
    expect(closed.length).toBeGreaterThan(0)
    expect(closed.every((market) => market.closed === true && market.acceptingOrders === false)).toBe(true)
    const resolved = closed.filter(({ umaResolutionStatus }) => umaResolutionStatus === 'resolved')
    for (const market of resolved) expect(['["1","0"]', '["0","1"]']).toContain(market.outcomePrices)
    expect(resolved.length).toBeGreaterThan(0)
  })

  test('has at most 100 rows per page', async () => {
    const { body } = await get(`${urls().GAMMA}/markets/keyset?limit=5000`)
    expect((body.markets as Json[]).length).toBe(100)
    expect(body.next_cursor).toEqual(expect.any(String))
  })

  test('finds one market by id, slug, condition and token; an unknown one is 404', async () => {
    const market = lab.polymarket.listing.markets[2]!
    const { GAMMA } = urls()
    expect((await get(`${GAMMA}/markets/${market.id}`)).body.slug).toBe(market.slug)
    expect((await get(`${GAMMA}/markets/slug/${market.slug}`)).body.id).toBe(market.id)
    expect((await list(`${GAMMA}/markets?condition_ids=${market.conditionId}`)).map(({ id }) => id)).toEqual([
      market.id,
    ])
    expect((await list(`${GAMMA}/markets?clob_token_ids=${market.tokens[1]}`)).map(({ id }) => id)).toEqual([market.id])
    expect((await get(`${GAMMA}/markets/999999999`)).status).toBe(404)
    expect((await get(`${GAMMA}/events/slug/${market.event.slug}`)).body.id).toBe(market.event.id)
    expect((await list(`${GAMMA}/tags`)).length).toBeGreaterThan(3)
    expect((await list(`${GAMMA}/series`)).length).toBeGreaterThan(1)
  })

  test('rows have the keys of recorded ones', async ({ skip }) => {
    const markets = sharedFixture('polymarket/rest_july2026/polymarket_markets.json')
    const events = sharedFixture('polymarket/rest_july2026/polymarket_events.json')
    if (markets === null || events === null) return skip('recordings are missing next to this checkout')
    /** Descriptive fields that no adapter reads. */
    const decoration =
      /image|icon|color|^show|submitted_by|resolvedBy|deployingTimestamp|umaBond|umaReward|customLiveness|pagerDuty|comboStatus|sortBy|gmpChart|estimateValue|cumulative|eventMetadata|publishedAt|updatedBy|^startTime$|restricted/i
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Json[]
    const wanted = (row: Json) => Object.keys(row).filter((key) => !decoration.test(key))
    const sample = read(markets)[0]!
    const group = lab.polymarket.listing.markets.find(({ event }) => event.negRisk)!
    const ours = (await get(`${urls().GAMMA}/markets/${group.id}`)).body
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(wanted(sample)))
    for (const key of wanted(sample)) if (sample[key] !== null) expect(typeof ours[key], key).toBe(typeof sample[key])
    const event = (await get(`${urls().GAMMA}/events/${group.event.id}`)).body
    expect(Object.keys(event)).toEqual(expect.arrayContaining(wanted(read(events)[0]!)))
    expect(JSON.parse(ours.clobTokenIds as string)).toEqual([...group.tokens])
  })
})

describe('clob and data', () => {
  test('a book equals that of the lab, with the venue’s keys', async () => {
    const token = lab.polymarket.openTokens()[0]!
    const { body } = await get(`${urls().CLOB}/book?token_id=${token}`)
    const truth = lab.polymarket.book(token)!
    const best = (levels: unknown) => Number((levels as { price: string }[]).at(-1)!.price) * 1_000_000
    expect(Math.round(best(body.bids))).toBe(truth.bids[0]![0])
    expect(Math.round(best(body.asks))).toBe(truth.asks[0]![0])
    const fixture = sharedFixture('polymarket/rest_july2026/polymarket_book.json')
    const keys = fixture === null ? Object.keys(body) : Object.keys(JSON.parse(readFileSync(fixture, 'utf8')))
    expect(Object.keys(body)).toEqual(keys)
  })

  test('reads many books in one POST and omits unknown ones', async () => {
    const [a, b] = lab.polymarket.openTokens()
    const post = (body: unknown) =>
      fetch(`${urls().CLOB}/books`, { method: 'POST', body: JSON.stringify(body) }).then((response) => response.json())
    const books = (await post([{ token_id: a }, { token_id: 'nobody' }, { token_id: b }])) as Json[]
    expect(books.map(({ asset_id }) => asset_id)).toEqual([a, b])
    expect(await post(Array.from({ length: 501 }, () => ({ token_id: a })))).toEqual({
      error: 'Payload exceeds the limit',
    })
  })

  test('the small reads return the venue’s units', async () => {
    const market = lab.polymarket.listing.markets.find(({ event }) => event.negRisk)!
    const token = market.tokens[0]
    const { CLOB } = urls()
    expect((await get(`${CLOB}/tick-size?token_id=${token}`)).body).toEqual({ minimum_tick_size: 0.01 })
    expect((await get(`${CLOB}/neg-risk?token_id=${token}`)).body).toEqual({ neg_risk: true })
    expect((await get(`${CLOB}/fee-rate?token_id=${token}`)).body).toEqual({ base_fee: 0 })
    expect((await get(`${CLOB}/version`)).body).toEqual({ version: 2 })
    expect((await get(`${CLOB}/time`)).body).toBe(Math.floor(clock.now() / 1000))
    expect((await get(`${CLOB}/midpoint?token_id=${token}`)).body).toEqual({ mid: expect.any(String) })
    expect((await get(`${CLOB}/last-trade-price?token_id=${token}`)).body).toEqual({
      price: expect.any(String),
      side: expect.stringMatching(/BUY|SELL/),
    })
    expect((await get(`${CLOB}/clob-markets/${market.conditionId}`)).body).toMatchObject({
      c: market.conditionId,
      mts: 0.01,
      nr: true,
    })
    expect((await get(`${CLOB}/book?token_id=nobody`)).status).toBe(404)
  })

  test('the full market has the winner after it resolved', async () => {
    const resolved = lab.polymarket.listing.markets.find(({ catalog }) => catalog.status === 'resolved')!
    const { body } = await get(`${urls().CLOB}/markets/${resolved.conditionId}`)
    expect((body.tokens as Json[]).map(({ winner }) => winner)).toEqual([
      resolved.catalog.result === 'yes',
      resolved.catalog.result === 'no',
    ])
  })

  test('price history stays within its window and step', async () => {
    const token = lab.polymarket.openTokens()[0]
    const end = Math.floor(clock.now() / 1000)
    const { body } = await get(
      `${urls().CLOB}/prices-history?market=${token}&startTs=${end - 86_400}&endTs=${end}&fidelity=60`,
    )
    const history = body.history as { t: number; p: number }[]
    expect(history).toHaveLength(24)
    expect(history.every(({ t, p }) => t >= end - 86_400 && t <= end && p > 0 && p < 1)).toBe(true)
    expect(history.every(({ t }) => t % 3_600 === 0)).toBe(true)
    expect((await get(`${urls().CLOB}/prices-history?market=${token}&interval=1d&fidelity=60`)).body).toEqual(body)
  })

  test('trades are newest first, by market, with recorded keys; a cursor keeps the size of the first page', async () => {
    const market = lab.polymarket.listing.markets[0]!
    const path = `${urls().DATA}/v2/trades?condition=${market.conditionId}`
    const first = (await get(`${path}&limit=5`)).body as unknown as Page
    const times = first.data.map(({ timestamp }) => timestamp as number)
    expect(times).toHaveLength(5)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(first.pagination).toMatchObject({ limit: 5, offset: 0, has_more: true })
    const fixture = sharedFixture('polymarket/rest/data_api_trades.json')
    if (fixture !== null) {
      const [sample] = JSON.parse(readFileSync(fixture, 'utf8')) as Json[]
      expect(Object.keys(first.data[0]!).sort()).toEqual(Object.keys(renamedTrade(sample!)).sort())
    }
    const second = (await get(`${path}&limit=3&cursor=${first.pagination.next_cursor}`)).body as unknown as Page
    expect(second.pagination).toMatchObject({ limit: 5, offset: 5 })
    const both = (await get(`${path}&limit=10`)).body as unknown as Page
    expect([...first.data, ...second.data]).toEqual(both.data)
    expect(((await get(`${urls().DATA}/v2/trades?condition=0xnone`)).body as unknown as Page).data).toEqual([])
  })

  test('version 2 rejects an offset and the cursor of another list; the routes of version 1 are gone', async () => {
    const data = urls().DATA
    for (const path of ['v2/trades?offset=5', 'v2/trades?cursor=forged', 'v2/leaderboard?time_period=year'])
      expect((await get(`${data}/${path}`)).status).toBe(400)
    for (const path of ['trades', 'v1/leaderboard', 'traded?user=0x1', 'v1/trades'])
      expect((await get(`${data}/${path}`)).status).toBe(404)
  })

  test('price histories of the Data API: by width, by cursor, of at most 15 days, and ending with the newest tick', async () => {
    const [token] = lab.polymarket.openTokens()
    const end = Math.floor(clock.now() / 1_000)
    const path = `${urls().DATA}/v2/prices-history?token_id=${token}`
    const day = (await get(`${path}&start=${end - 86_400}&end=${end}&bucket_seconds=3600`)).body as unknown as Page
    const whole = day.data.filter(({ resolution_seconds }) => resolution_seconds === 3_600)
    expect(whole).toHaveLength(24)
    expect(whole.every(({ timestamp }) => (timestamp as number) % 3_600 === 0)).toBe(true)
    expect(day.data.every(({ price }) => (price as number) > 0 && (price as number) < 1)).toBe(true)
    const paged = (await get(`${path}&start=${end - 86_400}&end=${end}&bucket_seconds=3600&limit=20`))
      .body as unknown as Page
    const rest = (
      await get(`${path}&start=${end - 86_400}&end=${end}&bucket_seconds=3600&cursor=${paged.pagination.next_cursor}`)
    ).body as unknown as Page
    expect([...paged.data, ...rest.data]).toEqual(day.data)
    expect((await get(`${path}&start=${end - 16 * 86_400}&end=${end}`)).status).toBe(400)
    // A width whose data has expired for the window: empty, not coarser.
    const old = await get(`${path}&start=${end - 40 * 86_400}&end=${end - 39 * 86_400}&bucket_seconds=60`)
    expect((old.body as unknown as Page).data).toEqual([])
  })
})
