// The catalog walk and the single-market read.
import { Fault } from '#lib/fault'
import type { Event, Market, Series } from '#schemas/market'
import type { CatalogPage, VenueContext } from '../../venue.ts'
import { isSlug } from './bookRef.ts'
import { getEvent, getMarket, listEvents, unreadable } from './endpoints.ts'
import { normalizeMarket, readEvent, seriesOf } from './normalize.ts'
import { type Allowance, allowance, withSettlements } from './settlements.ts'

/** An event may be megabytes (4.7 seen); the venue itself would give 500 of them. */
export const eventsPerPage = 20
/** A walk that gets this far is going in circles. */
const pagesMax = 10_000
/** 429s in a row before the walk gives up. */
const refusalsMax = 5

/**
 * Every event that is not over, with all its markets: a market row names no event, so the list of markets would not say what belongs together.
 * There is no filter by time of change, and `updatedAt` says nothing of prices: every walk is a whole one.
 */
export async function* walkCatalog(
  context: VenueContext,
  _options: { updatedSinceMs: number | null },
): AsyncGenerator<CatalogPage> {
  const allowed = allowance()
  for await (const rows of eventPages(context)) {
    const page: CatalogPage = { events: [], series: [] }
    const series = new Map<string, Series>()
    for (const row of rows) {
      const read = readable(context, row)
      if (read === null) continue
      page.events.push(await settled(context, read.event, allowed))
      const one = seriesOf(read.raw)
      if (one !== null) series.set(one.id, one)
    }
    page.series.push(...series.values())
    yield page
  }
}

/** Null, and a line in the log, where the row cannot be read. */
function readable(context: VenueContext, row: unknown): ReturnType<typeof readEvent> {
  const read = readEvent(row)
  if (read === null) context.log.warn({ venue: 'polymarket_us' }, 'event of an unknown shape left out')
  else if (read.refused > 0) {
    context.log.warn({ venue: 'polymarket_us', event: read.raw.id, refused: read.refused }, 'markets left out')
  }
  return read
}

const settled = async (context: VenueContext, event: Event, allowed: Allowance): Promise<Event> => ({
  ...event,
  markets: await withSettlements(context, event.markets, allowed),
})

/** Also one that is over, its markets inside. */
export async function fetchEvent(context: VenueContext, eventId: string): Promise<Event | null> {
  const body = await getEvent(context, eventId)
  if (body === null) return null
  const read = readable(context, body.event)
  if (read?.event.id !== eventId) throw unreadable(`/v1/events/${eventId}`, `event ${read?.event.id}`)
  return settled(context, read.event, allowance())
}

/**
 * Pages to the first short one. One too large to be taken is asked for in halves. A 429 is waited out and the walk goes on where it was, with
 * an empty page every second, so that whoever takes the pages can leave meanwhile.
 */
async function* eventPages(context: VenueContext): AsyncGenerator<unknown[]> {
  let limit = eventsPerPage
  let offset = 0
  let refusals = 0
  for (let page = 0; page < pagesMax; page++) {
    let rows: unknown[]
    try {
      rows = await listEvents(context, offset, limit)
    } catch (error) {
      const seconds = waitOf(error)
      if (seconds !== null && ++refusals <= refusalsMax) {
        for (let waited = 0; waited < seconds && !context.signal.aborted; waited++) {
          await new Promise<void>((resolve) => context.clock.after(1_000, resolve))
          yield []
        }
        continue
      }
      if (limit === 1 || !isTooLarge(error)) throw error
      limit = Math.ceil(limit / 2)
      continue
    }
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    offset += rows.length
    limit = eventsPerPage
    refusals = 0
  }
  context.log.warn({ venue: 'polymarket_us', pagesMax }, 'the catalog walk was cut off')
}

/** Seconds the venue wants to be left alone; null where it is something else. */
const waitOf = (error: unknown): number | null => (error instanceof Fault ? (error.retryAfterSeconds ?? null) : null)

/** The client gives up on a body beyond its limit. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Fault && (error.cause as { code?: unknown } | undefined)?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

/** By slug, which is the market id. A market row names no event, and nothing lists the events of a market: the event is for the walk to tell. */
export async function fetchMarket(
  context: VenueContext,
  marketId: string,
): Promise<{ market: Market; event: Event | null } | null> {
  if (!isSlug(marketId)) return null
  const body = await getMarket(context, marketId)
  if (body === null) return null
  const market = normalizeMarket(body.market, null)
  if (market === null || market.marketId !== marketId) {
    throw unreadable(`/v1/market/slug/${marketId}`, market === null ? 'its sides' : `market ${market.marketId}`)
  }
  const [paid] = await withSettlements(context, [market], allowance())
  return { market: paid ?? market, event: null }
}
