import { describe, expect, it } from 'vitest'
import { blockIn } from '#cli/probe/blocks'
import { compareFields, FieldCollector, sourceOf } from '#cli/probe/fields'
import { checkBook, checkMarket } from '#cli/probe/invariants'
import { readKnownFields, storedFields } from '#cli/probe/knownFields'

const collect = (...values: unknown[]): FieldCollector => {
  const collector = new FieldCollector()
  for (const value of values) collector.take(value)
  return collector
}

describe('fields of responses', () => {
  it('have a path, their types, and whether every object has them', () => {
    const rows = [{ id: '1', tags: ['a'], fee: null }, { id: '2', tags: [], fee: { rate: 1 } }, { id: 3 }]
    expect(collect({ rows }).fields()).toEqual({
      rows: { types: 'a', isAlways: true },
      'rows.[].id': { types: 'ns', isAlways: true },
      'rows.[].tags': { types: 'a', isAlways: false },
      'rows.[].fee': { types: 'oz', isAlways: false },
      'rows.[].fee.rate': { types: 'n', isAlways: true },
    })
  })

  it('differ by being new, missing or of another type; fields inside a new field are not listed', () => {
    const known = collect({
      rows: [
        { id: '1', price: 0.5, tags: ['a'], note: 'x' },
        { id: '2', price: 1, tags: [] },
      ],
    })
    const now = collect({ rows: [{ id: '1', price: '0.5', tags: null, more: { deep: { er: 1 } } }] })
    expect(compareFields('GET /rows', now, known.fields())).toEqual([
      { source: 'GET /rows', field: 'rows.[].price', kind: 'mistyped', message: 'text instead of a number' },
      { source: 'GET /rows', field: 'rows.[].tags', kind: 'mistyped', message: 'null instead of a list' },
      { source: 'GET /rows', field: 'rows.[].more', kind: 'unknown', message: 'new, an object' },
    ])
    const fewer = collect({ rows: [{ id: '1', price: 0.5 }] })
    expect(compareFields('GET /rows', fewer, known.fields())).toEqual([
      { source: 'GET /rows', field: 'rows.[].tags', kind: 'missing', message: 'absent' },
    ])
    // An empty list lacks nothing.
    expect(compareFields('GET /rows', collect({ rows: [] }), known.fields())).toEqual([])
  })

  it('are stored with a question mark where an object may lack them', () => {
    const fields = collect([{ a: 1 }, { a: 's', b: true }]).fields()
    expect(storedFields({ 'GET /': fields })).toEqual({ 'GET /': { '[].a': 'ns', '[].b': 'b?' } })
  })

  it.each([
    ['GET', 'https://v.example/v1/events/KXBTCD-26DEC29', undefined, 'GET /v1/events/*'],
    ['GET', `https://v.example/book/0x${'ab'.repeat(32)}`, undefined, 'GET /book/*'],
    ['GET', 'https://v.example/markets/will-it-rain-tomorrow', undefined, 'GET /markets/*'],
    ['POST', 'https://v.example/info', { type: 'l2Book', coin: '#5160' }, 'POST /info l2Book'],
    [
      'POST',
      'https://v.example/v1/graphql',
      { query: 'query Events($n: Int) { event { id } }' },
      'POST /v1/graphql Events',
    ],
  ])('have a source without ids: %s %s', (method, url, body, source) => {
    expect(sourceOf(method, url, body, {})).toBe(source)
  })

  it.each([
    ['https://gamma.example/events/keyset', 'GET /events/keyset'],
    ['http://127.0.0.1:8081/gamma/events/keyset', 'GET /events/keyset'],
    ['http://127.0.0.1:8081/gamma', 'GET /'],
    ['http://127.0.0.1:8081/gammaray/events', 'GET /gammaray/events'],
    ['https://proxy.example/venue/clob/book?token_id=1', 'GET /book'],
    ['https://elsewhere.example/gamma/book', 'GET /gamma/book'],
  ])('have the path below the base URL as their source: %s', (url, source) => {
    const urls = {
      GAMMA: 'http://127.0.0.1:8081/gamma',
      REST: 'https://gamma.example/',
      CLOB: 'https://proxy.example/venue/clob',
      OLD: 'https://proxy.example/venue',
    }
    expect(sourceOf('GET', url, undefined, urls)).toBe(source)
  })
})

it.each([
  [{ status: 200, headers: {}, body: { title: 'Just a moment...' } }, null],
  [{ status: 200, headers: {}, body: '<html>maintenance</html>' }, null],
  [{ status: 429, headers: {}, body: { error: 'too many requests' } }, null],
  [{ status: 400, headers: {}, body: { error: 'error code: 10201' } }, null],
  [{ status: 200, headers: {}, body: '<title>Just a moment...</title>' }, 'takes this program for a bot (status 200)'],
  [{ status: 403, headers: {}, body: 'error code: 1020' }, 'takes this program for a bot (status 403)'],
  [{ status: 403, headers: {}, body: { error: 'error code: 1020' } }, 'takes this program for a bot (status 403)'],
  [
    { status: 403, headers: {}, body: '<h1><span>Error</span>\n<span>1020</span></h1>' },
    'takes this program for a bot (status 403)',
  ],
  [{ status: 429, headers: {}, body: 'error code: 1015' }, 'takes this program for a bot (status 429)'],
  [{ status: 403, headers: {}, body: 'error code: 1009' }, 'refuses this location (status 403)'],
  [
    {
      status: 403,
      headers: {},
      body: 'The Amazon CloudFront distribution is configured to block access from your country.',
    },
    'refuses this location (status 403)',
  ],
  [{ status: 404, headers: {}, body: { error: 'not found' } }, null],
  [{ status: 403, headers: {}, body: { error: 'invalid api key' } }, null],
  [
    { status: 403, headers: {}, body: { error: '<html>Attention Required! | Cloudflare</html>' } },
    'takes this program for a bot (status 403)',
  ],
  [{ status: 403, headers: {}, body: { error: 'error 1009: banned country' } }, 'refuses this location (status 403)'],
  [{ status: 451, headers: {}, body: '' }, 'refuses this location (status 451)'],
])('the response %j is blocked by: %s', (answer, message) => {
  expect(blockIn(answer)).toBe(message)
})

describe('rows', () => {
  const book = { bookId: 'b', eventTs: null, recvTs: 0, lastTradeMicros: null, isNegRisk: null, tickMicros: null }
  it.each([
    [[[400_000, 1]], [[410_000, 1]], 0.01, []],
    [[[410_000, 1]], [[410_000, 1]], 0.01, ['book b is crossed: 0.41 bid, 0.41 ask']],
    [[[405_000, 1]], [], 0.01, ['book b has a level at 0.405, off its tick of 0.01']],
    [[[1_000_000, 1]], [], null, ['book b has a level at 1']],
    [[[400_000, 0]], [], null, ['book b has a level of size 0']],
  ] as const)('a book of %j and %j at the tick %s: %j', (bids, asks, tick, wrong) => {
    const sides = {
      bids: bids.map(([p, s]) => [p, s] as [number, number]),
      asks: asks.map(([p, s]) => [p, s] as [number, number]),
    }
    expect(checkBook({ ...book, ...sides }, tick)).toEqual(wrong)
  })

  it('names a market whose quotes cross or whose prices do not sum to one', () => {
    const outcome = (price: number | null, bestBid: number | null, bestAsk: number | null) => ({
      outcomeId: 'o',
      price,
      bestBid,
      bestAsk,
    })
    const market = (...outcomes: object[]) => ({ marketId: 'm', title: 'M', outcomes, tickSize: 0.01 }) as never
    expect(checkMarket(market(outcome(0.4, 0.39, 0.41), outcome(0.6, 0.59, 0.61)))).toEqual([])
    expect(checkMarket(market(outcome(1, null, null), outcome(0, null, null)))).toEqual([])
    expect(checkMarket(market(outcome(0.4, 0.5, 0.41), outcome(0.7, null, null)))).toHaveLength(2)
    expect(checkMarket(market(outcome(1.4, null, null)))).toHaveLength(2)
  })
})

describe('known fields', () => {
  it.each([
    ['limitless', 'GET /markets/*', { winningOutcomeIndex: 0, payoutNumerators: ['1', '0'] }],
    ['limitless', 'GET /markets/*', { winningOutcomeIndex: null, payoutNumerators: null }],
    ['polymarket', 'GET /markets/*', { bestBid: 0.4 }],
    ['polymarket', 'GET /markets/*', { bestBid: 0.4, bestAsk: 0.5 }],
  ])('of %s allow a resolved market, and one without quotes on a side: %s', (venue, source, row) => {
    const known = readKnownFields(venue)[source]!
    expect(known).toBeDefined()
    const names = ['winningOutcomeIndex', 'payoutNumerators', 'bestBid', 'bestAsk']
    const drift = compareFields(source, collect(row), known)
    expect(drift.filter(({ field }) => names.includes(field))).toEqual([])
  })
})
