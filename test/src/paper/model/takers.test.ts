import { expect, it } from 'vitest'
import { OutcomeMatcher } from '#paper/model/index'
import { bookAt, cents, contracts, instant, orderOf, shown, tradeAt } from './book.ts'

const asks = [
  [50, 10],
  [51, 20],
  [53, 100],
] as const
const bids = [[48, 30]] as const

function matcherOn(settings = instant) {
  const matcher = new OutcomeMatcher(settings)
  matcher.onBook(bookAt(1_000, bids, asks))
  return matcher
}

it('walks the book up to its limit and queues the rest', () => {
  const matcher = matcherOn()
  matcher.submit(orderOf('a', 'buy', 51, 40), 1_000)
  matcher.advance(1_000)
  expect(shown(matcher.drain())).toEqual(['accepted a behind 0', 'fill a taker 10 at 50', 'fill a taker 20 at 51'])
  expect(matcher.workingCount).toBe(1)
})

it('keeps the book as evidence of a fill', () => {
  const matcher = matcherOn()
  matcher.submit(orderOf('a', 'sell', 48, 5), 1_000)
  matcher.advance(1_000)
  expect(matcher.drain()[1]).toEqual({
    orderId: 'a',
    at: 1_000,
    kind: 'fill',
    price: cents(48),
    size: contracts(5),
    liquidity: 'taker',
    evidence: { bookSeq: 1_000, tradeIds: [] },
  })
})

it('takes the book of the time at which it arrives', () => {
  const matcher = matcherOn({ ...instant, latencyMedianMs: 100 })
  matcher.submit(orderOf('a', 'buy', 50, 10, { timeInForce: 'IOC' }), 1_000)
  expect(matcher.nextAt()).toBe(1_100)
  matcher.onBook(bookAt(1_050, bids, [[49, 4]]))
  matcher.onBook(bookAt(1_200, bids, [[50, 10]]))
  expect(shown(matcher.drain())).toEqual(['accepted a behind 0', 'fill a taker 4 at 49', 'closed a ioc_remainder'])
  expect(matcher.nextAt()).toBeNull()
})

it('draws a latency from the seed and the id, not from the order of calls', () => {
  const settings = { latencyMedianMs: 80, latencySigma: 0.5, cancelShareAhead: 0.5, seed: 'x' }
  const arrivals = (ids: string[], seed: string) => {
    const matcher = matcherOn({ ...settings, seed })
    for (const id of ids) matcher.submit(orderOf(id, 'buy', 10, 1), 1_000)
    matcher.advance(100_000)
    return Object.fromEntries(matcher.drain().map(({ orderId, at }) => [orderId, at]))
  }
  const ids = Array.from({ length: 400 }, (_, n) => `order-${n}`)
  const first = arrivals(ids, 'x')
  expect(arrivals([...ids].reverse(), 'x')).toEqual(first)
  expect(arrivals(ids, 'y')).not.toEqual(first)
  const drawn = Object.values(first).map((at) => at - 1_000)
  const below = drawn.filter((ms) => ms < 80).length
  expect(Math.abs(below - 200)).toBeLessThan(40)
  expect(new Set(drawn).size).toBeGreaterThan(50)
})

it.each([
  ['FOK', {}, ['rejected a FOK_NOT_FILLABLE']],
  ['IOC', {}, ['accepted a behind 0', 'fill a taker 10 at 50', 'closed a ioc_remainder']],
  ['GTC', { postOnly: true }, ['rejected a POST_ONLY_WOULD_TAKE']],
  ['GTC', {}, ['accepted a behind 0', 'fill a taker 10 at 50']],
] as const)('%s %o of more than the book has', (timeInForce, rest, expected) => {
  const matcher = matcherOn()
  matcher.submit(orderOf('a', 'buy', 50, 11, { timeInForce, ...rest }), 1_000)
  matcher.advance(1_000)
  expect(shown(matcher.drain())).toEqual(expected)
})

it('takes what another paper order left of a level until the venue changes the level', () => {
  const matcher = matcherOn()
  const buy = (id: string, at: number) => {
    matcher.submit(orderOf(id, 'buy', 50, 7, { timeInForce: 'IOC' }), at)
    matcher.advance(at)
    return shown(matcher.drain()).filter((line) => line.startsWith('fill'))
  }
  expect(buy('a', 1_000)).toEqual(['fill a taker 7 at 50'])
  expect(buy('b', 1_001)).toEqual(['fill b taker 3 at 50'])
  matcher.onBook(bookAt(1_002, [[48, 31]], asks))
  expect(buy('c', 1_002)).toEqual([])
  matcher.onBook(bookAt(1_003, [[48, 31]], [[50, 12]]))
  expect(buy('d', 1_003)).toEqual(['fill d taker 7 at 50'])
})

it('rejects an order that arrives without a live book', () => {
  const matcher = new OutcomeMatcher(instant)
  const arrive = (id: string, at: number) => {
    matcher.submit(orderOf(id, 'buy', 60, 1), at)
    matcher.advance(at)
    return shown(matcher.drain())
  }
  expect(arrive('a', 900)).toEqual(['rejected a NO_LIVE_BOOK'])
  matcher.onBook(bookAt(1_000, bids, asks))
  expect(arrive('b', 1_000)).toEqual(['accepted b behind 0', 'fill b taker 1 at 50', 'closed b filled'])
  matcher.onBook(bookAt(1_001, bids, asks, { isLive: false }))
  expect(arrive('c', 1_001)).toEqual(['rejected c NO_LIVE_BOOK'])
})

it('expires an order that has not arrived, and one that has no match', () => {
  const matcher = matcherOn({ ...instant, latencyMedianMs: 100 })
  matcher.submit(orderOf('a', 'buy', 60, 1, { timeInForce: 'GTD', expiresAt: 1_050 }), 1_000)
  matcher.submit(orderOf('b', 'buy', 40, 1, { timeInForce: 'GTD', expiresAt: 2_000 }), 1_000)
  matcher.onTrade(tradeAt(3_000, 39, 5, 'sell'))
  expect(shown(matcher.drain())).toEqual(['closed a expired', 'accepted b behind 0', 'closed b expired'])
  expect(matcher.workingCount).toBe(0)
})

it('cancels after a latency, never before the order has arrived', () => {
  const matcher = matcherOn({ ...instant, latencyMedianMs: 100 })
  matcher.submit(orderOf('a', 'buy', 40, 1), 1_000)
  matcher.cancel('a', 1_000)
  matcher.cancel('never submitted', 1_000)
  matcher.submit(orderOf('b', 'buy', 40, 1), 1_000)
  matcher.cancel('b', 1_500)
  matcher.advance(1_100)
  expect(shown(matcher.drain())).toEqual(['accepted a behind 0', 'closed a canceled', 'accepted b behind 0'])
  expect(matcher.nextAt()).toBe(1_600)
  matcher.advance(1_600)
  expect(shown(matcher.drain())).toEqual(['closed b canceled'])
})

it('refuses a second order with the id of one that has not ended', () => {
  const matcher = matcherOn()
  matcher.submit(orderOf('a', 'buy', 40, 1), 1_000)
  expect(() => matcher.submit(orderOf('a', 'buy', 40, 1), 1_000)).toThrow('already')
})
