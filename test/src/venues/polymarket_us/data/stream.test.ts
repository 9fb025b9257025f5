// Polymarket US’s socket, frame by frame in the documented formats; the figures are made up.
import { expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { streamWorld } from '#test/support/streamFeed'
import { stream } from '#venues/polymarket_us/data/stream'
import type { VenueContext } from '#venues/venueContext'

const A = 'aec-demo-a'
const B = 'aec-demo-b'
const type = 'SUBSCRIPTION_TYPE_MARKET_DATA'
type Pair = [string, string]

function world(...slugs: string[]) {
  const made = streamWorld('polymarket_us', slugs, (feed) => stream.open(feed))
  return { ...made, subscribeRequests: made.session.subscribe(slugs).map((text) => JSON.parse(text) as unknown) }
}
const rows = (pairs: Pair[]) => pairs.map(([value, qty]) => ({ px: { value, currency: 'USD' }, qty }))
const frame = (requestId: string, marketSlug: string, bids: Pair[], offers: Pair[], transactTime: string | null) => ({
  requestId,
  subscriptionType: type,
  marketData: {
    marketSlug,
    bids: rows(bids),
    offers: rows(offers),
    state: 'MARKET_STATE_OPEN',
    stats: { lastTradePx: { value: '0.4200', currency: 'USD' } },
    transactTime,
  },
})
const at = (second: number): string => `2026-11-22T12:00:0${second}.123456789Z`

it('signs the handshake with the operator’s key, and is unavailable without one', () => {
  const context = {
    urls: { WS: 'wss://api.polymarket.us/v1/ws/markets' },
    clock: { now: () => 1_700_000_000_000 },
    credentials: { KEY_ID: 'key', SECRET_KEY: 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=' },
  } as unknown as VenueContext
  // Made with Node’s own crypto over `1700000000000GET/v1/ws/markets`.
  expect(stream.connect(context)!.headers).toMatchObject({
    'X-PM-Access-Key': 'key',
    'X-PM-Timestamp': '1700000000000',
    'X-PM-Signature': 'RPjv8kz5nw9An7FO+MV9l3iktZXvd9m4w/o+JGWarYesmixWgdUsCqolkUic1xtDLE1K7yAVZ+Re2D6Zll38CA==',
  })
  expect(stream.connect({ ...context, credentials: null })).toBeNull()
  expect(stream.connect({ ...context, credentials: { KEY_ID: 'key' } })).toBeNull()
})

it('subscribes to each market with a separate request, and unsubscribes by that request', () => {
  const { subscribeRequests, session } = world(A, B)
  expect(subscribeRequests).toEqual([
    { subscribe: { requestId: 'r1', subscriptionType: type, marketSlugs: [A] } },
    { subscribe: { requestId: 'r2', subscriptionType: type, marketSlugs: [B] } },
  ])
  expect(session.unsubscribe([B])).toEqual(['{"unsubscribe":{"requestId":"r2"}}'])
  expect(session.unsubscribe([B])).toEqual([])
})

it('takes each message as the whole book, and the first one as the acknowledgement', () => {
  const { receive, levels, session, events } = world(A)
  expect([receive({ heartbeat: {} }), session.feeds(A)]).toEqual([false, false])
  expect(receive(frame('r1', A, [['0.4100', '12.0000']], [['0.4300', '7.0000']], at(1)))).toBe(true)
  expect([session.feeds(A), levels(A)]).toEqual([true, { bids: [[410_000, 12]], asks: [[430_000, 7]] }])
  receive(frame('r1', A, [], [['0.4300', '8.0000']], at(2)), frame('r1', A, [['0.4100', '12.0000']], [], at(1)))
  expect(levels(A)).toEqual({ bids: [], asks: [[430_000, 8]] })
  expect(events.filter((line) => !line.startsWith('lastTrade'))).toEqual([])
})

it('also accepts field names with underscores', () => {
  const { receive, levels } = world(A)
  receive({
    request_id: 'r1',
    market_data: { market_slug: A, bids: rows([['0.41', '5']]), offers: [], transact_time: at(1) },
  })
  expect(levels(A)).toEqual({ bids: [[410_000, 5]], asks: [] })
})

it('resubscribes to get a book, which is sent first', () => {
  const { session, receive, levels } = world(A)
  receive(frame('r1', A, [['0.41', '5']], [], at(1)))
  const resubscription = ['{"unsubscribe":{"requestId":"r1"}}', expect.stringContaining('"requestId":"r2"')]
  expect(session.confirm([A, B])).toEqual(resubscription)
  receive(frame('r2', A, [['0.41', '6']], [], at(1)))
  expect(levels(A)!.bids).toEqual([[410_000, 6]])
  expect(session.resync(A)).toEqual(['{"unsubscribe":{"requestId":"r2"}}', expect.stringContaining('"requestId":"r3"')])
})

it('assigns an error to the market of its request', () => {
  const { receive, events } = world(A, B)
  receive({ requestId: 'r2', error: 'market not found' }, { requestId: 'r9', error: 'no such request' })
  expect(events).toEqual([`refused ${B} market not found`, 'malformed an error: no such request'])
})

it.each([
  ['null', null],
  ['absent', undefined],
])('a side that is %s is unknown, not empty', (_, offers) => {
  const { receive, levels, events } = world(A)
  const good = frame('r1', A, [['0.41', '5']], [['0.43', '7']], at(1))
  receive(good, { ...good, marketData: { ...good.marketData, offers, transactTime: at(2) } })
  expect(levels(A)).toBeNull()
  expect(events.filter((line) => line.startsWith('broken'))).toEqual([`broken ${A} unreadable`])
})

it('a frame that is not JSON makes all books of the socket stale', () => {
  const { receive, events } = world(A, B)
  receive(JSON.stringify(frame('r1', A, [['0.41', '5']], [], at(1))).slice(0, -1))
  expect(events).toEqual([`broken ${A} unreadable`, `broken ${B} unreadable`, 'malformed no JSON'])
})

it('never shows half a book or a crossed one, and survives random garbage', () => {
  const { receive, levels, events } = world(A)
  receive(frame('r1', A, [['0.41', 'many']], [], at(1)))
  receive(frame('r1', A, [['0.45', '1']], [['0.43', '1']], at(2)))
  expect(levels(A)).toBeNull()
  expect(events.filter((line) => line.startsWith('broken'))).toEqual([`broken ${A} unreadable`, `broken ${A} crossed`])
  const random = createPrng('garbage')
  const good = JSON.stringify(frame('r1', A, [['0.41', '5']], [['0.43', '7']], at(3)))
  for (let i = 0; i < 1_000; i++) {
    const cut = random.int(good.length)
    receive(good.slice(0, cut) + '{}[]",:x0-'[random.int(10)] + good.slice(cut + random.int(3)))
  }
  receive('null', '[]', {}, { marketData: 7 }, { requestId: 7, error: 7 })
  expect(events.some((line) => line.startsWith('failed'))).toBe(false)
})
