// Ids on router results carry their venue: `kalshi:KXBTC-…`. The prefix is added and removed here.
import { Fault } from '#core/fault'
import type { Event, Market, Outcome, Series } from '#schemas/market'
import { canonicalVenue } from '#schemas/venues'
import type { Exchange } from './exchange.ts'
import type { VenueReads } from './ports.ts'

export const qualify = (venue: string, id: string): string => `${venue}:${id}`

/** The part of a venue that concerns ids. */
type Named = Pick<VenueReads, 'slug'> & { readonly data: Pick<VenueReads['data'], 'bookRef'> }

export interface Located<V extends Named = VenueReads> {
  venue: V
  id: string
}

type Places<V extends Named> = Pick<Exchange, 'router'> & { readonly venues: readonly V[] }

/** The venue prefixed to an id; null when none of the exchange's venues is named. */
export function splitQualified<V extends Named>(exchange: Places<V>, id: string): Located<V> | null {
  const colon = id.indexOf(':')
  if (colon <= 0 || colon === id.length - 1) return null
  const slug = canonicalVenue(id.slice(0, colon))
  const venue = exchange.venues.find((candidate) => candidate.slug === slug)
  return venue === undefined ? null : { venue, id: id.slice(colon + 1) }
}

/**
 * The venue of an outcome or market. On the router an unqualified id is accepted only when exactly one venue can have such an id.
 */
export function locate<V extends Named>(exchange: Places<V>, id: string): Located<V> {
  const named = splitQualified(exchange, id)
  if (named !== null) return named
  if (!exchange.router) return { venue: exchange.venues[0]!, id }
  const claimants = exchange.venues.filter((venue) => venue.data.bookRef(id) !== null)
  if (claimants.length === 1) return { venue: claimants[0]!, id }
  throw new Fault('VALIDATION_ERROR', 'on router, write an id as <venue>:<id>')
}

/** A row as users of this exchange see it, with the yes/no and up/down shortcuts on markets that have such outcomes. */
export function presentMarket(exchange: Exchange, market: Market): PresentedMarket {
  const { sourceExchange: venue } = market
  const row: PresentedMarket = exchange.router
    ? {
        ...market,
        marketId: qualify(venue, market.marketId),
        eventId: market.eventId === null ? null : qualify(venue, market.eventId),
        outcomes: market.outcomes.map((outcome) => ({ ...outcome, marketId: qualify(venue, outcome.marketId) })),
      }
    : { ...market }
  for (const outcome of row.outcomes) {
    const word = outcome.label.toLowerCase()
    if (isShortcut(word)) row[word] = outcome
  }
  return row
}

export type PresentedMarket = Market & Partial<Record<Shortcut, Outcome>>
type Shortcut = 'yes' | 'no' | 'up' | 'down'
const isShortcut = (word: string): word is Shortcut =>
  word === 'yes' || word === 'no' || word === 'up' || word === 'down'

export function presentEvent(exchange: Exchange, event: Event): Event {
  const markets = event.markets.map((market) => presentMarket(exchange, market))
  if (!exchange.router) return { ...event, markets }
  const venue = event.sourceExchange
  return {
    ...event,
    id: qualify(venue, event.id),
    seriesId: event.seriesId === null ? null : qualify(venue, event.seriesId),
    markets,
  }
}

export const presentSeries = (exchange: Exchange, series: Series): Series =>
  exchange.router ? { ...series, id: qualify(series.sourceExchange, series.id) } : series
