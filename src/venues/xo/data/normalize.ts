// Maps XO's rows to our types. Pure: one row in, one value out. Unknown values stay unknown. A market is its own event: rows name none.
import { ONE } from '#core/price'
import { type Event, type Market, type MarketStatus, noPriceChanges, type Outcome } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import {
  amountOf,
  isoOf,
  known,
  microsOf,
  omitUndefined,
  probabilityOf,
  textOf,
  unitsOf,
} from '../../shared/data/parsers.ts'
import { resolutionDateOf } from '../../shared/settlement.ts'
import type { BookSnapshot } from '../../venue.ts'
import { isMarketId, outcomeIdOf } from '../ids.ts'
import type { XoBook, XoMarket, XoOutcome } from '../wire.ts'

const sourceExchange = 'xo'
const volumeUnit = 'USD'
/** The URL of a market's page is undocumented. */
const url = 'https://xo.market'

const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['ACTIVE', 'active'],
  ['PENDING', 'inactive'],
  ['UPDATE_REQUIRED', 'inactive'],
  ['CANCELLED', 'closed'],
  ['RESOLVED', 'resolved'],
])

/** Micros of an integer with 18 decimals. A decimal is taken as it is. */
function priceOf({ price }: XoOutcome): number | null {
  const units = unitsOf(price, 18)
  const micros = units === null ? microsOf(price) : Math.round(units * ONE)
  return micros !== null && micros <= ONE ? micros : null
}

/** A row in which every outcome has its token. */
export const isWhole = ({ outcomes }: XoMarket): boolean => outcomes.every(({ outcomeTokenId }) => outcomeTokenId)

function outcomesOf(raw: XoMarket, status: MarketStatus): Outcome[] {
  const winner = raw.winningOutcomeId ?? raw.winningOutcome?.id ?? null
  const hasWinner = raw.outcomes.some(({ id }) => id === winner)
  return raw.outcomes.map((row, n) => {
    const paid = hasWinner ? (row.id === winner ? ONE : 0) : null
    return {
      outcomeId: outcomeIdOf(raw.id, row.outcomeTokenId!),
      marketId: raw.id,
      label: textOf(row.title) ?? textOf(row.name) ?? `Outcome ${n + 1}`,
      price: probabilityOf(status === 'resolved' ? paid : priceOf(row)),
      // Lists have no quotes.
      bestBid: null,
      bestAsk: null,
      ...noPriceChanges,
      coverage: null,
    }
  })
}

/** Null when an outcome has no token, or the market no number. */
export function normalizeMarket(raw: XoMarket): Market | null {
  if (!isWhole(raw) || !isMarketId(raw.id)) return null
  const status = statuses.get(raw.status ?? '') ?? 'unknown'
  const resolutionDate = resolutionDateOf(status, { resolved: isoOf(raw.resolvedAt), closed: isoOf(raw.expiresAt) })
  return {
    marketId: raw.id,
    eventId: raw.id,
    title: raw.title,
    description: raw.description ?? '',
    ...omitUndefined({ slug: textOf(raw.slug), resolutionDate }),
    outcomes: outcomesOf(raw, status),
    volume24h: null,
    volume: amountOf(raw.totalVolumeInUSD),
    liquidity: null,
    openInterest: null,
    url,
    tickSize: null,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: raw.outcomes.length > 2 ? 'categorical' : 'binary',
      executionModel: 'clob',
      volumeUnit,
      venueStatus: raw.status,
      venueMarketType: raw.type,
      startTime: isoOf(raw.startsAt),
      settlementTime: isoOf(raw.resolvedAt),
      tokens: raw.outcomes.map(({ outcomeTokenId }) => outcomeTokenId),
    }),
  }
}

export const eventOf = (market: Market): Event => ({
  id: market.marketId,
  title: market.title,
  description: market.description,
  slug: market.slug ?? market.marketId,
  markets: [market],
  ...dailyVolume([market]),
  volume: market.volume,
  url,
  seriesId: null,
  sourceExchange,
  sourceMetadata: { volumeUnit },
})

/** Null when a level cannot be read. The venue gives no time of a book. */
export function normalizeBook(bookId: string, { bids, asks }: XoBook, recvTs: number): BookSnapshot | null {
  return snapshotOf(bookId, { bids: sideOf(bids), asks: sideOf(asks) }, recvTs)
}

export const sideOf = (rows: XoBook['bids']) =>
  levelsOf(rows, ([price, size]) => [microsOf(price), amountOf(size)], 'refused')
