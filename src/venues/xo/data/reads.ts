// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import { Cache } from '#core/cache'
import type { Event, Market } from '#schemas/market'
import { retryAfterRateLimit } from '../../shared/data/pages.ts'
import { unreadable } from '../../shared/data/rest.ts'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { BookSnapshot, CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { isMarketId, tokenOf } from '../ids.ts'
import { XoMarket } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { eventOf, isWhole, normalizeBook, normalizeMarket } from './normalize.ts'

const eventsAtOnce = 10

/** Everything the venue lists, in any state. Rows without tokens are read one by one. The venue cannot list only changes. */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  for await (const rows of endpoints.marketPages(context)) {
    let events: Event[] = []
    for (const row of readRows(context, rows, { what: 'market', name: 'id', read: shapeReader(XoMarket) })) {
      const market = normalizeMarket(await whole(context, row))
      if (market !== null) events.push(eventOf(market))
      else context.log.warn({ market: row.id }, 'a market without outcome tokens was skipped')
      // Each is a separate read, two a second: results are not held back until the whole list is read.
      if (events.length < eventsAtOnce) continue
      yield { events, series: [] }
      events = []
    }
    yield { events, series: [] }
  }
}

const retainedMax = 50_000
/** Tokens never change. By market and outcome; by client: one for each running venue, discarded with it. */
const memories = new WeakMap<VenueContext['http'], Cache<string>>()

/** The row with its missing tokens filled in, as far as the venue reports them. */
async function whole(context: VenueContext, row: XoMarket): Promise<XoMarket> {
  if (isWhole(row)) return row
  const tokens = memories.get(context.http) ?? new Cache<string>(retainedMax)
  memories.set(context.http, tokens)
  const nameOf = (outcomeId: string) => `${row.id}/${outcomeId}`
  if (!row.outcomes.every(({ id }) => tokens.get(nameOf(id)) !== undefined)) {
    const { data } = XoMarket.safeParse(await retryAfterRateLimit(context, () => endpoints.getMarket(context, row.id)))
    for (const { id, outcomeTokenId } of data?.outcomes ?? []) {
      if (typeof outcomeTokenId === 'string') tokens.set(nameOf(id), outcomeTokenId)
    }
  }
  const outcomes = row.outcomes.map((outcome) => ({ ...outcome, outcomeTokenId: tokens.get(nameOf(outcome.id)) }))
  return { ...row, outcomes }
}

/** Also a resolved one. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event } | null> {
  if (!isMarketId(marketId)) return null
  const row = await endpoints.getMarket(context, marketId)
  if (row === null) return null
  const { data } = XoMarket.safeParse(row)
  const market = data === undefined ? null : normalizeMarket(data)
  if (market?.marketId !== marketId) throw unreadable(context, `/api/markets/${marketId}`, `market ${market?.marketId}`)
  return { market, event: eventOf(market) }
}

export const fetchEvent = async (context: VenueContext, eventId: string): Promise<Event | null> =>
  (await fetchMarket(context, eventId))?.event ?? null

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const token = tokenOf(bookId)
  const body = token === null ? null : await endpoints.getBook(context, token)
  if (body === null) return null
  const book = normalizeBook(bookId, body, context.clock.now())
  if (book === null) throw unreadable(context, `/book?token_id=${token}`, 'level')
  return book
}
