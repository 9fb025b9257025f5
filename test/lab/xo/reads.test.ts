// The lab's public reads, requested as by clients of the venue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { getJson, type Json } from '../clients.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'reads', venues: ['xo'], ratePerSecond: 0 })
})
afterAll(() => lab.stop())

const get = (path: string) => getJson(`${lab.xo.urls.DATA}${path}`)
interface Page {
  data: (Json & { id: number; outcomes: Json[] })[]
  meta: { hasNextPage: boolean; pageCount: number }
}

test('pages have every market once except the resolved ones, and mark the last page', async () => {
  const seen: number[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = (await get(`/api/markets?take=50&page=${page}&marketScope=onlyClob`)).body as unknown as Page
    seen.push(...data.map(({ id }) => id))
    if (meta.hasNextPage) continue
    expect(page).toBe(meta.pageCount)
    break
  }
  const { listing, engine } = lab.xo
  expect(seen).toEqual(listing.markets.filter(({ key }) => engine.statusOf(key) !== 'resolved').map(({ id }) => id))
  expect((await get('/api/markets?take=101')).status).toBe(400)
})

test('a list has no tokens, a single market does; prices have eighteen decimals, names may be null', async () => {
  const { data } = (await get('/api/markets?take=100')).body as unknown as Page
  for (const { outcomes } of data) for (const row of outcomes) expect(row).not.toHaveProperty('outcomeTokenId')
  expect(data.some(({ outcomes }) => outcomes[0]!.title === null)).toBe(true)
  const { id, tokens } = lab.xo.listing.markets[0]!
  const { data: market } = (await get(`/api/markets/${id}`)).body as unknown as { data: { outcomes: Json[] } }
  expect(market.outcomes.map(({ outcomeTokenId }) => outcomeTokenId)).toEqual(tokens)
  for (const { price } of market.outcomes) expect(price).toMatch(/^\d{17,18}$/)
  expect((await get('/api/markets/1')).status).toBe(404)
})

test('each token has a book; that of the second is the inverse of the first', async () => {
  const { id, tokens } = lab.xo.listing.markets[0]!
  const [one, two] = await Promise.all(
    tokens.map(
      async (token) =>
        (await get(`/book?token_id=${token}`)).body as unknown as Record<
          'bids' | 'asks',
          { price: string; size: string }[]
        >,
    ),
  )
  const truth = lab.xo.book(`${id}.${tokens[0]}`)!
  expect(one!.bids.at(-1)).toEqual({ price: String(truth.bids[0]![0] / 1e6), size: String(truth.bids[0]![1]) })
  expect(two!.asks.map(({ size }) => size)).toEqual(one!.bids.map(({ size }) => size))
  expect((await get('/book?token_id=1')).status).toBe(404)
})
