// Which pool a subscription is about: the venue says what its ids mean, the catalog (or, for what it does not know yet, the venue) has the rows.
import { Fault } from '#lib/fault'
import type { Market } from '#schemas/market'
import type { OptionPrices, PricedPool } from '#venues/optionPrices'
import type { VenueContext } from '#venues/venue'
import type { FindPool, FoundPool, PriceQuestion, PriceRefusal, TellPrices } from './prices.ts'

export interface PricedVenue {
  /** Absent: it has no prices but those of order books. */
  prices?: OptionPrices | undefined
  context: Pick<VenueContext, 'urls'>
  /** An id without the venue in front. */
  nameOf(marketId: string): string
  /** All of the event, or the one market; null where nobody knows it. Throws RATE_LIMITED where the venue is asked about too much already. */
  findRows(of: { eventId: string } | { marketId: string }): Promise<readonly Market[] | null>
  /** Null: so many are watched that one more is not. */
  watcherOf(pool: PricedPool): ((tell: TellPrices) => () => void) | null
}

const refuse = (code: PriceRefusal['code'], message: string): PriceRefusal => ({ code, message })
const unknownMarket = refuse('MARKET_NOT_FOUND', 'the venue has no such market')

export function createFindPool(venues: ReadonlyMap<string, PricedVenue>): FindPool {
  return (asked) => {
    const venue = venues.get(asked.venue)
    if (venue === undefined) return refuse('EXCHANGE_NOT_AVAILABLE', 'this venue is not served')
    const { prices, context } = venue
    if (prices === undefined) return refuse('NOT_SUPPORTED', 'the venue has order books, and no prices of options')
    const missing = prices.missing?.(context) ?? null
    if (missing !== null) return refuse('NOT_SUPPORTED', missing)
    if (prices.needsAddress === true && asked.marketAddress === undefined)
      return refuse('BAD_MESSAGE', 'marketAddress: is wanted by this venue')
    const marketId = venue.nameOf(asked.marketId)
    const of = prices.rowsOf(marketId)
    return of === null ? unknownMarket : look({ ...asked, marketId }, { ...venue, prices }, of)
  }
}

async function look(
  { marketId, marketAddress }: PriceQuestion,
  { prices, context, findRows, watcherOf }: PricedVenue & { prices: OptionPrices },
  of: { eventId: string } | { marketId: string },
): Promise<FoundPool | PriceRefusal> {
  const rows = await findRows(of).catch(unlessBusy)
  if (rows === 'busy') return refuse('RATE_LIMITED', 'too many markets that the catalog does not know are looked for')
  const pool = rows === null ? 'not_found' : prices.poolOf(marketId, rows, context)
  if (pool === 'not_found') return unknownMarket
  if (pool === 'order_book')
    return refuse('NOT_SUPPORTED', 'the market is traded in an order book, whose prices are its own')
  if (marketAddress !== undefined && marketAddress.toLowerCase() !== pool.address.toLowerCase())
    return refuse('MARKET_NOT_FOUND', 'the market has another address')
  const watch = watcherOf(pool)
  return watch === null
    ? refuse('SUBSCRIPTION_LIMIT', 'no more markets of this venue are watched for their prices')
    : { marketId, pool, watch }
}

function unlessBusy(error: unknown): 'busy' {
  if (error instanceof Fault && error.code === 'RATE_LIMITED') return 'busy'
  throw error
}
