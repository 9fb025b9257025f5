import { describe, expect, test } from 'vitest'
import type { CatalogPage } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { xo } from '#venues/xo/index'
import { market, outcome, venueThat } from './rows.ts'

const unavailable = { code: 'NETWORK_ERROR', exchange: 'xo' }
const { data } = xo
const tokenless = (id: number) =>
  market(id, { outcomes: [outcome(0, { outcomeTokenId: undefined }), outcome(1, { outcomeTokenId: undefined })] })

async function walk(context: VenueContext): Promise<CatalogPage[]> {
  const pages: CatalogPage[] = []
  for await (const page of data.walkCatalog(context, { updatedSinceMs: null })) pages.push(page)
  return pages
}
const idsOf = (pages: CatalogPage[]) => pages.flatMap(({ events }) => events.map(({ id }) => id))

describe('the walk', () => {
  const list = (rows: unknown[], hasNextPage = false) => ({ body: { data: rows, meta: { hasNextPage } } })

  test('pages until the venue reports the last page', async () => {
    const { context, requests } = venueThat(({ query }) => list([market(Number(query.page))], Number(query.page) < 3))
    expect(idsOf(await walk(context))).toEqual(['1', '2', '3'])
    expect(requests[0]).toBe('data/api/markets {"take":100,"page":1,"marketScope":"onlyClob"}')
    expect(requests).toHaveLength(3)
  })

  test('requests tokens missing from the list, once per market', async () => {
    const { context, requests } = venueThat(({ path }) =>
      path === '/api/markets' ? list([tokenless(1), market(2)]) : { body: { data: market(1) } },
    )
    expect(idsOf(await walk(context))).toEqual(['1', '2'])
    expect(idsOf(await walk(context))).toEqual(['1', '2'])
    expect(requests.filter((path) => path.startsWith('data/api/markets/'))).toEqual(['data/api/markets/1 {}'])
  })

  test('skips a market without tokens and an unreadable row', async () => {
    const { context, warnings } = venueThat(({ path }) =>
      path === '/api/markets' ? list([tokenless(1), market(2), { id: 3 }, null]) : { status: 404, body: {} },
    )
    expect(idsOf(await walk(context))).toEqual(['2'])
    expect(warnings).toHaveLength(3)
  })

  test.each([[{ data: [] }], [[market(1)]], [{ data: {}, meta: { hasNextPage: false } }]])(
    'the answer %j is a fault, not an empty catalog',
    async (body) => {
      await expect(walk(venueThat(() => ({ body })).context)).rejects.toMatchObject(unavailable)
    },
  )
})

describe('one market', () => {
  test.each([
    ['in an envelope', { data: market(42) }],
    ['bare', market(42)],
  ])('is read %s, and is its own event', async (_, body) => {
    const { context } = venueThat(() => ({ body }))
    expect(await data.fetchMarket(context, '42')).toMatchObject({ market: { marketId: '42' }, event: { id: '42' } })
    expect(await data.fetchEvent(context, '42')).toMatchObject({ id: '42' })
  })

  test('is null when unknown to the venue; another market’s row, or one without tokens, is a fault', async () => {
    expect(await data.fetchMarket(venueThat(() => ({ status: 404, body: {} })).context, '42')).toBeNull()
    expect(await data.fetchMarket(venueThat(() => ({ body: {} })).context, 'forty-two')).toBeNull()
    for (const body of [market(43), tokenless(42), {}]) {
      await expect(data.fetchMarket(venueThat(() => ({ body })).context, '42')).rejects.toMatchObject(unavailable)
    }
  })
})

describe('a book', () => {
  const id = `42.${'7'.repeat(60)}`
  test('is requested by its token only', async () => {
    const { context, requests } = venueThat(() => ({ body: { bids: [], asks: [{ price: '0.5', size: '1' }] } }))
    expect(await data.fetchOrderBook(context, id)).toMatchObject({ bookId: id, asks: [[500_000, 1]] })
    expect(requests).toEqual([`clob/book {"token_id":"${'7'.repeat(60)}"}`])
  })

  test('is null when unknown to the venue; with a duplicate price or one side it is a fault', async () => {
    expect(await data.fetchOrderBook(venueThat(() => ({ status: 404, body: {} })).context, id)).toBeNull()
    const level = { price: '0.5', size: '1' }
    for (const body of [{ bids: [level, level], asks: [] }, { bids: [] }, { error: 'no' }]) {
      await expect(data.fetchOrderBook(venueThat(() => ({ body })).context, id)).rejects.toMatchObject(unavailable)
    }
  })
})
