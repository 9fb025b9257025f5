// Maps Novig's rows to our types. Pure: one row in, one value out. Unknown values stay unknown.
import { ONE } from '#core/price'
import { type Event, type Market, type MarketStatus, noPriceChanges, type Outcome } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import {
  amountOf,
  complementOf,
  isoOf,
  known,
  microsOf,
  omitUndefined,
  probabilityOf,
  quoteOf,
  textOf,
} from '../../shared/data/parsers.ts'
import { type RowsContext, readRows, shapeReader } from '../../shared/data/rows.ts'
import { isQuoted } from '../../shared/settlement.ts'
import { NovigEvent, NovigMarket, type NovigOutcome } from '../wire.ts'

const sourceExchange = 'novig'
const volumeUnit = 'CASH'
/** The finest step: 0.001 up to 0.05 and from 0.95 on, 0.005 between them. https://docs.novig.com/api-reference (Book, price) */
const tickSize = 0.001
/** The URL of a market's page is undocumented. */
const url = 'https://app.novig.us'

const marketWords: ReadonlyMap<string, MarketStatus> = new Map([
  ['OPEN', 'active'],
  ['CLOSED', 'closed'],
  ['SETTLED', 'resolved'],
])
/** A delayed event takes orders. A cancelled one pays neither side. */
const eventWords: ReadonlyMap<string, MarketStatus> = new Map([
  ['INITIAL', 'inactive'],
  ['OPEN_PREGAME', 'active'],
  ['CLOSED_PREGAME', 'inactive'],
  ['OPEN_INGAME', 'active'],
  ['DELAYED', 'active'],
  ['FINAL', 'closed'],
  ['SETTLED', 'closed'],
  ['CANCELED', 'closed'],
])

/** The market's own status comes first; one that calls itself open trades only while its event does. */
function statusOf(market: NovigMarket, event: NovigEvent): MarketStatus {
  const own = textOf(market.status)
  const word = own === undefined ? 'active' : (marketWords.get(own) ?? 'unknown')
  return word === 'active' ? (eventWords.get(event.status ?? '') ?? 'unknown') : word
}

/** Micros paid per contract of a settled outcome. A push refunds each cost: no price. */
function paidOf({ status }: NovigOutcome): number | null {
  if (status === 'WIN' || status === 'LOSS') return status === 'WIN' ? ONE : 0
  return microsOf(status)
}

/** The bid is derived from the offer of the other of two outcomes. */
function outcomesOf(marketId: string, rows: readonly NovigOutcome[], status: MarketStatus): Outcome[] {
  const offered = ({ available }: NovigOutcome) => (isQuoted(status) ? quoteOf(available) : null)
  return rows.map((row, n) => {
    const other = rows.length === 2 ? rows[1 - n] : undefined
    return {
      outcomeId: row.id,
      marketId,
      label: textOf(row.description) ?? row.id,
      price: probabilityOf(status === 'resolved' ? paidOf(row) : quoteOf(row.last)),
      bestBid: other === undefined ? null : complementOf(offered(other)),
      bestAsk: probabilityOf(offered(row)),
      ...noPriceChanges,
      coverage: null,
    }
  })
}

export function normalizeMarket(raw: NovigMarket, event: NovigEvent): Market {
  const status = statusOf(raw, event)
  const league = textOf(event.game?.league)
  const rows = raw.outcomes.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
  return {
    marketId: raw.id,
    eventId: event.id,
    title: `${event.description}: ${raw.description}`,
    description: '',
    outcomes: outcomesOf(raw.id, rows, status),
    // The venue counts all-time volume; the daily difference is our own sum.
    volume24h: null,
    volume: amountOf(raw.volume),
    liquidity: null,
    openInterest: null,
    url,
    ...omitUndefined({ category: league, tags: league === undefined ? undefined : [league] }),
    tickSize,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: rows.length > 2 ? 'categorical' : 'binary',
      executionModel: 'clob',
      collateral: 'CASH',
      volumeUnit,
      venueStatus: raw.status,
      eventStatus: event.status,
      venueMarketType: raw.type,
      line: raw.strike,
      player: raw.player?.full_name,
      isConsensus: raw.is_consensus,
      voids: raw.voids,
      fee: known({ coefficient: raw.fee?.coefficient, charged: raw.fee?.charged }),
      league,
      gameStartTime: isoOf(event.game?.scheduled_start),
      updatedAt: isoOf(raw.updated_at),
      outcomeStatuses: rows.flatMap((row) => row.status ?? []),
    }),
  }
}

/** Null for an invalid row. Its markets are read one by one: an unreadable one does not affect the others. */
export function readEvent(context: RowsContext, row: unknown): Event | null {
  const { data: raw } = NovigEvent.safeParse(row)
  return raw === undefined ? null : normalizeEvent(raw, readMarkets(context, raw))
}

export const readMarkets = (context: RowsContext, { markets }: NovigEvent): NovigMarket[] =>
  readRows(context, markets, { what: 'market', name: 'id', read: shapeReader(NovigMarket) })

export function normalizeEvent(raw: NovigEvent, rows: readonly NovigMarket[]): Event {
  const markets = rows.map((market) => normalizeMarket(market, raw))
  const league = textOf(raw.game?.league)
  return {
    id: raw.id,
    title: raw.description,
    description: '',
    slug: raw.id,
    markets,
    ...dailyVolume(markets),
    volume: null,
    url,
    ...omitUndefined({ category: league, tags: league === undefined ? undefined : [league] }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      volumeUnit,
      venueStatus: raw.status,
      league,
      sport: textOf(raw.sport),
      gameStartTime: isoOf(raw.game?.scheduled_start),
    }),
  }
}
