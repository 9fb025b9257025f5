// The public catalog first; the older GraphQL where the catalog does not answer. A 429 counts as an answer.
import { Fault } from '#core/fault'
import { waitOf } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'

/** Time without catalog reads after a failure: each read may take its whole deadline. */
const restMs = 30_000
/** Monotonic time until which the catalog is not queried; by the addresses of a running venue. */
const restsUntil = new WeakMap<VenueContext['urls'], number>()

const isFailure = (error: unknown, { signal }: VenueContext): boolean =>
  !signal.aborted && error instanceof Fault && error.code === 'NETWORK_ERROR' && waitOf(error) === null

export const isCatalogResting = ({ urls, clock }: VenueContext): boolean =>
  clock.monotonic() < (restsUntil.get(urls) ?? Number.NEGATIVE_INFINITY)

/** Whether the failure is one for which the GraphQL is read instead. Throws any other. */
export function leaveCatalog(context: VenueContext, error: unknown): void {
  if (!isFailure(error, context)) throw error
  restsUntil.set(context.urls, context.clock.monotonic() + restMs)
  context.log.warn({ err: error }, 'the public catalog does not answer; the GraphQL is read instead')
}

/** Throws the catalog's own failure when neither answers. */
export async function catalogFirst<T>(
  context: VenueContext,
  catalog: () => Promise<T>,
  graphql: () => Promise<T>,
): Promise<T> {
  if (isCatalogResting(context)) return graphql()
  try {
    return await catalog()
  } catch (failure) {
    leaveCatalog(context, failure)
    try {
      return await graphql()
    } catch (error) {
      throw isFailure(error, context) ? failure : error
    }
  }
}
