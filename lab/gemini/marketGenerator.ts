// Gemini's names for the catalog: event tickers and instrument symbols, which alone identify a contract.
import type { CatalogEvent, CatalogMarket } from '../catalog/catalogEvent.ts'
import type { GridName } from '../engine/grid.ts'

export interface GeminiContract {
  /** Engine id and catalog key. */
  key: string
  catalog: CatalogMarket
  event: GeminiEvent
  /** Unique per contract. */
  ordinal: number
  /** `GEMI-{event}-{contract}`. */
  symbol: string
  /** Prices of most contracts are in cents. */
  grid: GridName
  /** Null: whole contracts in cents, and its row states no limits. */
  limits: GeminiLimits | null
}

/** As the contract's row states them, decimal text. */
export interface GeminiLimits {
  quantityIncrement: string
  quantityMinimum: string
  priceIncrement: string
  priceMinimum: string
}

const fineLimits: GeminiLimits = {
  quantityIncrement: '0.01',
  quantityMinimum: '1.00',
  priceIncrement: '0.001',
  priceMinimum: '0.001',
}

export interface GeminiEvent {
  catalog: CatalogEvent
  ticker: string
  contracts: GeminiContract[]
}

export interface GeminiListing {
  events: GeminiEvent[]
  contracts: GeminiContract[]
  byTicker: ReadonlyMap<string, GeminiEvent>
  bySymbol: ReadonlyMap<string, GeminiContract>
  byKey: ReadonlyMap<string, GeminiContract>
}

export function listGemini(catalog: readonly CatalogEvent[]): GeminiListing {
  const taken = new Set<string>()
  const events = catalog.map((event) => listEvent(event, taken))
  const contracts = events.flatMap((event) => event.contracts)
  return {
    events,
    contracts,
    byTicker: new Map(events.map((event) => [event.ticker, event])),
    bySymbol: new Map(contracts.map((contract) => [contract.symbol, contract])),
    byKey: new Map(contracts.map((contract) => [contract.key, contract])),
  }
}

function listEvent(catalog: CatalogEvent, taken: Set<string>): GeminiEvent {
  const day = new Date(catalog.endMs).toISOString().slice(2, 10).replaceAll('-', '')
  const plain = `${tidy(catalog.series[0].replace(/^KX/, ''))}${day}`
  const ticker = taken.has(plain) ? `${plain}N${catalog.ordinal}` : plain
  taken.add(ticker)
  const event: GeminiEvent = { catalog, ticker, contracts: [] }
  event.contracts = catalog.markets.map((market, i) => {
    const symbol = `GEMI-${ticker}-${tidy(market.code)}`
    const isFine = market.grid !== 'cent'
    return {
      key: market.key,
      catalog: market,
      event,
      ordinal: catalog.ordinal * contractsMax + i,
      symbol,
      grid: isFine ? 'milli' : 'cent',
      limits: isFine ? fineLimits : null,
    }
  })
  return event
}

/** Per event. */
const contractsMax = 1_000

const tidy = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9.]/g, '')
