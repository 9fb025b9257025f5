// Kalshi's names for the catalog: series, event and market tickers, market ids.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import { stableUuid } from '../prng.ts'

export interface KalshiSeries {
  ticker: string
  title: string
  category: string
  tags: readonly string[]
}

export interface KalshiMarket {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: KalshiEvent
  ticker: string
  /** UUID. */
  marketId: string
}

export interface KalshiEvent {
  catalog: CatalogEvent
  ticker: string
  series: KalshiSeries
  markets: KalshiMarket[]
}

export interface KalshiListing {
  events: KalshiEvent[]
  markets: KalshiMarket[]
  series: KalshiSeries[]
  byKey: Map<string, KalshiMarket>
  byTicker: Map<string, KalshiMarket>
  byEvent: Map<string, KalshiEvent>
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const

export function listKalshi(catalog: readonly CatalogEvent[], seed: string): KalshiListing {
  const series = new Map<string, KalshiSeries>()
  const byEvent = new Map<string, KalshiEvent>()
  for (const event of catalog) {
    const [ticker, title] = event.series
    if (!series.has(ticker)) series.set(ticker, { ticker, title, category: event.category, tags: event.tags.slice(-1) })
    const listed = listEvent(event, series.get(ticker)!, seed, byEvent)
    byEvent.set(listed.ticker, listed)
  }
  const events = [...byEvent.values()]
  const markets = events.flatMap((event) => event.markets)
  return {
    events,
    markets,
    series: [...series.values()],
    byKey: new Map(markets.map((market) => [market.key, market])),
    byTicker: new Map(markets.map((market) => [market.ticker, market])),
    byEvent,
  }
}

function listEvent(
  catalog: CatalogEvent,
  series: KalshiSeries,
  seed: string,
  taken: ReadonlyMap<string, unknown>,
): KalshiEvent {
  const date = new Date(catalog.endMs)
  const day = `${String(date.getUTCFullYear()).slice(2)}${months[date.getUTCMonth()]}${String(date.getUTCDate()).padStart(2, '0')}`
  const teams = series.ticker.endsWith('GAME') ? catalog.markets.map(({ code }) => code).join('') : ''
  const plain = `${series.ticker}-${day}${teams}`
  const recorded = catalog.markets[0]?.recordedId
  const own = recorded === undefined ? plain : recorded.slice(0, recorded.lastIndexOf('-'))
  const ticker = taken.has(own) ? `${own}N${catalog.ordinal}` : own
  const event: KalshiEvent = { catalog, ticker, series, markets: [] }
  event.markets = catalog.markets.map((market) => {
    const name = market.recordedId ?? `${ticker}-${market.code}`
    return { key: market.key, catalog: market, event, ticker: name, marketId: stableUuid(`${seed}/kalshi/${name}`) }
  })
  return event
}
