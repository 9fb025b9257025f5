import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { ASK, BID } from '#lab/engine/book'
import { Engine } from '#lab/engine/engine'
import type { MarketListener } from '#lab/engine/market'
import type { SimulatedOrder } from '#lab/engine/orderManager'

const ignore = () => undefined
const silent: MarketListener = { level: ignore, trade: ignore, flush: ignore }

function world(seed: string, ratePerSecond = 0, idsAfter?: number) {
  const clock = new ManualClock(1_760_000_000_000)
  const spec = { id: 'm', grid: 'cent', anchorMicros: 500_000, status: 'open', result: null } as const
  const engine = new Engine([spec], { clock, seed, ratePerSecond, idsAfter, listener: silent })
  const market = engine.market('m')!
  return { clock, engine, market, orderManager: engine.orderManager }
}

const request = (side: 0 | 1, priceMicros: number, hundredths: number, clientId: string | null = null) =>
  ({ account: 'me', side, priceMicros, hundredths, clientId, life: 'gtc' }) as const

const placed = (order: SimulatedOrder | string): SimulatedOrder => {
  if (typeof order === 'string') throw new Error(`refused: ${order}`)
  return order
}

describe('the order manager', () => {
  test('fills a crossing order at the resting prices, best first, and rests the remainder', () => {
    const { market, orderManager } = world('crossing')
    const asks = market.truth().asks
    const [first, second] = asks as [[number, number], [number, number]]
    const size = Math.round((first[1] + second[1]) * 100) + 700
    const order = placed(orderManager.place(market, request(BID, second[0], size)))
    expect(order.fills.map(({ priceMicros, hundredths, maker }) => [priceMicros, hundredths, maker])).toEqual([
      [first[0], Math.round(first[1] * 100), false],
      [second[0], Math.round(second[1] * 100), false],
    ])
    expect(order.status).toBe('open')
    expect(market.truth().bids[0]).toEqual([second[0], 7])
  })

  test('numbers orders and fills from a given number on, so that two runs share none', () => {
    const numbersOf = (idsAfter?: number) => {
      const { market, orderManager } = world('numbers', 0, idsAfter)
      const orders = [1, 2].map(() => placed(orderManager.place(market, request(BID, 990_000, 1))))
      return orders.flatMap(({ ordinal, fills }) => [ordinal, ...fills.map(({ id }) => id)])
    }
    expect(numbersOf()).toEqual([1, 1, 2, 2])
    expect(numbersOf()).toEqual(numbersOf(0))
    expect(numbersOf(500)).toEqual([501, 501, 502, 502])
  })

  test('the simulated flow cannot remove a resting order, only trade with it, and fills clients first at their price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 9_000 }), (seed, size) => {
        const { engine, market, orderManager } = world(`flow ${seed}`)
        const best = market.book.bestBidMicros()!
        const order = placed(orderManager.place(market, request(BID, best, size)))
        for (let step = 0; step < 400; step++) {
          engine.run('m', 1)
          const left = order.hundredths - order.filledHundredths
          const filled = order.fills.reduce((sum, fill) => sum + fill.hundredths, 0)
          expect(filled).toBe(order.filledHundredths)
          expect(market.book.at(BID, market.book.grid.indexOf(best))).toBeGreaterThanOrEqual(
            order.status === 'open' ? left : 0,
          )
          expect(order.fills.every((fill) => fill.maker && fill.priceMicros === best)).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('two clients trade with each other; both see the same public trade', () => {
    const { market, orderManager } = world('two')
    const price = market.book.bestAskMicros()! - 10_000
    const maker = placed(orderManager.place(market, request(ASK, price, 500)))
    const taker = placed(orderManager.place(market, { ...request(BID, price, 500), account: 'you' }))
    expect([maker.status, taker.status]).toEqual(['filled', 'filled'])
    expect(maker.fills[0]?.trade).toBe(taker.fills[0]?.trade)
    expect(maker.fills[0]?.id).not.toBe(taker.fills[0]?.id)
    expect(market.recentTrades()[0]).toMatchObject({ priceMicros: price, size: 5, takerBuysYes: true })
  })

  test('canceling an order restores the book; canceling it again is an error', () => {
    const { market, orderManager } = world('cancel')
    const before = market.truth().bids
    const order = placed(orderManager.place(market, request(BID, before[1]![0], 1_234)))
    expect(orderManager.cancel(order)).toBe(true)
    expect(market.truth().bids).toEqual(before)
    expect(orderManager.cancel(order)).toBe(false)
    expect(order.status).toBe('canceled')
  })

  test('rejects off-grid, empty, crossing post-only, unfilled fill-or-kill, duplicate-id and closed-market orders with a reason', () => {
    const { engine, market, orderManager } = world('refusals')
    const ask = market.book.bestAskMicros()!
    const refused = (over: object) => orderManager.place(market, { ...request(BID, ask, 100), ...over })
    expect(refused({ priceMicros: 123_456 })).toBe('off_grid')
    expect(refused({ hundredths: 0 })).toBe('no_size')
    expect(refused({ postOnly: true })).toBe('would_cross')
    expect(refused({ life: 'fok', hundredths: 900_000_000 })).toBe('not_filled')
    placed(orderManager.place(market, request(BID, 10_000, 100, 'mine')))
    expect(orderManager.place(market, request(BID, 10_000, 100, 'mine'))).toBe('duplicate_client_id')
    expect(orderManager.findByClientId('me', 'mine')?.status).toBe('open')
    engine.close('m')
    expect(orderManager.findByClientId('me', 'mine')?.status).toBe('canceled')
    expect(refused({})).toBe('market_closed')
  })

  test('an immediate order fills what it can and never rests', () => {
    const { market, orderManager } = world('ioc')
    const [price, size] = market.truth().asks[0]!
    const order = placed(
      orderManager.place(market, { ...request(BID, price, Math.round(size * 100) + 500), life: 'ioc' }),
    )
    expect(order.status).toBe('canceled')
    expect(order.filledHundredths).toBe(Math.round(size * 100))
    expect(market.truth().bids.some(([bid]) => bid === price)).toBe(false)
  })

  test('a forgotten order is not stored', () => {
    const { market, orderManager } = world('forgotten')
    const before = market.truth().bids
    const order = placed(orderManager.place(market, request(BID, 10_000, 100, 'lost')))
    orderManager.forget(order)
    expect(orderManager.find(order.ordinal)).toBeNull()
    expect(orderManager.findByClientId('me', 'lost')).toBeNull()
    expect(market.truth().bids).toEqual(before)
  })
})
