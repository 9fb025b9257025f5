// Maps the gateway's events and markets to our types. Pure. The fields the lane reads (see exec/facts.ts) are written here.
import { ONE } from '#core/price'
import type { Event, Market, MarketStatus, Series } from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { amountOf, isoOf, known, microsOf, quoteOf, textOf } from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { type RowsContext, readRows, shapeReader } from '../../shared/data/rows.ts'
import { isQuoted, resolutionDateOf } from '../../shared/settlement.ts'
import { idsOf } from '../ids.ts'
import { UsEvent, UsMarket, type UsSide } from '../wire.ts'

const sourceExchange = 'polymarket_us'
const volumeUnit = 'CONTRACTS'
const site = 'https://polymarket.us/event/'

/** The gateway's lifecycle words. UNSPECIFIED covers the time before trading, and states without a name. */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['MARKET_STATUS_OPEN', 'active'],
  ['MARKET_STATUS_HALTED', 'inactive'],
  ['MARKET_STATUS_CLOSED', 'closed'],
  ['MARKET_STATUS_RESOLVING', 'closed'],
  ['MARKET_STATUS_RESOLVED', 'resolved'],
])

/** Open only if nothing on the row contradicts it. `active` alone proves nothing: resolved markets keep it. */
export function statusOf({ status, active, closed, archived }: UsMarket): MarketStatus {
  if (isUnreadable(active, closed, archived)) return 'unknown'
  if (archived) return 'archived'
  const word = statuses.get(status ?? '') ?? 'unknown'
  if (closed) return word === 'resolved' ? word : 'closed'
  return word === 'active' && active === false ? 'inactive' : word
}

/** Null unless one side is long and the other short. */
function sidesOf({ marketSides }: UsMarket): { long: UsSide; short: UsSide } | null {
  const long = marketSides.find((side) => side.long)
  const short = marketSides.find((side) => !side.long)
  return long === undefined || short === undefined ? null : { long, short }
}

/** A futures row's question is about the competition and its title is the contestant: neither suffices alone. */
function titleOf({ question, title, slug }: UsMarket): string {
  const [questionText, titleText] = [textOf(question), textOf(title)]
  if (questionText === undefined || titleText === undefined) return questionText ?? titleText ?? slug
  return questionText.toLowerCase().includes(titleText.toLowerCase()) ? questionText : `${questionText}: ${titleText}`
}

const labelsOf = (tags: UsMarket['tags']): string[] | undefined => {
  const labels = (tags ?? []).flatMap(({ label }) => textOf(label) ?? [])
  return labels.length === 0 ? undefined : labels
}

/** Null when the row's two sides are not a long and a short one. `event`: a market row itself names none. */
export function normalizeMarket(raw: UsMarket, event: UsEvent | null): Market | null {
  const sides = sidesOf(raw)
  if (sides === null) return null
  const status = statusOf(raw)
  const bid = isQuoted(status) ? quoteOf(raw.bestBidQuote?.value) : null
  const ask = isQuoted(status) ? quoteOf(raw.bestAskQuote?.value) : null
  const prices = [microsOf(sides.long.price), microsOf(sides.short.price)]
  // The sides' last prices are not their payouts.
  const isUnpaid = status === 'resolved' && !(prices.includes(0) && prices.includes(ONE))
  const [price = null, otherPrice = null] = isUnpaid ? [] : prices
  const tick = raw.orderPriceMinTickSize ?? null
  const labels = [textOf(sides.long.description) ?? 'Yes', textOf(sides.short.description) ?? 'No'] as const
  return {
    marketId: raw.slug,
    eventId: event?.id ?? null,
    title: titleOf(raw),
    description: raw.description ?? '',
    slug: raw.slug,
    outcomes: binaryOutcomes(raw.slug, idsOf(raw.slug), { price, otherPrice, bid, ask }, labels),
    resolutionDate: resolutionDateOf(status, { expected: isoOf(raw.endDate) }),
    // Documented as a field, absent from every recorded row: the specification counts none of this venue.
    volume24h: null,
    volume: amountOf(raw.volume),
    liquidity: null,
    openInterest: null,
    url: site + encodeURIComponent(textOf(event?.slug) ?? raw.slug),
    image: textOf(raw.image),
    category: textOf(raw.category) ?? textOf(event?.category),
    tags: labelsOf(raw.tags) ?? labelsOf(event?.tags),
    tickSize: tick !== null && tick > 0 && tick < 1 ? tick : null,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: 'USD',
      volumeUnit,
      minimumTradeQty: amountOf(raw.minimumTradeQty),
      feeCoefficient: amountOf(raw.feeCoefficient),
      venueId: raw.id,
      venueStatus: raw.status,
      venueMarketType: raw.marketType,
      sportsMarketType: raw.sportsMarketType,
      sportsMarketTypeV2: raw.sportsMarketTypeV2,
      line: raw.line,
      titleShort: raw.titleShort,
      subtitle: raw.subtitle,
      hidden: raw.hidden,
      longTeamId: sides.long.teamId,
      shortTeamId: sides.short.teamId,
      longTradable: sides.long.tradable,
      shortTradable: sides.short.tradable,
      startDate: isoOf(raw.startDate),
      gameStartTime: isoOf(raw.gameStartTime),
      createdAt: isoOf(raw.createdAt),
      updatedAt: isoOf(raw.updatedAt),
      rulesDisclaimer: raw.rulesDisclaimer,
      comboEnabled: raw.comboEnabled,
    }),
  }
}

export function normalizeEvent(raw: UsEvent, markets: readonly Market[]): Event {
  return {
    id: raw.id,
    title: textOf(raw.title) ?? raw.slug ?? raw.id,
    description: raw.description ?? '',
    slug: raw.slug ?? '',
    markets: [...markets],
    ...dailyVolume(markets),
    volume: amountOf(raw.volume),
    url: site + encodeURIComponent(textOf(raw.slug) ?? raw.id),
    image: textOf(raw.image),
    category: textOf(raw.category),
    tags: labelsOf(raw.tags),
    seriesId: textOf(raw.seriesSlug) ?? raw.series?.slug ?? null,
    sourceExchange,
    sourceMetadata: known({
      volumeUnit,
      ticker: raw.ticker,
      subtitle: raw.subtitle,
      subcategory: raw.subcategory,
      active: raw.active,
      closed: raw.closed,
      archived: raw.archived,
      live: raw.live,
      ended: raw.ended,
      gameId: raw.gameId,
      openInterest: amountOf(raw.openInterest),
      liquidity: amountOf(raw.liquidity),
      resolutionSource: raw.resolutionSource,
      startDate: isoOf(raw.startDate),
      startTime: isoOf(raw.startTime),
      endDate: isoOf(raw.endDate) ?? isoOf(raw.endTime),
      eventDate: raw.eventDate,
      createdAt: isoOf(raw.createdAt),
      updatedAt: isoOf(raw.updatedAt),
    }),
  }
}

/** Null when only the slug is known: a series has a title. */
export function seriesOf({ series }: UsEvent): Series | null {
  const title = textOf(series?.title)
  if (!series || title === undefined) return null
  return { id: series.slug, title, slug: series.slug, sourceExchange, sourceMetadata: {} }
}

/** Events and their normalized form. Their markets are read one by one: an unreadable one does not affect the others. */
export const readEvents = (context: RowsContext, rows: readonly unknown[]): { raw: UsEvent; event: Event }[] =>
  readRows(context, rows, { what: 'event', name: 'id', read: shapeReader(UsEvent) }).map((raw) => {
    const read = (row: unknown): Market | null => {
      const { data } = UsMarket.safeParse(row)
      return data === undefined ? null : normalizeMarket(data, raw)
    }
    return { raw, event: normalizeEvent(raw, readRows(context, raw.markets, { what: 'market', name: 'slug', read })) }
  })
