// The route of open orders as in the specification: fields, limits, pages, error codes; and how it limits its requests to venues.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { abandonAfterMs, keptMs, readWithinMs } from '#orders/openOrders/accountReadCache'
import { AccountReads } from '#orders/openOrders/index'
import type { OrdersVenue } from '#orders/openOrders/ports'
import { createWorld, type World } from '#test/src/server/http/world'
import type { PublicOpenOrder, PublicOpenOrders } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const address = `0x${'AB'.repeat(20)}`
const account = address.toLowerCase()
const base = 1_790_000_000_000

let orders: PublicOpenOrder[]
let failure: Error | null
let readAccounts: string[]
/** While set, the venue does not answer. */
let pendingResponse: Promise<void> | null

const order = (n: number, more: Partial<PublicOpenOrder> = {}): PublicOpenOrder => ({
  orderId: `o${n}`,
  marketId: `m${n % 3}`,
  outcomeId: `m${n % 3}:yes`,
  side: 'buy',
  orderType: 'limit',
  limitPrice: 0.25,
  originalSize: 10,
  filledSize: 0,
  remainingSize: 10,
  status: 'open',
  createdAtMs: base - n * 1_000,
  updatedAtMs: null,
  raw: { n },
  ...more,
})

const reads = (source: PublicOpenOrders['source'] = 'venue_api'): PublicOpenOrders => ({
  source,
  readsPerMinute: 60,
  accountOf: (text) => (/^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : null),
  async fetch({ signal }, who) {
    readAccounts.push(who)
    if (pendingResponse !== null)
      await Promise.race([
        pendingResponse,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      ])
    if (failure !== null) throw failure
    return { orders, asOfMs: base }
  },
})

function open(): World {
  const plain = createWorld({ families: { openOrders: true } })
  const venueOf = (
    slug: string,
    data: OrdersVenue['data'],
    urls: Record<string, string> = {},
  ): [string, OrdersVenue] => [
    slug,
    { data, context: { ...plain.venues.get('kalshi')!.reads.context, venue: slug, urls } as VenueContext },
  ]
  const venues = new Map([
    venueOf('hyperliquid', { openOrders: reads() }),
    venueOf('myriad', { openOrders: reads() }),
    venueOf('rain', { openOrders: reads('chain') }, { RPC: 'http://127.0.0.1:1' }),
    venueOf('kalshi', {}),
  ])
  const made = createWorld({
    families: { openOrders: true },
    openOrders: {
      venues,
      // The reads use the clock of the world, which exists only after the world.
      reads: { read: (...of) => own.read(...of) },
      findKnown: async (_, ids) => new Set(ids.filter((id) => id !== 'm2')),
    },
  })
  const own = new AccountReads({ venues, clock: made.clock })
  return made
}

let world: World
const path = (venue = 'hyperliquid', who = address) => `/v1/accounts/${venue}/${who}/open-orders`
const get = (query = '', venue?: string, who?: string) => world.get(`${path(venue, who)}${query}`)
beforeEach(() => {
  orders = Array.from({ length: 3 }, (_, n) => order(n))
  failure = null
  readAccounts = []
  pendingResponse = null
  world = open()
})

const specification = fileURLToPath(new URL('../../../../../shared/spec.md', import.meta.url))
const absent = 'needs ../shared/spec.md, which is missing next to this checkout'
describe.skipIf(!existsSync(specification))(`according to the specification (${absent})`, () => {
  const text = existsSync(specification) ? readFileSync(specification, 'utf8') : ''
  const part = text.slice(
    text.indexOf('### Public open order (accounts)'),
    text.indexOf('### Trader intelligence rows'),
  )
  const rows = [...part.matchAll(/^\| ([a-zA-Z, ]+) \| (.+) \|$/gm)].filter(([, names]) => names !== 'field')
  const fields = rows.flatMap(([, names, type]) => names!.split(', ').map((name) => [name, type!] as const))

  it('an order has the fields and types of the table', async () => {
    orders = [order(1, { updatedAtMs: base }), order(2, { limitPrice: null, createdAtMs: null, outcomeId: null })]
    const { data } = (await get()).json
    expect(fields.length).toBeGreaterThan(14)
    for (const row of data) {
      expect(Object.keys(row).sort()).toEqual(fields.map(([name]) => name).sort())
      for (const [name, type] of fields) expectType(row[name], name, type)
    }
  })

  it('meta has the fields of the specification', async () => {
    orders = Array.from({ length: 2 }, (_, n) => order(n))
    const { meta, nextCursor } = (await get('?limit=1')).json
    for (const name of Object.keys(meta)) expect(part).toContain(`\`${name}\``)
    expect(meta).toEqual({
      asOf: new Date(base).toISOString(),
      provenance: { source: 'venue_api', visibility: 'public' },
      derived: false,
      cached: false,
      nextCursor,
    })
    expect((await get('', 'rain')).json.meta).toMatchObject({ provenance: { source: 'chain' }, derived: true })
  })

  it.each([
    ['default 20, 1 to 100', /Query: `limit` integer default 20, 1 to 100/],
    ['1 to 96 characters', /`accountId` string of 1 to 96 characters/],
    ['VENUE_NOT_AVAILABLE', /Unknown venue: 404 `VENUE_NOT_AVAILABLE`/],
    ['ACCOUNTS_UNSUPPORTED', /known non-served lane: 400 `ACCOUNTS_UNSUPPORTED`/],
    ['retryable 503', /served upstream outage: retryable 503/],
  ])('still says %s', (_, words) => expect(text).toMatch(words))
})

function expectType(value: unknown, name: string, type: string): void {
  const words = [...type.matchAll(/`(\w+)`/g)].map(([, word]) => word)
  if (type.includes('or null') && value === null) return
  if (type.startsWith('enum')) expect(words, name).toContain(value)
  else if (type.startsWith('string')) expect(value, name).toBeTypeOf('string')
  else if (type.startsWith('number')) expect(value, name).toBeTypeOf('number')
  else if (type.startsWith('date-time')) expect(new Date(String(value)).toISOString(), name).toBe(value)
}

describe('pages', () => {
  it('has twenty rows by default, newest first, those without a time last, ties by id', async () => {
    orders = Array.from({ length: 25 }, (_, n) => order(n)).reverse()
    const first = (await get()).json
    expect(first.data.map(({ orderId }: { orderId: string }) => orderId)).toEqual(orderIds(0, 20))
    orders = [
      order(2, { createdAtMs: null }),
      order(9),
      order(1, { createdAtMs: null }),
      order(8, { createdAtMs: base - 9_000 }),
    ]
    world = open()
    expect((await get()).json.data.map(({ orderId }: { orderId: string }) => orderId)).toEqual(['o8', 'o9', 'o1', 'o2'])
  })

  it('paging returns every order that exists throughout exactly once, whatever is added or removed', async () => {
    orders = Array.from({ length: 60 }, (_, n) => order(n))
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; ; page++) {
      const { data, nextCursor, meta } = (await get(`?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`)).json
      seen.push(...data.map(({ orderId }: { orderId: string }) => orderId))
      expect(meta.nextCursor).toBe(nextCursor)
      if (nextCursor === undefined) break
      cursor = nextCursor
      // The last one of the page ends, and a newer one appears.
      orders = [
        order(100 + page, { createdAtMs: base + page }),
        ...orders.filter(({ orderId }) => orderId !== seen.at(-1)),
      ]
      world.clock.advance(keptMs)
    }
    expect(seen).toEqual(orderIds(0, 60))
  })

  it('a full page can be the last one', async () => {
    expect((await get('?limit=3')).json.nextCursor).toBeUndefined()
    expect((await get('?limit=2')).json.nextCursor).toBeTypeOf('string')
  })

  it('merges an order that the venue lists twice and keeps the last version; an invalid price is null', async () => {
    orders = [order(1), order(2, { limitPrice: 1.2 }), order(3, { limitPrice: 0 }), order(1, { remainingSize: 4 })]
    const { data } = (await get()).json
    expect(
      data.map(({ orderId, limitPrice, remainingSize }: PublicOpenOrder) => [orderId, limitPrice, remainingSize]),
    ).toEqual([
      ['o1', 0.25, 4],
      ['o2', null, 10],
      ['o3', null, 10],
    ])
  })

  it('an account without orders has an empty page', async () => {
    orders = []
    expect((await get()).json).toMatchObject({ success: true, data: [], meta: { cached: false } })
  })

  it('fields that the venue omits are null, and markets outside the catalog have no canonical id', async () => {
    orders = [order(2, { limitPrice: null, originalSize: null, filledSize: null, createdAtMs: null, outcomeId: null })]
    expect((await get()).json.data).toEqual([
      {
        venue: 'hyperliquid',
        accountId: account,
        orderId: 'o2',
        marketId: 'm2',
        canonicalMarketId: null,
        outcomeId: null,
        side: 'buy',
        orderType: 'limit',
        limitPrice: null,
        originalSize: null,
        filledSize: null,
        remainingSize: 10,
        status: 'open',
        createdAt: null,
        updatedAt: null,
        raw: { n: 2 },
      },
    ])
    orders = [order(1)]
    expect((await get('', 'myriad')).json.data[0].canonicalMarketId).toBe('myriad:m1')
  })
})

const orderIds = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `o${from + n}`)

describe('refuses', () => {
  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?limit=1e9', 'limit'],
    ['?cursor=', 'cursor'],
    ['?cursor=nonsense', 'cursor'],
    [`?cursor=${'a'.repeat(3_000)}`, 'cursor'],
    ['?lmit=5', 'lmit'],
    ['?status=open', 'status'],
  ])('%s', async (query, word) => {
    const { status, json } = await get(query)
    expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(json.error.message).toContain(word)
    expect(readAccounts).toEqual([])
  })

  it('a cursor of another account or venue, or a changed one', async () => {
    const { nextCursor } = (await get('?limit=1')).json
    const other = `0x${'cd'.repeat(20)}`
    const changed = `${nextCursor.slice(0, -1)}${nextCursor.endsWith('A') ? 'B' : 'A'}`
    for (const reply of [
      await get(`?cursor=${nextCursor}`, 'hyperliquid', other),
      await get(`?cursor=${nextCursor}`, 'myriad'),
      await get(`?cursor=${changed}`),
    ])
      expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    // Another spelling of the same account is the same account.
    expect((await get(`?cursor=${nextCursor}`, 'HYPERLIQUID', account)).status).toBe(200)
  })

  it.each([
    ['x', 'VALIDATION_ERROR'],
    ['0'.repeat(96), 'VALIDATION_ERROR'],
    ['0'.repeat(97), 'VALIDATION_ERROR'],
    [`${address}0`, 'VALIDATION_ERROR'],
    ['%F0%9F%99%82', 'VALIDATION_ERROR'],
    ['%00', 'VALIDATION_ERROR'],
    ['..', 'VALIDATION_ERROR'],
  ])('the account %s', async (who, code) => {
    const { status, json } = await get('', 'hyperliquid', who)
    expect([status, json.error.code]).toEqual([400, code])
    expect(readAccounts).toEqual([])
  })

  it.each([
    ['nowhere', 404, 'VENUE_NOT_AVAILABLE'],
    ['router', 404, 'VENUE_NOT_AVAILABLE'],
    // Served by this program, but disabled here.
    ['pascal', 404, 'VENUE_NOT_AVAILABLE'],
    ['smarkets', 404, 'EXCHANGE_NOT_AVAILABLE'],
    ['PredictIt', 404, 'EXCHANGE_NOT_AVAILABLE'],
    ['kalshi', 400, 'ACCOUNTS_UNSUPPORTED'],
  ])('the venue %s', async (venue, status, code) => {
    const reply = await get('', venue)
    expect([reply.status, reply.json.error.code, reply.json.error.exchange]).toEqual([
      status,
      code,
      venue.toLowerCase(),
    ])
  })

  it('a venue that is read from its chain while no node is configured', async () => {
    world = createWorld({
      families: { openOrders: true },
      openOrders: {
        venues: new Map([
          ['rain', { data: { openOrders: reads('chain') }, context: { urls: {} } as unknown as VenueContext }],
        ]),
      },
    })
    expect((await get('', 'rain')).json.error).toMatchObject({ code: 'ACCOUNTS_UNSUPPORTED', exchange: 'rain' })
  })

  it('every request while the family is disabled, as an unknown route', async () => {
    const dark = createWorld({ families: {} })
    const { status, json } = await dark.get(path())
    expect([status, json.error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })
})

describe('requests to the venue', () => {
  it('are shared by callers within seconds, in any spelling, and the response states that', async () => {
    expect((await get('?limit=1')).json.meta.cached).toBe(false)
    expect((await get('?limit=2', 'Hyperliquid', account)).json.meta.cached).toBe(true)
    expect(readAccounts).toEqual([account])
    world.clock.advance(keptMs)
    expect((await get()).json.meta.cached).toBe(false)
    expect(readAccounts).toHaveLength(2)
  })

  it('are shared by callers while one is in progress', async () => {
    let answer: () => void
    pendingResponse = new Promise((resolve) => {
      answer = resolve
    })
    const all = Promise.all([get(), get(), get()])
    await expect.poll(() => readAccounts.length).toBe(1)
    answer!()
    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(readAccounts).toHaveLength(1)
  })

  it('are limited per minute; beyond that callers get a Retry-After', async () => {
    const who = (n: number) => `0x${String(n).padStart(40, '0')}`
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await get('', 'hyperliquid', who(n))).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 503, 503])
    const refused = await get('', 'hyperliquid', who(9))
    expect(refused.json.error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true, retryAfter: 1 })
    expect(readAccounts).toHaveLength(6)
    // Cached responses and other venues are still served.
    expect((await get('', 'hyperliquid', who(0))).status).toBe(200)
    expect((await get('', 'myriad', who(1))).status).toBe(200)
    world.clock.advance(1_000)
    expect((await get('', 'hyperliquid', who(9))).status).toBe(200)
  })

  it('are limited to four at a time', async () => {
    pendingResponse = new Promise(() => undefined)
    const who = (n: number) => `0x${String(n).padStart(40, '0')}`
    const waiting = [0, 1, 2, 3].map((n) => get('', 'hyperliquid', who(n)))
    await expect.poll(() => readAccounts.length).toBe(4)
    expect((await get('', 'hyperliquid', who(4))).json.error).toMatchObject({ code: 'NETWORK_ERROR', retryAfter: 1 })
    world.clock.advance(readWithinMs)
    for (const reply of await Promise.all(waiting)) expect(reply.json.error.code).toBe('NETWORK_ERROR')
  })
})

describe('an outage of the venue', () => {
  it('is a retryable 503 without text of the venue', async () => {
    failure = new Fault('NETWORK_ERROR', 'hyperliquid answered 502', {
      exchange: 'hyperliquid',
      detail: 'secret words of a proxy',
      cause: new Error('secret words of a proxy'),
    })
    const { status, json, text } = await get()
    expect(status).toBe(503)
    expect(json.error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true, exchange: 'hyperliquid' })
    expect(text).not.toContain('secret words')
    // It is not cached.
    failure = null
    expect((await get()).status).toBe(200)
  })

  it('is reported after fifteen seconds without a response; a later response is used for the next request', async () => {
    let respond: () => void
    pendingResponse = new Promise((resolve) => {
      respond = resolve
    })
    const waiting = get()
    await expect.poll(() => readAccounts.length).toBe(1)
    world.clock.advance(readWithinMs)
    expect((await waiting).json.error).toMatchObject({
      code: 'NETWORK_ERROR',
      retryable: true,
      exchange: 'hyperliquid',
    })
    const next = get()
    respond!()
    expect((await next).status).toBe(200)
    expect(readAccounts).toHaveLength(1)
    expect(world.clock.pendingCount).toBe(0)
  })

  it('a read that never ends is abandoned, and keeps no timer and no slot', async () => {
    pendingResponse = new Promise(() => undefined)
    const first = get()
    await expect.poll(() => readAccounts.length).toBe(1)
    world.clock.advance(abandonAfterMs - 1)
    const last = get()
    world.clock.advance(1)
    for (const waiting of [first, last])
      expect((await waiting).json.error).toMatchObject({ code: 'NETWORK_ERROR', exchange: 'hyperliquid' })
    pendingResponse = null
    await expect.poll(async () => (await get()).status).toBe(200)
    expect(world.clock.pendingCount).toBe(0)
  })
})

it('the cache is bounded: many orders evict older responses', async () => {
  orders = Array.from({ length: 15_000 }, (_, n) => order(n))
  await get('?limit=1', 'hyperliquid')
  await get('?limit=1', 'myriad')
  expect((await get('?limit=1', 'myriad')).json.meta.cached).toBe(true)
  expect((await get('?limit=1', 'hyperliquid')).json.meta.cached).toBe(false)
})
