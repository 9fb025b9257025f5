// Novig's tables: events, markets, outcomes and resting orders. There are bids only, in cents of payout.
import type { EngineMarket, LabStatus, MarketTruth } from '../engine/market.ts'
import { stableUuid } from '../prng.ts'
import type { NovigEvent, NovigMarket } from './marketGenerator.ts'
import type { Row } from './tables.ts'

/** The source of the rows. A row is a view: its columns are computed on read. */
export interface Shown {
  /** False when a fault makes the venue deny the market. */
  isKnown(key: string): boolean
  /** Read without creating the market. */
  statusOf(key: string): LabStatus
  live(market: NovigMarket): EngineMarket
  book(market: NovigMarket): MarketTruth
}

export const marketWords = { open: 'OPEN', closed: 'CLOSED', resolved: 'SETTLED' } as const
/** `2025-09-28T20:25:00+00:00`, as recorded. */
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00')
const probability = (micros: number | null): number | null => (micros === null ? null : micros / 1_000_000)
const other = (micros: number | null): number | null => (micros === null ? null : 1_000_000 - micros)

export function eventRow(event: NovigEvent, shown: Shown): Row {
  const { catalog } = event
  return {
    id: event.id,
    description: catalog.title,
    get status() {
      return event.markets.some(({ key }) => shown.statusOf(key) === 'open') ? 'OPEN_PREGAME' : 'FINAL'
    },
    game: () => ({
      scheduled_start: timeText(catalog.startMs ?? catalog.endMs),
      league: catalog.category.toUpperCase(),
    }),
    markets: () => event.markets.filter(({ key }) => shown.isKnown(key)).map((market) => marketRow(market, shown)),
  }
}

export function marketRow(market: NovigMarket, shown: Shown): Row {
  return {
    id: market.id,
    description: market.catalog.question,
    get status() {
      return marketWords[shown.statusOf(market.key)]
    },
    type: 'MONEY',
    strike: 0,
    get volume() {
      return shown.live(market).volumeHundredths / 100
    },
    is_consensus: true,
    get updated_at() {
      return timeText(shown.live(market).statusAtMs)
    },
    player: () => null,
    event: () => eventRow(market.event, shown),
    outcomes: () => market.outcomes.map((id, index) => outcomeRow(market, id, index, shown)),
  }
}

export function outcomeNames({ catalog: { label, opposite } }: NovigMarket): readonly [string, string] {
  return opposite === 'No' ? ['Yes', 'No'] : [label, opposite]
}

export function outcomeWord({ status, result }: EngineMarket, index: number): string {
  const won = (result === 'yes') === (index === 0)
  return status === 'resolved' ? (won ? 'WIN' : 'LOSS') : 'TBD'
}

function outcomeRow(market: NovigMarket, id: string, index: number, shown: Shown): Row {
  const names = outcomeNames(market)
  return {
    id,
    index,
    description: names[index]!,
    get status() {
      return outcomeWord(shown.live(market), index)
    },
    get last() {
      const last = shown.live(market).lastTrade?.priceMicros ?? null
      return probability(index === 0 ? last : other(last))
    },
    get available() {
      const { status, book } = shown.live(market)
      if (status !== 'open') return null
      return probability(index === 0 ? book.bestAskMicros() : other(book.bestBidMicros()))
    },
    orders: () => orderRows(market, index, shown.book(market)),
  }
}

interface Resting {
  micros: number
  /** Cents of payout. */
  qty: number
  /** Among the orders of its price. */
  n: number
}

/** Each level is two orders where it can be halved. */
export function restingOrders(index: number, { bids, asks }: MarketTruth): Resting[] {
  const levels = index === 0 ? bids : asks.map(([micros, size]) => [1_000_000 - micros, size] as const)
  return levels.flatMap(([micros, size]) => {
    const first = Math.floor(size / 2) * 100
    const rest = Math.round(size * 100) - first
    return [{ micros, qty: rest, n: 0 }, ...(first > 0 ? [{ micros, qty: first, n: 1 }] : [])]
  })
}

export const orderId = ({ key }: NovigMarket, index: number, currency: string, { micros, n }: Resting): string =>
  stableUuid(`novig/order/${key}/${index}/${currency}/${micros}/${n}`)

/** The play money among them bids the most. */
function orderRows(market: NovigMarket, index: number, truth: MarketTruth): Row[] {
  const order = (resting: Resting, currency: string): Row => ({
    id: orderId(market, index, currency, resting),
    status: 'OPEN',
    currency,
    qty: resting.qty,
    originalQty: resting.qty,
    price: resting.micros / 1_000_000,
    created_at: timeText(truth.eventTs),
  })
  const cash = restingOrders(index, truth).map((resting) => order(resting, 'CASH'))
  return [order({ micros: 990_000, qty: 100_000, n: 0 }, 'COIN'), ...cash]
}
