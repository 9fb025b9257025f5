// Reads of the older GraphQL, the fallback when the public catalog does not answer.
import { describe, expect, test } from 'vitest'
import { novig } from '#venues/novig/index'
import type { CatalogPage } from '#venues/venue'
import { event, type GraphqlRequest, idOf, market, order, outcome, venueThat } from './rows.ts'

const sides = [outcome(1, 'Under'), outcome(2, 'Over')]
const tooLong = { errors: [{ message: 'timed out', extensions: { code: 'time-limit-exceeded', path: '$' } }] }
const unavailable = { code: 'NETWORK_ERROR', exchange: 'novig' }

/** Events after an id, up to the requested limit. */
const listOf =
  (count: number) =>
  ({ variables: { after, limit } }: GraphqlRequest) => {
    const rows = Array.from({ length: count }, (_, n) => event(n + 1, [])).filter(({ id }) => id > String(after))
    return { data: { event: rows.slice(0, Number(limit)) } }
  }

async function walk(context: ReturnType<typeof venueThat>['context']): Promise<CatalogPage[]> {
  const pages: CatalogPage[] = []
  for await (const page of novig.data.walkCatalog(context, { updatedSinceMs: null })) pages.push(page)
  return pages
}
const ids = (pages: CatalogPage[]) => pages.flatMap(({ events }) => events.map(({ id }) => id))

describe('the walk', () => {
  test('pages by id to the first short page, over all events that are not over', async () => {
    const { context, requests } = venueThat(listOf(25))
    expect(ids(await walk(context))).toEqual(Array.from({ length: 25 }, (_, n) => idOf(n + 1, '1')))
    expect(requests.map(({ variables }) => variables)).toEqual([
      { after: '00000000-0000-0000-0000-000000000000', limit: 10 },
      { after: idOf(10, '1'), limit: 10 },
      { after: idOf(20, '1'), limit: 10 },
    ])
    expect(requests[0]!.query).toContain('status: {_nin: ["FINAL", "CANCELED"]}')
  })

  test('requests smaller pages when the venue times out, and misses none', async () => {
    const all = listOf(12)
    const { context, requests } = venueThat((one) => (Number(one.variables.limit) > 2 ? tooLong : all(one)))
    expect(ids(await walk(context))).toHaveLength(12)
    expect(new Set(requests.map(({ variables }) => variables.limit))).toEqual(new Set([10, 5, 2]))
  })

  test('a single event that times out is a fault, not the end of the list', async () => {
    await expect(walk(venueThat(() => tooLong).context)).rejects.toMatchObject(unavailable)
  })

  test('skips unreadable rows with a warning and keeps the others', async () => {
    const rows = [event(1, [market(1, sides), { id: idOf(2, '2') }, null]), { id: idOf(2, '1') }, null]
    const { context, warnings } = venueThat(() => ({ data: { event: rows } }))
    const [page] = await walk(context)
    expect(page?.events.map(({ id, markets }) => [id, markets.length])).toEqual([[idOf(1, '1'), 1]])
    // Plus one warning that the catalog does not answer.
    expect(warnings).toHaveLength(4 + 1)
  })

  test.each([
    ['an error of the venue', { errors: [{ message: 'no', extensions: { code: 'validation-failed' } }] }],
    ['an error next to rows', { data: { event: [] }, errors: [{ message: 'no', extensions: { code: 'unexpected' } }] }],
    ['another list', { data: { market: [] } }],
    ['nothing', { data: null }],
  ])('%s is a fault, not an empty catalog', async (_, body) => {
    await expect(walk(venueThat(() => body).context)).rejects.toMatchObject(unavailable)
  })
})

describe('one market', () => {
  const { fetchMarket, fetchEvent } = novig.data
  const rows = [event(1, [market(1, sides), market(2, sides)], { status: 'FINAL' })]

  test('comes with its whole event, even if that is over', async () => {
    const { context, requests } = venueThat(() => ({ data: { event: rows } }))
    const found = await fetchMarket(context, idOf(2, '2'))
    expect([found?.market.marketId, found?.event?.markets.length]).toEqual([idOf(2, '2'), 2])
    expect(requests[0]!.variables).toEqual({ id: idOf(2, '2') })
    expect(await fetchEvent(context, idOf(1, '1'))).toMatchObject({ id: idOf(1, '1') })
  })

  test('is null when unknown to the venue, and is not requested for an invalid id', async () => {
    const { context, requests } = venueThat(() => ({ data: { event: [] } }))
    expect(await fetchMarket(context, idOf(9, '2'))).toBeNull()
    expect(await fetchEvent(context, idOf(9, '1'))).toBeNull()
    for (const id of ['9', 'GEMI-A-B'])
      expect([await fetchMarket(context, id), await fetchEvent(context, id)]).toEqual([null, null])
    expect(requests).toHaveLength(2)
  })

  test('that is missing from its event, or unreadable, is a fault', async () => {
    const { context } = venueThat(() => ({ data: { event: rows } }))
    await expect(fetchMarket(context, idOf(9, '2'))).rejects.toMatchObject(unavailable)
    await expect(fetchEvent(context, idOf(9, '1'))).rejects.toMatchObject(unavailable)
  })
})

describe('books', () => {
  const { fetchOrderBook } = novig.data
  const row = (n: number, orders: unknown[]) => ({
    id: idOf(n, '2'),
    outcomes: [n * 2 - 1, n * 2].map((k) => ({ id: idOf(k, '3'), last: null, orders })),
  })

  test('are read by outcome', async () => {
    const { context, requests } = venueThat(() => ({ data: { market: [row(1, [order(0.4, 100)])] } }))
    const book = await fetchOrderBook(context, idOf(2, '3'))
    expect(book).toMatchObject({ bookId: idOf(2, '3'), bids: [[400_000, 1]] })
    expect(requests.map(({ variables }) => variables)).toEqual([{ ids: [idOf(2, '3')] }])
    expect(requests[0]!.query).toContain('currency: {_eq: "CASH"}')
  })

  test.each([
    ['an unreadable order', row(1, [order(7, 100)])],
    ['an unreadable row', { id: idOf(3, '2'), outcomes: 'none' }],
  ])('%s is a fault', async (_, market) => {
    const { context } = venueThat(() => ({ data: { market: [market] } }))
    await expect(fetchOrderBook(context, idOf(1, '3'))).rejects.toMatchObject(unavailable)
  })

  test('is null for an outcome unknown to the venue', async () => {
    const { context } = venueThat(() => ({ data: { market: [] } }))
    expect(await fetchOrderBook(context, idOf(1, '3'))).toBeNull()
    expect(await fetchOrderBook(context, 'nobody')).toBeNull()
  })
})
