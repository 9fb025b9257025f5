import { describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { Engine, type EngineOptions, type MarketSpec } from '#lab/engine/engine'
import type { EngineMarket, MarketListener } from '#lab/engine/market'

const spec = (id: string, grid: MarketSpec['grid'], anchorMicros: number): MarketSpec => ({
  id,
  grid,
  anchorMicros,
  status: 'open',
  result: null,
})

const specs = [spec('cent', 'cent', 440_000), spec('milli', 'milli', 71_000), spec('tapered', 'tapered', 930_000)]

function watched(options: Partial<EngineOptions> = {}) {
  const clock = new ManualClock()
  const events: string[] = []
  const crossed: string[] = []
  const listener: MarketListener = {
    level(market: EngineMarket, side, index, delta) {
      events.push(`${market.id} ${side} ${index} ${delta} ${market.eventTs}`)
      if (market.book.bestBid >= market.book.bestAsk) crossed.push(market.id)
    },
    trade: (market, trade) => events.push(`${market.id} trade ${trade.priceMicros} ${trade.size}`),
    flush: () => undefined,
  }
  const engine = new Engine(specs, { clock, seed: 'test', ratePerSecond: 100, listener, ...options })
  return { clock, engine, events, crossed }
}

describe('the lab engine', () => {
  test.each([700_000, 200_000])('moves to %s by trading and stays near it', (price) => {
    const { engine, events, crossed } = watched()
    const market = engine.market('cent')!
    const before = market.midMicros()
    engine.moveTo('cent', price)
    expect(Math.abs(market.midMicros() - price)).toBeLessThanOrEqual(30_000)
    const traded = events.filter((event) => event.includes('cent trade')).map((event) => Number(event.split(' ')[2]))
    expect(traded.some((at) => Math.abs(at - before) < 50_000)).toBe(true)
    engine.run('cent', 1_000)
    expect(Math.abs(market.midMicros() - price)).toBeLessThan(120_000)
    expect(crossed).toEqual([])
  })

  test('keeps every book uncrossed, positive and active through 60,000 messages on each grid', () => {
    const { engine, events, crossed } = watched()
    for (const { id } of specs) engine.run(id, 60_000)
    expect(crossed).toEqual([])
    expect(events.length).toBeGreaterThan(150_000)
    expect(events.some((event) => event.includes('trade'))).toBe(true)
    for (const { id } of specs) {
      const { bids, asks } = engine.market(id)!.truth()
      expect(bids.length).toBeGreaterThan(0)
      expect(asks.length).toBeGreaterThan(0)
      for (const [, size] of [...bids, ...asks]) expect(size).toBeGreaterThan(0)
    }
  })

  test('has fractional and whole sizes', () => {
    const { engine } = watched()
    engine.run('cent', 500)
    const sizes = [...engine.market('cent')!.truth().bids, ...engine.market('cent')!.truth().asks].map(
      ([, size]) => size,
    )
    expect(sizes.some((size) => !Number.isInteger(size))).toBe(true)
  })

  test('the same seed gives the same stream, another seed another', () => {
    const streams = ['a', 'a', 'b'].map((seed) => {
      const { clock, engine, events } = watched({ seed })
      clock.advance(10_000)
      engine.stop()
      return events
    })
    expect(streams[0]!.length).toBeGreaterThan(1000)
    expect(streams[1]).toEqual(streams[0])
    expect(streams[2]).not.toEqual(streams[0])
  })

  test('keeps the message rate of each market', () => {
    const { clock, engine } = watched({ ratePerSecond: 40 })
    clock.advance(10_000)
    expect(engine.steps).toBeGreaterThanOrEqual(3 * 398)
    expect(engine.steps).toBeLessThanOrEqual(3 * 401)
  })

  test('a burst adds 50,000 messages a second to one market and ends', () => {
    const { clock, engine } = watched({ ratePerSecond: 0 })
    engine.burst('cent', 50_000, 1000)
    clock.advance(1000)
    const during = engine.steps
    clock.advance(1000)
    expect(during).toBeGreaterThanOrEqual(49_000)
    expect(engine.steps - during).toBeLessThanOrEqual(1000)
  })

  test('catches up at most a quarter second after the process was suspended', () => {
    const clock = new ManualClock()
    const listener = { level: () => undefined, trade: () => undefined, flush: () => undefined }
    const engine = new Engine(specs, { clock, seed: 's', ratePerSecond: 1000, tickMs: 60_000, listener })
    clock.advance(60_000)
    expect(engine.steps).toBeLessThanOrEqual(3 * 251)
    engine.stop()
    expect(clock.pendingCount).toBe(0)
  })

  test('a closed market does not change, a resolved one is empty', () => {
    const { clock, engine } = watched()
    engine.close('cent')
    const before = engine.market('cent')!.truth()
    clock.advance(2000)
    expect(engine.market('cent')!.truth()).toEqual(before)
    engine.resolve('milli', 'yes')
    expect(engine.market('milli')!.truth()).toMatchObject({ bids: [], asks: [] })
    expect(engine.market('milli')!.midMicros()).toBe(1_000_000)
  })

  test('where only whole contracts trade, every level and every trade is whole at any time', () => {
    const { engine } = watched({ lotHundredths: 100 })
    for (const { id } of specs) {
      for (let n = 0; n < 50; n++) {
        engine.run(id, 40)
        const { bids, asks } = engine.market(id)!.truth()
        const sizes = [...bids, ...asks].map(([, size]) => size)
        const traded = engine.market(id)!.trades.map(({ size }) => size)
        expect([...sizes, ...traded].filter((size) => !Number.isInteger(size))).toEqual([])
        expect(Math.min(...traded)).toBeGreaterThan(0)
      }
    }
  })
})
