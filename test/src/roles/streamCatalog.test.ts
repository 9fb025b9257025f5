import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import type { NamedMarket } from '#marketData/catalog/catalog'
import { createStreamCatalog } from '#roles/streamCatalog'
import type { RunningVenue } from '#roles/venues'
import { kalshi } from '#venues/kalshi/index'
import { limitless } from '#venues/limitless/index'
import { polymarket } from '#venues/polymarket/index'
import { polymarketUs } from '#venues/polymarket_us/index'

/**
 * The catalog knows market KXSB-27-NO (New Orleans) with both sides, KXBTC-1, and a slug; the venue's REST API also
 * knows KXNEW-1 and another slug.
 */
function world() {
  const lookups: string[] = []
  const listed: Record<string, string> = {
    'KXSB-27-NO': 'KXSB-27-NO',
    'KXSB-27-NO-NO': 'KXSB-27-NO',
    'KXBTC-1': 'KXBTC-1',
    'KXBTC-1-NO': 'KXBTC-1',
    'aec-nba:long': 'aec-nba',
    'aec-nba:short': 'aec-nba',
  }
  const catalog = {
    findOutcomes: async (venue: string, outcomeId: string) => {
      if (venue === 'kalshi') lookups.push(outcomeId)
      const marketId = listed[outcomeId]
      if (marketId === undefined) return []
      const outcomes = Object.keys(listed)
        .filter((id) => listed[id] === marketId)
        .map((id, index) => ({ outcomeId: id, label: index === 0 ? 'Yes' : 'No' }))
      const outcome = outcomes.find((each) => each.outcomeId === outcomeId)
      return [{ venue: 'kalshi', outcome, market: { marketId, outcomes } }]
    },
  }
  const token = '7'.repeat(77)
  const twoSided = {
    marketId: '0xcondition',
    outcomes: [
      { outcomeId: '8', label: 'No' },
      { outcomeId: token, label: 'Yes' },
    ],
  }
  const threeSided = {
    marketId: '0xthree',
    outcomes: [token, '8', '9'].map((outcomeId) => ({ outcomeId, label: outcomeId })),
  }
  const named: Record<string, NamedMarket> = {
    'polymarket 0xcondition': { by: 'id', market: twoSided as never },
    'polymarket 0xthree': { by: 'id', market: threeSided as never },
    'polymarket will-it-rain': { by: 'slug', market: twoSided as never },
    'kalshi KXBTC': {
      by: 'event',
      market: { marketId: 'KXBTC-1', outcomes: [{ outcomeId: 'KXBTC-1', label: 'Yes' }] } as never,
    },
  }
  const findMarketNamed = async (venue: string, name: string) => named[`${venue} ${name}`] ?? null
  const fetchOrderBook = async (_context: unknown, bookId: string) =>
    ['KXNEW-1', 'aec-nba', 'aec-new'].includes(bookId) ? { bookId } : null
  const clock = new ManualClock()
  const venues = [kalshi, polymarketUs, polymarket].map(
    (manifest) => ({ manifest: { ...manifest, data: { ...manifest.data, fetchOrderBook } }, context: {} }) as never,
  ) as RunningVenue[]
  return {
    clock,
    lookups,
    token,
    streams: createStreamCatalog(venues, { ...catalog, findMarketNamed } as never, clock),
  }
}

const own = (bookId: string) => expect.objectContaining({ bookId, complement: false })
const other = (bookId: string) => expect.objectContaining({ bookId, complement: true })

it('resolves a market whose ticker happens to end in -NO to its own book', async () => {
  expect(await world().streams.resolve('kalshi', 'KXSB-27-NO', 'orderbook')).toEqual(own('KXSB-27-NO'))
})

it('resolves the other side to its book, whether the catalog or only the venue knows it', async () => {
  const { streams } = world()
  expect(await streams.resolve('kalshi', 'KXBTC-1-NO', 'orderbook')).toEqual(other('KXBTC-1'))
  expect(await streams.resolve('kalshi', 'KXSB-27-NO-NO', 'orderbook')).toEqual(other('KXSB-27-NO'))
  expect(await streams.resolve('kalshi', 'KXNEW-1-NO', 'trades')).toEqual(other('KXNEW-1'))
})

it('resolves a market name and both outcome ids when the book has another id', async () => {
  const { streams } = world()
  for (const slug of ['aec-nba', 'aec-new']) {
    expect(await streams.resolve('polymarket_us', slug, 'orderbook')).toEqual(own(slug))
    expect(await streams.resolve('polymarket_us', `${slug}:long`, 'orderbook')).toEqual(own(slug))
    expect(await streams.resolve('polymarket_us', `${slug}:short`, 'orderbook')).toEqual(other(slug))
  }
  expect(await streams.resolve('polymarket_us', 'aec-ghost', 'orderbook')).toBe('market_not_found')
  expect(await streams.resolve('polymarket_us', 'aec-nba:middle', 'orderbook')).toBe('market_not_found')
})

it('resolves an id with a venue prefix, looks it up once without the prefix, and names the other side', async () => {
  const { streams, lookups } = world()
  expect(await streams.resolve('kalshi', 'KXBTC-1-NO', 'trades')).toEqual(other('KXBTC-1'))
  expect(await streams.resolve('kalshi', 'Kalshi:KXBTC-1-NO', 'trades')).toMatchObject({
    bookId: 'KXBTC-1',
    complement: true,
    outcomeId: 'KXBTC-1-NO',
  })
  expect(lookups).toEqual(['KXBTC-1-NO'])
  expect(await streams.resolve('kalshi', 'polymarket:KXBTC-1', 'trades')).toBe('market_not_found')
})

it('resolves a market id to its Yes outcome and names that outcome', async () => {
  const { streams, token } = world()
  expect(await streams.resolve('polymarket', '0xcondition', 'orderbook')).toEqual({
    bookId: token,
    complement: false,
    outcomeId: token,
    catalogMarketId: '0xcondition',
    outcome: { label: 'Yes', index: 1 },
  })
  expect(await streams.resolve('kalshi', 'KXBTC-1-NO', 'orderbook')).toMatchObject({ outcomeId: 'KXBTC-1-NO' })
})

it('suggests an id for a market with more outcomes, a slug, an event, another letter case or another venue', async () => {
  const { streams, token } = world()
  const instead = async (venue: string, id: string) => streams.resolve(venue, id, 'orderbook')
  expect(await instead('polymarket', '0xthree')).toEqual({ instead: { venue: 'polymarket', marketId: token } })
  expect(await instead('polymarket', 'will-it-rain')).toEqual({ instead: { venue: 'polymarket', marketId: token } })
  expect(await instead('kalshi', 'KXBTC')).toEqual({ instead: { venue: 'kalshi', marketId: 'KXBTC-1' } })
  expect(await instead('kalshi', 'kxbtc-1')).toEqual({ instead: { venue: 'kalshi', marketId: 'KXBTC-1' } })
  expect(await instead('polymarket', 'KXBTC-1')).toEqual({ instead: { venue: 'kalshi', marketId: 'KXBTC-1' } })
  expect(await instead('polymarket', 'nothing-like-it')).toBe('market_not_found')
})

it('rejects malformed and unlisted ids', async () => {
  const { streams } = world()
  expect(await streams.resolve('kalshi', 'not a ticker', 'orderbook')).toBe('market_not_found')
  expect(await streams.resolve('kalshi', 'KXGHOST-1', 'trades')).toBe('market_not_found')
  expect(await streams.resolve('opinion', 'x', 'orderbook')).toBe('unknown_venue')
})

it('queries the venue for markets missing in the catalog, once per market', async () => {
  const { streams, lookups } = world()
  const answers = await Promise.all([1, 2, 3].map(() => streams.resolve('kalshi', 'KXNEW-1', 'orderbook')))
  expect(answers).toEqual([own('KXNEW-1'), own('KXNEW-1'), own('KXNEW-1')])
  expect(streams.resolve('kalshi', 'KXNEW-1', 'trades')).toEqual(own('KXNEW-1'))
  expect(lookups).toEqual(['KXNEW-1'])
})

it('returns the label of the outcome once the catalog has it', async () => {
  const { streams, lookups, clock } = world()
  expect(await streams.resolve('kalshi', 'KXBTC-1', 'trades')).toMatchObject({ outcome: { label: 'Yes', index: 0 } })
  expect(await streams.resolve('kalshi', 'KXBTC-1-NO', 'trades')).toMatchObject({ outcome: { label: 'No', index: 1 } })
  expect(await streams.resolve('kalshi', 'KXNEW-1', 'trades')).toEqual({ bookId: 'KXNEW-1', complement: false })
  await streams.resolve('kalshi', 'KXNEW-1', 'trades')
  clock.advance(60_000)
  await streams.resolve('kalshi', 'KXNEW-1', 'trades')
  expect(lookups.filter((id) => id === 'KXNEW-1')).toHaveLength(2)
})

it('retries an unknown market after a short time', async () => {
  const { streams, lookups, clock } = world()
  await streams.resolve('kalshi', 'KXGHOST-1', 'orderbook')
  await streams.resolve('kalshi', 'KXGHOST-1', 'orderbook')
  clock.advance(5_000)
  await streams.resolve('kalshi', 'KXGHOST-1', 'orderbook')
  expect(lookups).toEqual(['KXGHOST-1', 'KXGHOST-1'])
})

it('has no trades to subscribe to when the feed has none', async () => {
  const venue = { manifest: limitless, context: {} } as never
  const streams = createStreamCatalog(
    [venue],
    { findOutcomes: async () => [], findMarketNamed: async () => null },
    new ManualClock(),
  )
  expect(await streams.resolve('limitless', 'a-market-1:yes', 'trades')).toBe('not_supported')
})
