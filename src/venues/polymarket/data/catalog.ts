// The catalog walk and the single-market read.
import type { Event, Market, Series } from '#schemas/market'
import { byCursor, byNumber } from '../../shared/data/pages.ts'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { conditionOfPosition, isPositionId, widthsOf } from '../protocol.ts'
import { GammaEvent, type GammaMarket } from '../wire.ts'
import {
  fetchEventById,
  fetchEventsAfter,
  fetchEventsAt,
  fetchMarketById,
  fetchMarketBySlug,
  findMarket,
  gammaPageMax,
} from './endpoints.ts'
import { marketsOf, normalizeEvent, normalizeMarket, normalizeSeries } from './normalize.ts'

/**
 * Every open event with all its markets, including closed ones. Fully closed events are not walked (they far outnumber the open ones);
 * `fetchEvent` reads one on request. Gamma has no filter by time of change, and `updatedAt` ignores prices: every walk is full.
 */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  for await (const listed of listEvents(context)) {
    const page: CatalogPage = { events: [], series: [] }
    const series = new Map<string, Series>()
    for (const raw of readRows(context, listed, { what: 'event', name: 'id', read: shapeReader(GammaEvent) })) {
      page.events.push(eventWith(raw, marketsOf(context, raw)))
      for (const entry of raw.series ?? []) series.set(entry.id, normalizeSeries(entry))
    }
    page.series.push(...series.values())
    yield page
  }
}

const eventWith = (raw: GammaEvent, markets: readonly GammaMarket[]): Event =>
  normalizeEvent(
    raw,
    markets.map((market) => normalizeMarket(market, raw)),
  )

/** Pages of raw events, by cursor, or by offset if the keyset listing is missing. */
async function* listEvents(context: VenueContext): AsyncGenerator<unknown[]> {
  let isListed = false
  yield* byCursor(context, {
    list: 'events',
    async read(cursor) {
      const page = await fetchEventsAfter(context, cursor)
      isListed ||= page !== null
      return page
    },
    rowsOf: ({ events }) => events,
    cursorOf: ({ next_cursor }) => next_cursor,
  })
  if (isListed) return
  yield* byNumber(context, {
    list: 'events',
    first: 0,
    read: (page) => fetchEventsAt(context, page * gammaPageMax),
    rowsOf: (rows) => rows,
    isLast: () => false,
  })
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const raw = gammaId.test(eventId) ? await fetchEventById(context, eventId) : null
  return raw === null ? null : eventWith(raw, marketsOf(context, raw))
}

const gammaId = /^\d{1,15}$/
/** Of either protocol. */
const conditionId = /^0x[0-9a-fA-F]{62}(?:[0-9a-fA-F]{2})?$/
const tokenId = /^\d{16,78}$/
/** Slugs as the venue writes them; anything else cannot name a market. */
const slug = /^[\w.-]{1,300}$/

/** By Gamma market id (our `marketId`), condition id, token id or slug. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  const raw = await findRaw(context, marketId)
  if (raw === null) return null
  const head = raw.events?.[0] ?? null
  if (head === null) return { market: normalizeMarket(raw, null), event: null }
  const full = await fetchEventById(context, head.id)
  const market = normalizeMarket(raw, full ?? head)
  if (full === null) return { market, event: normalizeEvent(head, [market]) }
  const siblings = marketsOf(context, full).filter(({ id }) => id !== raw.id)
  return { market, event: eventWith(full, [raw, ...siblings]) }
}

function findRaw(context: VenueContext, marketId: string): Promise<GammaMarket | null> {
  if (gammaId.test(marketId)) return fetchMarketById(context, marketId)
  if (conditionId.test(marketId)) return findMarket(context, { condition_ids: widthsOf(marketId) })
  // Whether Gamma finds a market by its position ids is not known; the condition is part of them.
  if (isPositionId(marketId)) return findMarket(context, { condition_ids: widthsOf(conditionOfPosition(marketId)) })
  if (tokenId.test(marketId)) return findMarket(context, { clob_token_ids: marketId })
  return slug.test(marketId) ? fetchMarketBySlug(context, marketId) : Promise.resolve(null)
}
