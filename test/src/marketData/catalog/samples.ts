// Catalog rows for tests: complete by the schema, small, and distinguished by their number.
import { type Event, Event as EventSchema, type Market, noPriceChanges, type Outcome } from '#schemas/market'

export function sampleOutcome(marketId: string, label: string, more: Partial<Outcome> = {}): Outcome {
  return {
    outcomeId: `${marketId}:${label}`,
    marketId,
    label,
    price: 0.5,
    ...noPriceChanges,
    coverage: null,
    ...more,
  }
}

export function sampleMarket(marketId: string, more: Partial<Market> = {}): Market {
  return {
    marketId,
    eventId: null,
    title: `Will ${marketId} happen?`,
    description: `Resolves to Yes when ${marketId} happens.`,
    outcomes: [sampleOutcome(marketId, 'Yes'), sampleOutcome(marketId, 'No')],
    volume24h: null,
    volume: null,
    liquidity: null,
    openInterest: null,
    url: `https://venue.example/${marketId}`,
    tickSize: 0.01,
    status: 'active',
    sourceExchange: 'polymarket',
    sourceMetadata: {},
    ...more,
  }
}

export function sampleEvent(id: string, markets: readonly Market[], more: Partial<Event> = {}): Event {
  return EventSchema.parse({
    id,
    title: `Event ${id}`,
    description: '',
    slug: `event-${id}`,
    markets: markets.map((market) => ({ ...market, eventId: id })),
    volume24h: null,
    volume: null,
    url: `https://venue.example/event/${id}`,
    seriesId: null,
    sourceExchange: 'polymarket',
    sourceMetadata: {},
    ...more,
  })
}
