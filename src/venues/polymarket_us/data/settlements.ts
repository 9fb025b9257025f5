// Payouts of resolved markets. Their rows only have the sides' last prices: a row whose sides are not at 1 and 0 is looked up, once.
import { Cache } from '#core/cache'
import { Fault } from '#core/fault'
import { toProbability } from '#core/price'
import type { Market } from '#schemas/market'
import { complementOf } from '../../shared/data/parsers.ts'
import type { VenueContext } from '../../venueContext.ts'
import { getSettlement } from './endpoints.ts'

/** Remaining requests: one allowance per walk, or per event read separately. */
export interface Allowance {
  left: number
}
export const allowance = (): Allowance => ({ left: 40 })

const retainedMax = 20_000

/** Payout of the long side, in micros. By context: one for each running venue, discarded with it. */
const memories = new WeakMap<VenueContext['http'], Cache<number>>()

const isUnpaid = ({ status, outcomes }: Market): boolean => status === 'resolved' && outcomes[0]?.price === null

/** The same markets, with resolved ones at their payouts; unknown when the venue does not report it. */
export async function withSettlements(
  context: VenueContext,
  markets: readonly Market[],
  allowed: Allowance,
): Promise<Market[]> {
  const known = memories.get(context.http) ?? new Cache<number>(retainedMax)
  memories.set(context.http, known)
  const unpaid = markets.filter((market) => isUnpaid(market) && known.get(market.marketId) === undefined)
  for (const { marketId } of unpaid) {
    if (allowed.left-- <= 0) break
    try {
      const micros = await getSettlement(context, marketId)
      if (micros !== null) known.set(marketId, micros)
    } catch (error) {
      if (context.signal.aborted || !(error instanceof Fault)) throw error
      context.log.warn({ market: marketId, err: error }, 'could not read a settlement')
      break
    }
  }
  return markets.map((market) => {
    const micros = isUnpaid(market) ? known.get(market.marketId) : undefined
    if (micros === undefined) return market
    const prices = [toProbability(micros), complementOf(micros)]
    return { ...market, outcomes: market.outcomes.map((outcome, n) => ({ ...outcome, price: prices[n] ?? null })) }
  })
}
