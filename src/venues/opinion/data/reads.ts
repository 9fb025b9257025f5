// The manifest's data functions: endpoints combined with normalizers. An unreadable row is skipped and logged.
import type { Event, Market } from '#schemas/market'
import { unreadable } from '../../shared/data/rest.ts'
import { readRows, shapeReader } from '../../shared/data/rows.ts'
import type { BookSnapshot, CatalogPage } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { categoricalOf, isMarketId, partsOf } from '../ids.ts'
import { OpinionMarket } from '../wire.ts'
import * as endpoints from './endpoints.ts'
import { hasTokens, isCategorical, normalizeBook, normalizeEvent, normalizeMarket } from './normalize.ts'

/** Maximum slugs tried per market. */
const headGuessesMax = 6

/** Always full: the venue cannot list only changes. */
export async function* walkCatalog(context: VenueContext): AsyncIterable<CatalogPage> {
  for await (const rows of endpoints.marketPages(context)) {
    const read = readRows(context, rows, { what: 'market', name: 'marketId', read: shapeReader(OpinionMarket) })
    yield { events: read.map((raw) => eventOf(context, raw)).filter(({ markets }) => markets.length > 0), series: [] }
  }
}

function eventOf(context: VenueContext, raw: OpinionMarket): Event {
  const own = isCategorical(raw) ? childrenOf(context, raw) : [raw]
  const head = isCategorical(raw) ? raw : null
  return normalizeEvent(
    raw,
    own.filter(hasTokens).map((market) => normalizeMarket(market, head)),
  )
}

const childrenOf = (context: VenueContext, { childMarkets }: OpinionMarket): OpinionMarket[] =>
  readRows(context, childMarkets, { what: 'child market', name: 'marketId', read: shapeReader(OpinionMarket) })

export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const categorical = categoricalOf(eventId)
  if (categorical === null && !isMarketId(eventId)) return null
  if (categorical === null) {
    const found = await fetchMarket(context, eventId)
    return found?.event?.id === eventId ? found.event : null
  }
  const raw = await endpoints.getCategorical(context, categorical)
  if (raw === null) return null
  if (String(raw.marketId) !== categorical) throw unreadable(context, `categorical/${categorical}`, 'another market')
  return eventOf(context, raw)
}

/** A child does not name its head: it is looked for by slug, and accepted only if it lists this exact market. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  if (!isMarketId(marketId)) return null
  const raw = await endpoints.getMarket(context, marketId)
  if (raw === null || !hasTokens(raw)) return null
  if (String(raw.marketId) !== marketId) throw unreadable(context, `market/${marketId}`, 'another market')
  for (const slug of headSlugs(raw)) {
    const head = await endpoints.getBySlug(context, slug)
    if (head === null || !isCategorical(head)) continue
    const event = eventOf(context, head)
    const market = event.markets.find((candidate) => candidate.marketId === marketId)
    if (market !== undefined) return { market, event }
  }
  const market = normalizeMarket(raw, null)
  return isAlone(raw)
    ? { market, event: normalizeEvent(raw, [market]) }
    : { market: { ...market, eventId: null }, event: null }
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Its slug is its whole title. A child's begins with the head's. */
const isAlone = ({ slug, marketTitle }: OpinionMarket): boolean => slug === slugOf(marketTitle)

/** The slugs that its head may have, likeliest first: the slug without its last words, as many as the child's own title has, or a few more. */
function headSlugs(raw: OpinionMarket): string[] {
  const words = (raw.slug ?? '').split('-')
  if (isAlone(raw)) return []
  const cuts = Array.from({ length: Math.min(headGuessesMax, words.length - 1) }, (_, i) => i + 1)
  const own = slugOf(raw.marketTitle).split('-').length
  return cuts.toSorted((a, b) => Math.abs(a - own) - Math.abs(b - own)).map((cut) => words.slice(0, -cut).join('-'))
}

export async function fetchOrderBook(context: VenueContext, bookId: string): Promise<BookSnapshot | null> {
  const parts = partsOf(bookId)
  if (parts === null) return null
  const raw = await endpoints.getBook(context, parts.token)
  if (raw === null) return null
  const book = raw.tokenId === parts.token ? normalizeBook(bookId, raw, context.clock.now()) : null
  if (book === null) throw unreadable(context, `orderbook ${bookId}`, 'level, or another token')
  return book
}
