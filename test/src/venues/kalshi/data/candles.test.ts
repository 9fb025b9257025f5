import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Candle } from '#schemas/marketData'
import { aggregateCandles, baseLengthMs, candleResolutionsMs, normalizeCandle } from '#venues/kalshi/data/candles'
import { KalshiCandle } from '#venues/kalshi/wire'
import * as fixtures from '../fixtures.ts'

const minute = 60_000
const raw: KalshiCandle = {
  end_period_ts: 1_786_137_900,
  price: { open_dollars: '0.3400', high_dollars: '0.3600', low_dollars: '0.3300', close_dollars: '0.3500' },
  volume_fp: '28.74',
}

test('shifts timestamps from bucket end to bucket start; NO is the complement with high and low swapped', () => {
  expect(normalizeCandle(raw, minute, false)).toEqual({
    timestamp: 1_786_137_840_000,
    open: 0.34,
    high: 0.36,
    low: 0.33,
    close: 0.35,
    volume: 28.74,
  })
  expect(normalizeCandle(raw, minute, true)).toEqual({
    timestamp: 1_786_137_840_000,
    open: 0.66,
    high: 0.67,
    low: 0.64,
    close: 0.65,
    volume: 28.74,
  })
})

test('a bucket without a trade gives no candle, even with a known previous price', () => {
  expect(normalizeCandle({ ...raw, price: { previous_dollars: '0.3400' } }, minute, false)).toBeNull()
  expect(normalizeCandle({ end_period_ts: 60 }, minute, false)).toBeNull()
})

test('every supported resolution is built from one of the venue’s', () => {
  for (const length of candleResolutionsMs) expect(baseLengthMs(length)).not.toBeNull()
  expect(candleResolutionsMs.map((length) => baseLengthMs(length)! / minute)).toEqual([1, 1, 1, 60, 60, 60])
  expect(baseLengthMs(90_000)).toBeNull()
})

test('coarse candles aggregate exactly their fine candles', () => {
  const Fine = fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: 300 }),
        prices: fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 }),
        volume: fc.integer({ min: 1, max: 1000 }),
      }),
      { maxLength: 80 },
    )
    .map((rows) => [...new Map(rows.map((row) => [row.at, row])).values()].sort((a, b) => a.at - b.at))
  fc.assert(
    fc.property(Fine, fc.constantFrom(5, 15), (rows, minutes) => {
      const fine = rows.map(({ at, prices, volume }) => ({
        timestamp: at * minute,
        open: prices[0]!,
        high: Math.max(...prices),
        low: Math.min(...prices),
        close: prices.at(-1)!,
        volume,
      }))
      const buckets = Map.groupBy(fine, ({ timestamp }) => Math.floor(timestamp / minute / minutes) * minutes * minute)
      expect(aggregateCandles(fine, minutes * minute)).toEqual(
        [...buckets].map(([timestamp, members]) => ({
          timestamp,
          open: members[0]!.open,
          high: Math.max(...members.map(({ high }) => high)),
          low: Math.min(...members.map(({ low }) => low)),
          close: members.at(-1)!.close,
          volume: members.reduce((sum, { volume }) => sum + volume, 0),
        })),
      )
    }),
  )
})

test('an unknown volume makes the sum unknown', () => {
  const candle = { timestamp: 0, open: 1, high: 1, low: 1, close: 1, volume: 2 }
  expect(aggregateCandles([candle, { ...candle, timestamp: minute, volume: null }], 5 * minute)).toMatchObject([
    { volume: null },
  ])
})

describe.skipIf(!fixtures.recorded)(`recordings (${fixtures.recorded ? 'both eras' : fixtures.absent})`, () => {
  test('parses every candle, and every field is either read or listed', () => {
    const rows = fixtures.candles()
    const left = new Set<string>()
    let traded = 0
    for (const { minutes, row } of rows) {
      const candle = normalizeCandle(KalshiCandle.parse(row), minutes * minute, false)
      const price = row.price as Record<string, unknown>
      expect(candle === null, JSON.stringify(row)).toBe(price.open_dollars === undefined)
      if (candle !== null) {
        traded++
        Candle.parse(candle)
        expect(
          candle.low <= Math.min(candle.open, candle.close) && candle.high >= Math.max(candle.open, candle.close),
        ).toBe(true)
      }
      for (const name of Object.keys(row)) if (!(name in KalshiCandle.shape)) left.add(name)
      for (const name of Object.keys(price))
        if (!/^(open|high|low|close)_dollars$/.test(name)) left.add(`price.${name}`)
    }
    expect(rows.length).toBeGreaterThan(200)
    expect(traded).toBeGreaterThan(40)
    // Quotes of the bucket, open interest, and previous or mean prices; integer cents duplicate the `_dollars` fields.
    expect([...left].sort()).toEqual(
      [
        'open_interest',
        'open_interest_fp',
        ...['close', 'high', 'low', 'max', 'mean', 'mean_dollars', 'min', 'open', 'previous', 'previous_dollars'].map(
          (name) => `price.${name}`,
        ),
        'yes_ask',
        'yes_bid',
      ].sort(),
    )
  })
})
