import { afterEach, describe, expect, it } from 'vitest'
import { Event, Market } from '#schemas/market'
import { fetchMarket, walkCatalog } from '#venues/polymarket/data/reads'
import type { CatalogPage } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { type Answer, serveVenue, type VenueServer } from '../venueServer.ts'

let server: VenueServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})
const serve = async (answer: Answer): Promise<VenueContext> => {
  server = await serveVenue(answer)
  return server.context
}

const conditionId = `0x${'0a'.repeat(32)}`
const tokens = ['1', '2'].map((digit) => digit.repeat(77))
const market = (id: string, more: object = {}) => ({
  id,
  question: `Question ${id}?`,
  slug: `question-${id}`,
  conditionId,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.4", "0.6"]',
  clobTokenIds: JSON.stringify(tokens),
  active: true,
  closed: false,
  acceptingOrders: true,
  ...more,
})
const event = (id: string, markets: unknown[], more: object = {}) => ({
  id,
  slug: `event-${id}`,
  title: `Event ${id}`,
  series: [{ id: 's1', title: 'Series', slug: 'series', recurrence: 'weekly' }],
  markets,
  ...more,
})

async function walk(context: VenueContext, updatedSinceMs: number | null = null): Promise<CatalogPage[]> {
  const pages: CatalogPage[] = []
  for await (const page of walkCatalog(context, { updatedSinceMs })) pages.push(page)
  return pages
}
const eventIds = (pages: CatalogPage[]): string[] => pages.flatMap(({ events }) => events.map(({ id }) => id))

describe('the catalog walk', () => {
  it('follows next_cursor to the last page, with nested markets and each series once per page', async () => {
    const context = await serve(({ query }) =>
      query.get('after_cursor') === 'c2'
        ? { events: [event('3', [market('30')])] }
        : { events: [event('1', [market('10'), market('11')]), event('2', [])], next_cursor: 'c2' },
    )
    const pages = await walk(context)
    expect(eventIds(pages)).toEqual(['1', '2', '3'])
    expect(pages[0]?.events[0]?.markets.map(({ marketId, eventId }) => [marketId, eventId])).toEqual([
      ['10', '1'],
      ['11', '1'],
    ])
    expect(pages[0]?.series.map(({ id, recurrence }) => [id, recurrence])).toEqual([['s1', 'weekly']])
    for (const { events } of pages) for (const each of events) Event.parse(each)
    expect(server?.requests.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/gamma/events/keyset?limit=100&closed=false',
      '/gamma/events/keyset?limit=100&closed=false&after_cursor=c2',
    ])
  })

  it('stops at a repeated cursor', async () => {
    const context = await serve(() => ({ events: [event('1', [])], next_cursor: 'same' }))
    expect(await walk(context)).toHaveLength(2)
  })

  it('pages by offset when the keyset listing is missing', async () => {
    const context = await serve(({ path, query }) => {
      if (path !== '/gamma/events') return undefined
      return { 0: [event('1', [])], 100: [event('2', [])] }[query.get('offset') ?? ''] ?? []
    })
    expect(eventIds(await walk(context))).toEqual(['1', '2'])
  })

  it('skips only the events and markets of an unknown format', async () => {
    const context = await serve(() => ({ events: [{ title: 'no id' }, 7, event('1', [market('10'), { id: 5 }])] }))
    const [page] = await walk(context)
    expect(page?.events.map(({ markets }) => markets.length)).toEqual([1])
  })

  it('with a last walk time also reads events that seem unchanged, because their prices may have moved', async () => {
    const context = await serve(() => ({
      events: [
        event('old', [market('1', { updatedAt: '2026-01-01T00:00:00Z' })], { updatedAt: '2026-01-01T00:00:00Z' }),
        event('stirred', [market('2', { updatedAt: '2026-03-01T00:00:00Z' })], { updatedAt: '2026-01-01T00:00:00Z' }),
        event('silent', []),
      ],
    }))
    expect(eventIds(await walk(context, Date.parse('2026-02-01T00:00:00Z')))).toEqual(['old', 'stirred', 'silent'])
  })

  it('an error response is a retryable fault, not an empty catalog', async () => {
    const context = await serve(() => ({ error: 'x' }))
    await expect(walk(context)).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'polymarket' })
  })
})

describe('one market', () => {
  const answer: Answer = ({ path, query }) => {
    const found = market('516950', { events: [{ id: '16183', slug: 'kraken', title: 'Kraken' }] })
    if (path === '/gamma/markets/516950' || path === '/gamma/markets/slug/question-516950') return found
    if (path === '/gamma/markets/keyset' && query.get('closed') === 'true') {
      if (query.get('condition_ids') === conditionId || query.get('clob_token_ids') === tokens[0])
        return { markets: [found] }
    }
    if (path === '/gamma/markets/keyset') return { markets: [] }
    if (path === '/gamma/events/16183') return event('16183', [found, market('7')])
    return undefined
  }

  it.each(['516950', conditionId, tokens[0] as string, 'question-516950'])(
    'is found by %s, closed or open, with its event',
    async (id) => {
      const found = await fetchMarket(await serve(answer), id)
      expect(Market.parse(found?.market)).toMatchObject({
        marketId: '516950',
        eventId: '16183',
        contractAddress: conditionId,
      })
      expect(found?.event?.markets.map(({ marketId }) => marketId)).toEqual(['516950', '7'])
    },
  )

  it('is null when unknown to the venue, and is not requested for an invalid id', async () => {
    const context = await serve(answer)
    expect(await fetchMarket(context, '9')).toBeNull()
    expect(await fetchMarket(context, `0x${'ff'.repeat(32)}`)).toBeNull()
    const before = server?.requests.length
    expect(await fetchMarket(context, '../events')).toBeNull()
    expect(server?.requests.length).toBe(before)
  })
})
