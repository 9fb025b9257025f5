import { describe, expect, test } from 'vitest'
import { buildCatalog } from '#lab/catalog/catalog'
import { relatedEvents } from '#lab/catalog/related'
import { listKalshi } from '#lab/kalshi/marketGenerator'
import { catalogStyle, listPolymarket } from '#lab/polymarket/marketGenerator'

const nowMs = 1_790_000_000_000

describe('the lab catalog', () => {
  test('lists about 40 events and 120 markets per venue, of every kind', () => {
    for (const [venue, style] of [
      ['polymarket', catalogStyle],
      ['kalshi', {}],
    ] as const) {
      const events = buildCatalog(venue, { seed: '1', nowMs, ...style })
      const markets = events.flatMap((event) => event.markets)
      expect(events.length).toBeGreaterThanOrEqual(40)
      expect(markets.length).toBeGreaterThanOrEqual(120)
      expect(new Set(markets.map(({ status }) => status))).toEqual(new Set(['open', 'closed', 'resolved']))
      expect(new Set(markets.map(({ grid }) => grid))).toEqual(
        new Set(['cent', venue === 'kalshi' ? 'tapered' : 'milli']),
      )
      expect(events.filter(({ exclusive, markets: own }) => exclusive && own.length > 2).length).toBeGreaterThan(3)
    }
  })

  test('appends open related questions without changing the others', () => {
    for (const [venue, seeds] of [
      ['polymarket', relatedEvents.lower],
      ['kalshi', relatedEvents.higher],
    ] as const) {
      const events = buildCatalog(venue, { seed: '1', nowMs })
      const related = buildCatalog(venue, { seed: '1', nowMs, related: seeds })
      expect(related.slice(0, events.length)).toEqual(events)
      const added = related.slice(events.length).flatMap(({ markets }) => markets)
      expect(added.length).toBeGreaterThanOrEqual(3)
      expect(new Set(added.map(({ status }) => status))).toEqual(new Set(['open']))
    }
  })

  test('has at least six questions on both venues with equal titles and dates and similar prices', () => {
    const polymarket = buildCatalog('polymarket', { seed: '1', nowMs, ...catalogStyle })
    const kalshi = buildCatalog('kalshi', { seed: '1', nowMs })
    let pairs = 0
    for (const event of polymarket) {
      const twin = kalshi.find(({ key }) => key === event.key && !/-\d+$/.test(key))
      if (twin === undefined) continue
      expect(twin.endMs).toBe(event.endMs)
      for (const [i, market] of event.markets.entries()) {
        const other = twin.markets[i]!
        expect(other.question).toBe(market.question)
        expect(other.anchorMicros).not.toBe(market.anchorMicros)
        expect(Math.abs(other.anchorMicros - market.anchorMicros)).toBeLessThanOrEqual(40_000)
        pairs++
      }
    }
    expect(pairs).toBeGreaterThanOrEqual(6)
  })

  test('is equal for the same seed and day, and different for another seed', () => {
    const build = (seed: string, at: number) => JSON.stringify(buildCatalog('kalshi', { seed, nowMs: at }))
    expect(build('1', nowMs + 60_000)).toBe(build('1', nowMs))
    expect(build('2', nowMs)).not.toBe(build('1', nowMs))
  })

  test('gives 100,000 markets different ids on both venues', () => {
    const options = { seed: '1', nowMs, markets: 100_000 }
    const polymarket = listPolymarket(buildCatalog('polymarket', { ...options, ...catalogStyle }), '1')
    expect(polymarket.markets.length).toBeGreaterThanOrEqual(100_000)
    expect(polymarket.byToken.size).toBe(polymarket.markets.length * 2)
    expect(polymarket.byId.size).toBe(polymarket.markets.length)
    expect(new Set(polymarket.markets.map(({ slug }) => slug)).size).toBe(polymarket.markets.length)
    const kalshi = listKalshi(buildCatalog('kalshi', options), '1')
    expect(kalshi.byTicker.size).toBe(kalshi.markets.length)
    expect(kalshi.byEvent.size).toBe(kalshi.events.length)
  })
})
