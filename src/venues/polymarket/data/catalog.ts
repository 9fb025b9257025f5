// The catalog walk and the single-market read.
import type { Event, Market, Series } from '#schemas/market'
import type { CatalogPage, VenueContext } from '../../venue.ts'
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

/** A million events: a walk that gets this far is going in circles. */
const pagesMax = 10_000

/**
 * Every open event with all its markets, closed ones among them. Events that are closed as a whole are not walked (they outnumber the open ones
 * many times); `fetchEvent` reads one when it is asked for. Gamma has no filter by time of change, and `updatedAt` says nothing of prices: every
 * walk is a whole one.
 */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  for await (const listed of listEvents(context)) {
    const page: CatalogPage = { events: [], series: [] }
    const series = new Map<string, Series>()
    for (const candidate of listed) {
      const { data: raw } = GammaEvent.safeParse(candidate)
      if (raw === undefined) {
        context.log.warn({ venue: 'polymarket' }, 'event of an unknown shape left out')
        continue
      }
      const { raw: markets, refused } = marketsOf(raw)
      if (refused > 0) context.log.warn({ venue: 'polymarket', event: raw.id, refused }, 'markets left out')
      page.events.push(eventWith(raw, markets))
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

/** Pages of raw events, by cursor, or by offset where the keyset listing is missing. */
async function* listEvents(context: VenueContext): AsyncGenerator<unknown[]> {
  const cursors = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const answer: Awaited<ReturnType<typeof fetchEventsAfter>> = await fetchEventsAfter(context, cursor)
    if (answer === null) {
      if (page === 0) yield* listEventsByOffset(context)
      return
    }
    yield answer.events
    cursor = answer.next_cursor || null
    if (cursor === null) return
    if (cursors.has(cursor)) {
      context.log.warn({ venue: 'polymarket' }, 'the catalog cursor came again: walk ended')
      return
    }
    cursors.add(cursor)
  }
}

async function* listEventsByOffset(context: VenueContext): AsyncGenerator<unknown[]> {
  for (let page = 0; page < pagesMax; page++) {
    const events = await fetchEventsAt(context, page * gammaPageMax)
    if (events === null || events.length === 0) return
    yield events
  }
}

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const raw = gammaId.test(eventId) ? await fetchEventById(context, eventId) : null
  return raw === null ? null : eventWith(raw, marketsOf(raw).raw)
}

const gammaId = /^\d{1,15}$/
const conditionId = /^0x[0-9a-fA-F]{64}$/
const tokenId = /^\d{16,78}$/
/** Slugs as the venue prints them; anything else cannot name a market. */
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
  const siblings = marketsOf(full).raw.filter(({ id }) => id !== raw.id)
  return { market, event: eventWith(full, [raw, ...siblings]) }
}

function findRaw(context: VenueContext, marketId: string): Promise<GammaMarket | null> {
  if (gammaId.test(marketId)) return fetchMarketById(context, marketId)
  if (conditionId.test(marketId)) return findMarket(context, { condition_ids: marketId })
  if (tokenId.test(marketId)) return findMarket(context, { clob_token_ids: marketId })
  return slug.test(marketId) ? fetchMarketBySlug(context, marketId) : Promise.resolve(null)
}
