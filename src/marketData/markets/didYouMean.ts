// What a caller probably meant by an unknown id: a market of that name, slug or event, the same with different case, or the same at another venue.

import { Fault } from '#core/fault'
import type { Catalog } from '#marketData/catalog/catalog'
import type { Market } from '#schemas/market'
import type { Exchange } from './exchange.ts'
import type { Markets } from './markets.ts'
import { outcomeOf } from './outcomes.ts'
import type { OutcomeRow, VenueReads } from './ports.ts'
import { type Located, qualify, splitQualified } from './qualifiedIds.ts'

/** The part of a venue that concerns the form of its ids. */
interface Place {
  slug: string
  mayHave(id: string): boolean
}

/** With different case, or at another venue. All are looked up together, in one statement. */
export async function suggestOtherVenues(
  catalog: Pick<Catalog, 'findOutcomes'>,
  requested: Place,
  others: readonly Place[],
  id: string,
  caller?: object,
): Promise<OutcomeRow | null> {
  const otherLetters = [...new Set([id.toUpperCase(), id.toLowerCase()])].filter((letters) => letters !== id)
  const meant = [
    ...otherLetters.map((letters) => ({ place: requested, id: letters })),
    ...others.filter(({ slug }) => slug !== requested.slug).map((place) => ({ place, id })),
  ].filter(({ place, id }) => place.mayHave(id))
  const found = await Promise.all(meant.map(({ place, id }) => catalog.findOutcomes(place.slug, id, caller)))
  return found.flat()[0] ?? null
}

const refusals = new Set(['OUTCOME_NOT_FOUND', 'MARKET_NOT_FOUND', 'EVENT_NOT_FOUND'])
const idFields = ['outcomeId', 'marketId', 'eventId'] as const
type IdField = (typeof idFields)[number]

/** Text that no venue's ids look like never reaches the catalog. */
const idForm = /^[!-~]+$/

/** The same refusal; if an id was unknown and another would have worked, with that one. */
export async function withSuggestions(
  error: unknown,
  query: Readonly<Record<string, unknown>>,
  exchange: Exchange,
  markets: Markets,
): Promise<unknown> {
  if (!(error instanceof Fault) || !refusals.has(error.code)) return error
  const field = idFields.find((name) => typeof query[name] === 'string')
  if (field === undefined) return error
  const words = await meantWords(field, query[field] as string, exchange, markets)
  if (words === null) return error
  return new Fault(error.code, `${error.message}; did you mean ${words}?`, {
    ...(error.exchange === undefined ? {} : { exchange: error.exchange }),
    cause: error,
  })
}

async function meantWords(field: IdField, given: string, exchange: Exchange, markets: Markets): Promise<string | null> {
  const located = placeIn(exchange, given)
  if (located === null || !idForm.test(located.id)) return null
  const { venue, id } = located
  const others = markets.exchangeOf('router').venues.map(placeOf)
  try {
    const named = await markets.catalog.findMarketNamed(venue.slug, id)
    const row = named === null ? await suggestOtherVenues(markets.catalog, placeOf(venue), others, id) : null
    const market = named?.market ?? row?.market
    const meant = market === undefined ? null : idOf(field, market, row)
    if (meant === null || (meant === id && market!.sourceExchange === venue.slug)) return null
    if (exchange.router) return qualify(market!.sourceExchange, meant)
    return market!.sourceExchange === venue.slug ? meant : `${meant} at ${market!.sourceExchange}`
  } catch (cause) {
    // The original error is returned without a suggestion.
    markets.log.warn({ venue: venue.slug, err: cause }, 'failed to look up suggestions for an unknown id')
    return null
  }
}

/** Null on the router when the id may belong to several venues. */
function placeIn(exchange: Exchange, given: string): Located | null {
  const named = splitQualified(exchange, given)
  if (named !== null) return named
  const [venue, ...more] = exchange.router
    ? exchange.venues.filter(({ data }) => data.bookRef(given) !== null)
    : exchange.venues
  return venue === undefined || more.length > 0 ? null : { venue, id: given }
}

function idOf(field: IdField, market: Market, row: OutcomeRow | null): string | null {
  if (field === 'marketId') return market.marketId
  if (field === 'eventId') return market.eventId
  return row?.outcome.outcomeId ?? (outcomeOf(market, 'yes') ?? market.outcomes[0])?.outcomeId ?? null
}

const placeOf = ({ slug, data }: VenueReads): Place => ({ slug, mayHave: (id) => data.bookRef(id) !== null })
