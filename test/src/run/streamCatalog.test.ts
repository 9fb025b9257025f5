import { expect, it } from 'vitest'
import { ManualClock } from '#lib/clock'
import { createStreamCatalog } from '#run/streamCatalog'
import type { RunningVenue } from '#run/venues'
import { kalshi } from '#venues/kalshi/index'

/** The catalog knows market KXSB-27-NO (New Orleans) with both sides, and KXBTC-1; the venue's REST knows KXNEW-1. */
function world() {
  const asked: string[] = []
  const listed: Record<string, string> = {
    'KXSB-27-NO': 'KXSB-27-NO',
    'KXSB-27-NO-NO': 'KXSB-27-NO',
    'KXBTC-1': 'KXBTC-1',
    'KXBTC-1-NO': 'KXBTC-1',
  }
  const catalog = {
    findOutcomes: async (_venue: string, outcomeId: string) => {
      asked.push(outcomeId)
      const marketId = listed[outcomeId]
      return marketId === undefined ? [] : [{ venue: 'kalshi', outcome: { outcomeId }, market: { marketId } }]
    },
  }
  const data = {
    ...kalshi.data,
    fetchOrderBook: async (_context: unknown, bookId: string) => (bookId === 'KXNEW-1' ? { bookId } : null),
  }
  const clock = new ManualClock()
  const venue = { manifest: { ...kalshi, data }, context: {} } as unknown as RunningVenue
  return { clock, asked, streams: createStreamCatalog([venue], catalog as never, clock) }
}

it('takes a market whose ticker happens to end in -NO for the book it is', async () => {
  expect(await world().streams.resolve('kalshi', 'KXSB-27-NO', 'orderbook')).toBe('ok')
})

it('refuses the other side of a book, an id of no form, and what nobody lists', async () => {
  const { streams } = world()
  expect(await streams.resolve('kalshi', 'KXBTC-1-NO', 'orderbook')).toBe('market_not_found')
  expect(await streams.resolve('kalshi', 'not a ticker', 'orderbook')).toBe('market_not_found')
  expect(await streams.resolve('kalshi', 'KXGHOST-1', 'trades')).toBe('market_not_found')
  expect(await streams.resolve('opinion', 'x', 'orderbook')).toBe('unknown_venue')
})

it('asks the venue for what the catalog has not seen yet, and each market only once', async () => {
  const { streams, asked } = world()
  const answers = await Promise.all([1, 2, 3].map(() => streams.resolve('kalshi', 'KXNEW-1', 'orderbook')))
  expect(answers).toEqual(['ok', 'ok', 'ok'])
  expect(streams.resolve('kalshi', 'KXNEW-1', 'trades')).toBe('ok')
  expect(asked).toEqual(['KXNEW-1'])
})

it('asks again about an unknown market after a short while', async () => {
  const { streams, asked, clock } = world()
  await streams.resolve('kalshi', 'KXGHOST-1', 'orderbook')
  await streams.resolve('kalshi', 'KXGHOST-1', 'orderbook')
  clock.advance(5_000)
  await streams.resolve('kalshi', 'KXGHOST-1', 'orderbook')
  expect(asked).toEqual(['KXGHOST-1', 'KXGHOST-1'])
})
