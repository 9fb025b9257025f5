// The build body of a slice, and the checks of what was built from it.
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { OrderTerms } from '#venues/lane'
import type { SliceBuild } from './ports.ts'

/** Fields of a build that the algorithm sets, and those that only one order can have. */
const ours = [
  ...['price', 'size', 'type', 'worstPrice', 'timeInForce', 'postOnly', 'expiresAt'],
  ...['clientOrderId', 'buildResult', 'dryRun', 'intent'],
]

export function checkGivenBuild(build: JsonObject): void {
  const extra = ours.find((field) => field in build)
  if (extra !== undefined) throw new Fault('VALIDATION_ERROR', `build.${extra}: is set by the algorithm`)
}

/** Decimal strings. */
export interface SliceTerms {
  price: string
  size: string
  takes: boolean
}

export const sliceBuildOf = (
  { build, post_only: postOnly }: Pick<AlgorithmRow, 'build' | 'post_only'>,
  { price, size, takes }: SliceTerms,
): SliceBuild => ({
  build: { ...build, ...(takes ? { timeInForce: 'immediate-or-cancel' } : postOnly ? { postOnly: true } : {}) },
  price,
  size,
})

/** Throws VALIDATION_ERROR unless the build trades that outcome in that direction, no more and at no worse a price. */
export function checkSliceTerms(
  wanted: Pick<AlgorithmRow, 'market_id' | 'outcome_id' | 'side'>,
  slice: Pick<SliceTerms, 'price' | 'size'>,
  built: OrderTerms,
): void {
  const refuse = (why: string) => new Fault('VALIDATION_ERROR', `build: ${why}`)
  if (built.marketId !== wanted.market_id || built.outcomeId !== wanted.outcome_id)
    throw refuse('trades another outcome')
  if (built.isBuy !== (wanted.side === 'buy')) throw refuse('trades in the other direction')
  if (compareDecimals(built.size, slice.size) > 0) throw refuse(`is larger than ${slice.size}`)
  const compared = compareDecimals(built.price, slice.price)
  if (wanted.side === 'buy' ? compared > 0 : compared < 0) throw refuse(`is priced worse than ${slice.price}`)
}
