// Sample rows for tests.
import { type Event, type Market, noPriceChanges } from '#schemas/market'
import type { BookUpdate } from '#schemas/topics'
import type { MemoryCatalog } from './memoryStores.ts'

/** A 77-digit id, as polymarket has them: too large for a number. */
export const longId = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
export const longNoId = '52114319501245915516055106046884209969926127482827954674443846427813813222426'

export function marketOf(
  venue: string,
  marketId: string,
  outcomeIds: [string, string],
  extra: Partial<Market> = {},
): Market {
  const outcome = (outcomeId: string, label: string, price: number) => ({
    outcomeId,
    marketId,
    label,
    price,
    ...noPriceChanges,
    coverage: null,
  })
  return {
    marketId,
    eventId: `event-${marketId}`,
    title: `Will ${marketId} happen?`,
    description: 'It resolves as it resolves.',
    outcomes: [outcome(outcomeIds[0], 'Yes', 0.42), outcome(outcomeIds[1], 'No', 0.58)],
    volume24h: 100,
    volume24hSource: 'venue',
    volume: 1_000,
    liquidity: 10,
    openInterest: null,
    url: 'https://example.org/m',
    category: 'Politics',
    tags: ['a', 'b'],
    tickSize: 0.01,
    status: 'active',
    sourceExchange: venue,
    sourceMetadata: { negRisk: venue === 'polymarket' ? true : null },
    ...extra,
  }
}

export function eventOf(venue: string, markets: Market[]): Event {
  return {
    id: `event-${markets[0]!.marketId}`,
    title: `Event of ${markets[0]!.marketId}`,
    description: '',
    slug: `slug-${markets[0]!.marketId}`,
    markets,
    volume24h: 100,
    volume24hSource: { sources: ['venue'], partial: false },
    volume: null,
    url: 'https://example.org/e',
    seriesId: 's1',
    sourceExchange: venue,
    sourceMetadata: {},
  }
}

export function seed(catalog: MemoryCatalog): void {
  catalog.events.push(
    eventOf('polymarket', [marketOf('polymarket', '0xabc', [longId, longNoId])]),
    eventOf('kalshi', [marketOf('kalshi', 'KXBTC-26', ['KXBTC-26', 'KXBTC-26-NO'], { volume24h: null })]),
  )
  catalog.series.push({ id: 's1', title: 'Series one', sourceExchange: 'kalshi', sourceMetadata: {} })
}

let seq = 0
export function liveBook(
  venue: string,
  marketId: string,
  core: { bids: [number, number][]; asks: [number, number][] },
  extra: Partial<BookUpdate> = {},
): BookUpdate {
  const level = ([price, size]: [number, number]) => ({ price, size })
  const eventTs = extra.eventTs === undefined ? 1_789_999_999_000 : extra.eventTs
  const text = JSON.stringify({
    bids: core.bids.map(level),
    asks: core.asks.map(level),
    timestamp: eventTs ?? 1_789_999_999_500,
  })
  return {
    venue,
    marketId,
    state: 'live',
    seq: ++seq,
    epoch: 1,
    eventTs,
    recvTs: 1_789_999_999_500,
    core: Buffer.from(text.slice(0, -1)),
    lastTradeMicros: 430_000,
    ...extra,
  }
}
