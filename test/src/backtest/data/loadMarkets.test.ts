import { describe, expect, it } from 'vitest'
import { loadMarkets, marketOf, readMarketNames } from '#backtest/data/loadMarkets'
import type { BacktestData } from '#backtest/data/ports'
import type { Feed } from '#backtest/markets/market'
import { marketId, noId, row } from '#test/support/backtest/world'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'

const manifests = new Map<string, VenueManifest>(Object.entries(registry))
const window = { sinceMs: 0, untilMs: 1_000 }
const { signal } = new AbortController()

const dataWith = (rows: ReturnType<typeof row>[]): BacktestData => ({
  findMarket: async (_venue, id) => rows.find((each) => each.marketId === id) ?? null,
  tape: { replay: async () => ({ chunks: none(), end: Promise.resolve({ rows: 0, last: null, more: false }) }) },
  gaps: async () => [],
  close: async () => undefined,
})

async function* none(): AsyncGenerator<Uint8Array> {
  // No rows.
}

describe('markets of a run', () => {
  it('are read from names, with aliases of venues', () => {
    expect(readMarketNames('kalshi:A, gemini-titan:B:C')).toEqual([
      { venue: 'kalshi', marketId: 'A' },
      { venue: 'gemini', marketId: 'B:C' },
    ])
    expect(() => readMarketNames('kalshi')).toThrow('venue:marketId')
    expect(() => readMarketNames(' ,')).toThrow('names no market')
  })

  it('are refused when venue or market is unknown', async () => {
    const load = (venue: string) => loadMarkets(dataWith([]), manifests, [{ venue, marketId: 'X' }], window, signal)
    await expect(load('nowhere')).rejects.toThrow('there is no venue nowhere')
    await expect(load('kalshi')).rejects.toThrow('unknown market: kalshi:X')
  })

  it('are loaded once, however often they are named', async () => {
    const names = [marketId, marketId].map((id) => ({ venue: 'kalshi', marketId: id }))
    const { markets, feeds, sources } = await loadMarkets(dataWith([row()]), manifests, names, window, signal)
    expect([markets.length, feeds.length, sources.length]).toEqual([1, 1, 2])
  })
})

describe('books of a market', () => {
  it('are one for both outcomes where the venue keeps one', () => {
    const feeds: Feed[] = []
    const market = marketOf(registry.kalshi, marketId, row(), feeds)
    expect(feeds).toEqual([{ venue: 'kalshi', outcomeIds: [marketId], catalogMarketId: marketId }])
    expect(market).toMatchObject({
      ...{ currency: 'USD', settlement: null },
      fees: { taker: { kind: 'kalshi_quadratic', rate: 0.07 }, makerRate: null },
      outcomes: [
        { outcomeId: marketId, feed: 0, mirrored: false },
        { outcomeId: noId, feed: 0, mirrored: true },
      ],
    })
  })

  it('are one per outcome elsewhere', () => {
    const feeds: Feed[] = []
    const outcomes = row().outcomes.map((outcome, i) => ({ ...outcome, outcomeId: String(i + 1) }))
    const market = marketOf(registry.polymarket, '0xabc', row({ marketId: '0xabc', outcomes }), feeds)
    expect(feeds.map(({ outcomeIds }) => outcomeIds)).toEqual([['1'], ['2']])
    expect(market).toMatchObject({ outcomes: [{ feed: 0 }, { feed: 1, mirrored: false }] })
  })
})

describe('a resolved market', () => {
  it('pays as its row says, at its date', () => {
    const resolved = row({ status: 'resolved', resolutionDate: '2026-11-02T00:00:00.000Z' })
    const { settlement } = marketOf(registry.kalshi, marketId, resolved, [])
    expect(settlement).toEqual({
      payouts: new Map([
        [marketId, 1_000_000],
        [noId, 0],
      ]),
      at: Date.parse('2026-11-02T00:00:00Z'),
    })
  })
})
