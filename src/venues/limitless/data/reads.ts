// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import { Fault } from '#core/fault'
import type { Event, Market } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import { furtherPage } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readRows, readTape } from '../../shared/data/rows.ts'
import { isInRange } from '../../shared/data/tradeHistory.ts'
import { isQuoted } from '../../shared/settlement.ts'
import type { BookSnapshot, CatalogPage, OutcomeRef, TradesQuery } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { bookRef, isPool, isSlug, nameOf } from '../ids.ts'
import { LimitlessMarket, LimitlessTokens, LimitlessTrade } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { isGroup, normalizeEvent, normalizeMarket } from './normalize.ts'
import { spotOf } from './prices.ts'
import { normalizeBook, normalizeTrade, poolBook } from './tape.ts'

/** Pages of trades read for one range. */
const tradePagesMax = 10

/** There is no list of resolved markets: they are looked up one by one. There is no list of changes: every walk is full. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncIterable<CatalogPage> {
  for await (const rows of endpoints.activePages(context)) {
    const read = (row: unknown): Event | null => {
      const { data } = LimitlessMarket.safeParse(row)
      return data === undefined ? null : eventOf(context, data)
    }
    yield { events: readRows(context, rows, { what: 'market', name: 'slug', read }), series: [] }
  }
}

/** Null for a row with unreadable names. */
function eventOf(context: VenueContext, raw: LimitlessMarket): Event | null {
  if (!isSlug(raw.slug)) return null
  if (!isGroup(raw)) {
    const market = normalizeMarket(raw, raw.slug)
    return market === null ? null : normalizeEvent(raw, [market])
  }
  const read = (row: unknown): Market | null => {
    const { data } = LimitlessMarket.safeParse(row)
    return data === undefined ? null : normalizeMarket(data, raw.slug, raw)
  }
  return normalizeEvent(raw, readRows(context, raw.markets, { what: 'market', name: 'slug', read }))
}

/** Null when the venue has no market of that name. */
export async function rowOf(context: VenueContext, name: string): Promise<LimitlessMarket | null> {
  const raw = await endpoints.getMarket(context, name)
  if (raw !== null && (isPool(name) ? raw.address?.toLowerCase() !== name.toLowerCase() : raw.slug !== name)) {
    throw unreadable(context, `/markets/${name}`, `market ${raw.slug}`)
  }
  return raw
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  if (!isSlug(eventId)) return null
  const raw = await rowOf(context, eventId)
  if (raw === null) return null
  const event = eventOf(context, raw)
  if (event === null) throw unreadable(context, `/markets/${eventId}`, 'its names')
  return event
}

/** A grouped market names its group by a number that no read accepts: its event comes from the walk. A group is not a market. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  if (!isSlug(marketId)) return null
  const raw = await rowOf(context, marketId)
  if (raw === null || isGroup(raw)) return null
  const isAlone = raw.groupId === null || raw.groupId === undefined
  const market = normalizeMarket(raw, isAlone ? raw.slug : null)
  if (market === null) throw unreadable(context, `/markets/${marketId}`, 'its names')
  return { market, event: isAlone ? normalizeEvent(raw, [market]) : null }
}

/** A pool's is derived from the price on its row. */
export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const name = nameOf(bookId)
  if (name === null) return null
  if (isPool(name)) {
    const raw = await rowOf(context, name)
    if (raw === null) return null
    const isOpen = isQuoted(normalizeMarket(raw, null)?.status ?? 'unknown')
    return poolBook(bookId, isOpen ? spotOf(raw) : null, context.clock.now())
  }
  const raw = await endpoints.getBook(context, name)
  if (raw === null) return null
  const book = normalizeBook(bookId, raw, context.clock.now())
  if (book === null) throw unreadable(context, `/markets/${name}/orderbook`, 'level')
  return book
}

/** Newest first. Trades of both sides are in one list, each from its own token's perspective. Trades with pools are not reported. */
export async function fetchTrades(
  context: VenueContext,
  { outcomeId, metadata }: OutcomeRef,
  query: TradesQuery,
): Promise<Trade[]> {
  const [ref, name] = [bookRef(outcomeId), nameOf(outcomeId)]
  if (ref === null || name === null) return []
  if (isPool(name)) {
    throw new Fault('NOT_SUPPORTED', 'trades with a pool are not shown', { exchange: context.venue })
  }
  const tokens = tokensOf(metadata) ?? tokensOf((await rowOf(context, name)) ?? {})
  if (tokens === null) return []
  const outcome = { id: outcomeId, isNo: ref.complement }
  const read = (row: unknown): Trade | null => {
    const { data } = LimitlessTrade.safeParse(row)
    return data === undefined ? null : normalizeTrade(data, outcome, tokens)
  }
  const found: Trade[] = []
  for (let page = 1; page <= tradePagesMax && found.length < query.limit; page++) {
    const reading = endpoints.getTrades(context, name, page, endpoints.tradesPerPage)
    const answer = await furtherPage(context, page === 1, reading)
    if (answer === null) break
    const trades = readTape(context, answer.rows, { what: 'trade', name: 'txHash', read })
    found.push(...trades.filter((trade) => isInRange(trade, query)))
    const isBehind = trades.some(({ timestamp }) => timestamp < (query.startMs ?? 0))
    if (answer.isLast || isBehind || answer.rows.length === 0) break
  }
  return numbered(found).slice(0, query.limit)
}

const tokensOf = ({ tokens }: Readonly<Record<string, unknown>>): LimitlessTokens | null =>
  LimitlessTokens.safeParse(tokens).data ?? null

/** Two fills of one transaction may be identical in all reported fields: the older one keeps the id. */
function numbered(trades: readonly Trade[]): Trade[] {
  const seen = new Map<string, number>()
  return trades
    .toReversed()
    .map((trade) => {
      const before = seen.get(trade.id) ?? 0
      seen.set(trade.id, before + 1)
      return before === 0 ? trade : { ...trade, id: `${trade.id}:${before + 1}` }
    })
    .toReversed()
}
