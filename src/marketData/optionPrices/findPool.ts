// Which pool a subscription is about: the venue interprets its ids; the rows come from the catalog, or from the venue if the catalog does
// not have them yet.
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import type { OptionPrices, PricedPool } from '#venues/optionPrices'
import type { VenueContext } from '#venues/venueContext'
import type { FindPool, FoundPool, OnPrices, PriceQuery, PriceRefusal } from './prices.ts'

export interface PricedVenue {
  /** Absent: its only prices are those of order books. */
  prices?: OptionPrices | undefined
  context: Pick<VenueContext, 'urls'>
  /** An id without the venue prefix. */
  nameOf(marketId: string): string
  /** The market of a catalog outcome, or the market that another name (a slug, an event) refers to; null when there is none. */
  findNamed(name: string): Promise<{ by: 'outcome' | 'other'; marketId: string } | null>
  /** All rows of the event, or the one market; null when unknown. Throws RATE_LIMITED when too many requests to the venue are pending. */
  findRows(of: { eventId: string } | { marketId: string }): Promise<readonly Market[] | null>
  /** Null: the limit of watched pools is reached. */
  watcherOf(pool: PricedPool): ((onPrices: OnPrices) => () => void) | null
}

const refuse = (code: PriceRefusal['code'], message: string): PriceRefusal => ({ code, message })
const unknownMarket = refuse('MARKET_NOT_FOUND', 'the venue has no such market')

export function createFindPool(venues: ReadonlyMap<string, PricedVenue>): FindPool {
  return (question) => {
    const venue = venues.get(question.venue)
    if (venue === undefined) return refuse('EXCHANGE_NOT_AVAILABLE', 'this venue is not served')
    const { prices, context } = venue
    if (prices === undefined) return refuse('NOT_SUPPORTED', 'the venue has order books, and no option prices')
    const missing = prices.missing?.(context) ?? null
    if (missing !== null) return refuse('NOT_SUPPORTED', missing)
    if (prices.needsAddress === true && question.marketAddress === undefined)
      return refuse('BAD_MESSAGE', 'marketAddress: is required by this venue')
    return look({ ...question, marketId: venue.nameOf(question.marketId) }, { ...venue, prices })
  }
}

type Priced = PricedVenue & { prices: OptionPrices }

async function look({ marketId: name, marketAddress }: PriceQuery, venue: Priced): Promise<FoundPool | PriceRefusal> {
  const found = await findByAnyName(name, venue)
  if (found === 'busy') return refuse('RATE_LIMITED', 'too many markets unknown to the catalog are being looked up')
  if ('instead' in found) {
    const { instead } = found
    return instead === null
      ? unknownMarket
      : refuse('MARKET_NOT_FOUND', `the venue has no such market; did you mean ${instead}?`)
  }
  const { pool, marketId, catalogMarketId } = found
  if (pool === 'order_book')
    return refuse('NOT_SUPPORTED', 'the market is traded in an order book, whose prices are its own')
  if (marketAddress !== undefined && marketAddress.toLowerCase() !== pool.address.toLowerCase())
    return refuse('MARKET_NOT_FOUND', `the market has another address: ${pool.address}`)
  const watch = venue.watcherOf(pool)
  return watch === null
    ? refuse('SUBSCRIPTION_LIMIT', 'no more markets of this venue can be watched for their prices')
    : { marketId, catalogMarketId, pool, watch }
}

type Found =
  | { marketId: string; catalogMarketId: string | null; pool: PricedPool | 'order_book' }
  | { instead: string | null }
  | 'busy'

/** The venue's own id, else an outcome of the catalog; `instead`: what another name may have meant. */
async function findByAnyName(name: string, venue: Priced): Promise<Found> {
  const own = await readPool(name, venue)
  if (own === 'busy') return own
  if (own !== 'not_found') return { marketId: name, ...own }
  const named = await venue.findNamed(name)
  if (named === null || named.marketId === name) return { instead: null }
  const { marketId } = named
  const found = await readPool(marketId, venue)
  if (found === 'busy') return found
  if (named.by === 'outcome' && found !== 'not_found') return { marketId, ...found }
  return { instead: typeof found === 'string' || found.pool === 'order_book' ? null : marketId }
}

async function readPool(marketId: string, { prices, context, findRows }: Priced) {
  const of = prices.rowsOf(marketId)
  if (of === null) return 'not_found'
  const rows = await findRows(of).catch(unlessBusy)
  if (rows === 'busy') return rows
  const pool = rows === null ? 'not_found' : prices.poolOf(marketId, rows, context)
  if (rows === null || pool === 'not_found') return 'not_found'
  const market = rows.length === 1 ? rows[0] : rows.find((row) => row.marketId === marketId)
  return { pool, catalogMarketId: market?.marketId ?? null }
}

function unlessBusy(error: unknown): 'busy' {
  if (error instanceof Fault && error.code === 'RATE_LIMITED') return 'busy'
  throw error
}
