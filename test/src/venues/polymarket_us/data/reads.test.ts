import { afterEach, describe, expect, it, vi } from 'vitest'
import { Event, Market } from '#schemas/market'
import { eventsPerPage } from '#venues/polymarket_us/data/endpoints'
import { fetchMarket, walkCatalog } from '#venues/polymarket_us/data/reads'
import type { CatalogPage } from '#venues/venue'
import {
  type Answer,
  eventRow,
  marketRow,
  notFound,
  serveGateway,
  type VenueRequest,
  type VenueServer,
} from '../venueServer.ts'

let server: VenueServer
afterEach(() => server.close())

async function walk(
  answer: (request: VenueRequest) => Answer,
  updatedSinceMs: number | null = null,
): Promise<CatalogPage[]> {
  server = await serveGateway(answer)
  const pages: CatalogPage[] = []
  for await (const page of walkCatalog(server.context, { updatedSinceMs })) pages.push(page)
  return pages
}
const eventIds = (pages: CatalogPage[]): string[] => pages.flatMap(({ events }) => events.map(({ id }) => id))
const offsets = () => server.requests.map(({ query }) => [query.get('offset'), query.get('limit')].map(Number))

/** A number of events, listed like the venue does. */
const listing = (total: number) => {
  const rows = Array.from({ length: total }, (_, n) => eventRow(String(n), [marketRow(`m-${n}`)]))
  return ({ query }: VenueRequest): Answer => {
    const offset = Number(query.get('offset'))
    return { body: { events: rows.slice(offset, offset + Number(query.get('limit'))) } }
  }
}

describe('the catalog walk', () => {
  it.each([0, 1, eventsPerPage - 1, eventsPerPage, eventsPerPage + 1, 3 * eventsPerPage])(
    'of %i events ends at the short page and lists each once',
    async (total) => {
      const pages = await walk(listing(total))
      expect(eventIds(pages)).toEqual(Array.from({ length: total }, (_, n) => String(n)))
      expect(offsets()).toEqual(
        Array.from({ length: Math.floor(total / eventsPerPage) + 1 }, (_, page) => [
          page * eventsPerPage,
          eventsPerPage,
        ]),
      )
      for (const { events } of pages) for (const each of events) Event.parse(each)
      expect(server.requests.every(({ path, query }) => path === '/v1/events' && query.get('closed') === 'false')).toBe(
        true,
      )
    },
  )

  it('a page that is too large is requested in halves, without losing or repeating events', async () => {
    const whole = listing(eventsPerPage + 3)
    const pages = await walk((request) =>
      request.query.get('offset') === '0' && Number(request.query.get('limit')) > 5
        ? { body: `"${'x'.repeat(33 * 1024 * 1024)}"` }
        : whole(request),
    )
    expect(eventIds(pages)).toEqual(Array.from({ length: eventsPerPage + 3 }, (_, n) => String(n)))
    expect(offsets()).toEqual([
      [0, 20],
      [0, 10],
      [0, 5],
      [5, 20],
    ])
  })

  it('a 429 pauses the walk, which then continues at the same place and yields empty pages meanwhile', async () => {
    const whole = listing(eventsPerPage + 3)
    const limited: Answer = { status: 429, headers: { 'retry-after': '1' }, body: '<html>slow down</html>' }
    let refuse = true
    server = await serveGateway((request) =>
      refuse && request.query.get('offset') === '20' ? limited : whole(request),
    )
    const pages: CatalogPage[] = []
    const walking = (async () => {
      for await (const page of walkCatalog(server.context, { updatedSinceMs: null })) {
        pages.push(page)
        if (page.events.length === 0) refuse = false
      }
    })()
    await vi.waitFor(
      () => {
        server.clock.advance(1_000)
        expect(eventIds(pages)).toHaveLength(eventsPerPage + 3)
      },
      { timeout: 20_000 },
    )
    await walking
    expect(pages.some(({ events }) => events.length === 0)).toBe(true)
    expect(new Set(eventIds(pages)).size).toBe(eventsPerPage + 3)
  })

  it('skips only unreadable events and markets', async () => {
    const [page] = await walk(() => ({
      body: { events: [{ title: 'no id' }, 7, eventRow('1', [marketRow('a'), { slug: 'b' }, null])] },
    }))
    expect(page!.events.map(({ markets }) => markets.map(({ marketId }) => marketId))).toEqual([['a']])
  })

  it('lists each series once per page, with the venue’s name', async () => {
    const series = { id: 3, slug: 'league-2026', title: 'League' }
    const more = { seriesSlug: undefined, series }
    const [page] = await walk(() => ({ body: { events: [eventRow('1', [], more), eventRow('2', [], more)] } }))
    expect(page!.series.map(({ id, title }) => [id, title])).toEqual([['league-2026', 'League']])
    expect(page!.events[0]!.seriesId).toBe('league-2026')
  })

  it('with a last walk time also reads events that seem unchanged, because their prices may have moved', async () => {
    const old = { updatedAt: '2026-01-01T00:00:00Z' }
    const rows = [
      eventRow('old', [marketRow('a', old)], old),
      eventRow('stirred', [marketRow('b', { updatedAt: '2026-03-01T00:00:00Z' })], old),
      eventRow('silent', [], { updatedAt: null }),
    ]
    const pages = await walk(() => ({ body: { events: rows } }), Date.parse('2026-02-01T00:00:00Z'))
    expect(eventIds(pages)).toEqual(['old', 'stirred', 'silent'])
  })

  it.each([
    ['another body', { body: { error: 'x' } }],
    ['a list', { body: [] }],
    ['a refusal', { status: 400, body: { code: 3, message: 'no' } }],
    ['the venue’s own 404', notFound],
    ['an HTML page', { body: '<html>' }],
  ])('%s is a retryable fault, not an empty catalog', async (_, answer) => {
    await expect(walk(() => answer)).rejects.toMatchObject({ code: 'NETWORK_ERROR', exchange: 'polymarket_us' })
  })
})

describe('one market', () => {
  it('is requested by its slug', async () => {
    server = await serveGateway(() => ({ body: { market: marketRow('herons') } }))
    const found = await fetchMarket(server.context, 'herons')
    expect(Market.parse(found!.market)).toMatchObject({ marketId: 'herons', tickSize: 0.001, status: 'active' })
    expect(found!.event).toBeNull()
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/market/slug/herons'])
  })

  it('is null when unknown to the venue, and is not requested for an invalid id', async () => {
    server = await serveGateway(() => notFound)
    expect(await fetchMarket(server.context, 'nobody')).toBeNull()
    for (const id of ['', '../events', 'a b', 'demo-a:long']) expect(await fetchMarket(server.context, id)).toBeNull()
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['another market', { body: { market: marketRow('ravens') } }],
    ['no market', { body: {} }],
    [
      'two long sides',
      {
        body: {
          market: marketRow('herons', { marketSides: [marketRow('x').marketSides[0], marketRow('x').marketSides[0]] }),
        },
      },
    ],
    ['an unrelated 404', { status: 404, body: '<html>gone</html>' }],
    ['a refusal', { status: 403, body: { message: 'no' } }],
  ])('%s is a fault, not a guess', async (_, answer) => {
    server = await serveGateway(() => answer)
    await expect(fetchMarket(server.context, 'herons')).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})
