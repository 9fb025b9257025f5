// Catalog facts that a lane reads. Missing or contradictory facts refuse the order: it would be signed for a market that is not known well enough.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import type { ExecutionVenue } from '#schemas/venues'

/** A market's tick as decimal text. */
export const TickSize = z
  .number()
  .positive()
  .max(0.1)
  .transform(String)
  .pipe(z.string().regex(/^0\.\d{1,6}$/))

/** `field`: the build body's field that named the market. Throws VALIDATION_ERROR. */
export function checkTakesOrders(field: string, { status }: Pick<Market, 'status'>): void {
  if (status === 'active') return
  throw new Fault('VALIDATION_ERROR', `${field}: this market is ${status} and takes no orders`)
}

/** One of the market's own facts, in the shape the lane needs. Throws CATALOG_UNAVAILABLE. */
export function readFact<S extends z.ZodType>(
  venue: ExecutionVenue,
  { marketId }: Pick<Market, 'marketId'>,
  shape: S,
  fact: unknown,
): z.output<S> {
  const parsed = shape.safeParse(fact)
  if (parsed.success) return parsed.data
  throw incomplete(venue, marketId, z.prettifyError(parsed.error))
}

export const incomplete = (
  venue: ExecutionVenue,
  marketId: string,
  detail: string,
  purpose = 'build an order',
): Fault =>
  new Fault('CATALOG_UNAVAILABLE', `the catalog does not know enough of this market to ${purpose}`, {
    exchange: venue,
    detail: `${marketId}: ${detail}`,
  })
