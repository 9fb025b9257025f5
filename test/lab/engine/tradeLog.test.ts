import { describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { Engine } from '#lab/engine/engine'
import type { LabBar, LabTrade } from '#lab/engine/tradeLog'

const minute = 60_000
const specs = ['a', 'b'].map((id) => ({
  id,
  grid: 'cent' as const,
  anchorMicros: 420_000,
  status: 'open' as const,
  result: null,
}))
const watched = (ratePerSecond: number) => {
  const clock = new ManualClock()
  const listener = { level: () => undefined, trade: () => undefined, flush: () => undefined }
  return { clock, engine: new Engine(specs, { clock, seed: 's', ratePerSecond, movingMarkets: 1, listener }) }
}

function barsOf(trades: readonly LabTrade[], stepMs: number): LabBar[] {
  return [...Map.groupBy(trades, ({ atMs }) => Math.floor(atMs / stepMs) * stepMs)].map(([startMs, inBucket]) => ({
    startMs,
    openMicros: inBucket[0]!.priceMicros,
    highMicros: Math.max(...inBucket.map(({ priceMicros }) => priceMicros)),
    lowMicros: Math.min(...inBucket.map(({ priceMicros }) => priceMicros)),
    closeMicros: inBucket.at(-1)!.priceMicros,
    hundredths: inBucket.reduce((sum, { size }) => sum + Math.round(size * 100), 0),
  }))
}

describe('the trades of a market', () => {
  test('are aggregated to bars of any length, before and after the start of the lab', () => {
    const { clock, engine } = watched(20)
    clock.advance(5 * minute)
    const { log } = engine.market('a')!
    const toMs = clock.now()
    const fromMs = Math.floor(toMs / (60 * minute)) * 60 * minute - 12 * 60 * minute
    const trades = log.read({ fromMs, toMs, most: 10_000 })
    expect(trades.length).toBeGreaterThan(300)
    expect(trades).toEqual(trades.toSorted((a, b) => b.ordinal - a.ordinal))
    expect(trades).toEqual(trades.toSorted((a, b) => b.atMs - a.atMs))
    for (const stepMs of [minute, 5 * minute, 60 * minute]) {
      expect(log.bars(fromMs, toMs + 1, stepMs)).toEqual(barsOf(trades.toReversed(), stepMs))
    }
    for (const trade of trades.slice(0, 50)) {
      const [newest] = trades.filter(({ atMs }) => atMs === trade.atMs)
      expect(log.priceAt(trade.atMs)).toBe(newest!.priceMicros)
    }
    engine.stop()
  })

  test('from before the start are equal at every read, also of an unused market', () => {
    const { clock, engine } = watched(0)
    const read = (id: string) =>
      engine.glance(id)!.log.read({ fromMs: clock.now() - 90 * 86_400_000, toMs: clock.now(), most: 200_000 })
    const before = read('b')
    expect(read('b')).toEqual(before)
    engine.market('b')
    clock.advance(minute)
    expect(read('b').filter(({ ordinal }) => ordinal <= before[0]!.ordinal)).toEqual(before)
    expect(new Set(before.map(({ ordinal }) => ordinal)).size).toBe(before.length)
    expect(read('a')).not.toEqual(before)
    engine.stop()
  })

  test('that are no longer stored individually still make bars', () => {
    const { clock, engine } = watched(0)
    const market = engine.market('a')!
    const first = market.recordTrade({ priceMicros: 10_000, size: 5, takerBuysYes: true, atMs: clock.now() })
    clock.advance(minute)
    for (let n = 0; n < 3_000; n++) {
      market.recordTrade({ priceMicros: 500_000, size: 1, takerBuysYes: true, atMs: clock.now() })
    }
    expect(market.trades).not.toContainEqual(first)
    const startMs = Math.floor(first.atMs / minute) * minute
    expect(market.log.bars(startMs, startMs + 1, minute)).toMatchObject([{ startMs, closeMicros: 10_000 }])
    expect(market.log.priceAt(startMs + minute)).toBe(10_000)
    engine.stop()
  })
})
