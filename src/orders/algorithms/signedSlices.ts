// Slices that their owner signed in advance: checked as their submits will be, and sealed.
import { addDecimals, compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { AlgorithmBody, SignedSlice } from '#schemas/algorithms'
import type { PlannedSlice } from '#storage/postgres/algorithms/insertAlgorithm'
import type { OrderTerms } from '#venues/lane'
import type { AlgorithmDeps, Caller, SignedOrder } from './ports.ts'
import type { AlgorithmSizes } from './sizes.ts'
import { type AlgorithmTimes, invalid } from './times.ts'
import { unitsOf } from './units.ts'

export interface CheckedSlices {
  /** What all of them trade. */
  terms: OrderTerms
  planned: PlannedSlice[]
}

/** `id`: of the algorithm. */
export async function checkSignedSlices(
  { orders, seal }: Pick<AlgorithmDeps, 'orders' | 'seal'>,
  caller: Caller,
  id: string,
  body: AlgorithmBody & { signedSlices: readonly SignedSlice[] },
  sizes: AlgorithmSizes,
  times: AlgorithmTimes,
): Promise<CheckedSlices> {
  const { venue, algorithm, signedSlices: given } = body
  if (seal === null)
    throw new Fault('HOSTED_FIRE_UNAVAILABLE', 'hosted mode is off on this deployment: use client mode')
  if (algorithm.kind !== 'twap' && algorithm.kind !== 'iceberg')
    throw invalid('signedSlices', `the prices of ${algorithm.kind} are not known in advance: use client mode`)
  if (algorithm.kind === 'twap' && given.length !== algorithm.slices)
    throw invalid('signedSlices', `give one for each of the ${algorithm.slices} slices`)
  if (new Set(given.map(({ executionId }) => executionId)).size < given.length)
    throw invalid('signedSlices', 'an execution is given twice')
  const planned: PlannedSlice[] = []
  let first: OrderTerms | null = null
  let total = '0'
  for (const [number, { executionId, signedArtifact }] of given.entries()) {
    const order = await orders.examine(caller, venue, executionId, signedArtifact)
    first ??= order.terms
    checkSlice(`signedSlices.${number}`, order, { first, number, algorithm, sizes, times })
    const { price, size } = order.terms
    total = addDecimals(total, size)
    const artifact = seal.seal({ id, executionId }, signedArtifact)
    planned.push({ executionId, price, size, takes: algorithm.kind === 'twap', artifact })
  }
  if (compareDecimals(total, sizes.size) !== 0) throw invalid('size', `the signed slices have ${total} together`)
  return { terms: first!, planned }
}

interface SliceContext {
  first: OrderTerms
  number: number
  algorithm: AlgorithmBody['algorithm'] & { kind: 'twap' | 'iceberg' }
  sizes: AlgorithmSizes
  times: AlgorithmTimes
}

function checkSlice(
  field: string,
  { terms, timeInForce, goodUntilMs }: SignedOrder,
  { first, number, algorithm, sizes, times }: SliceContext,
): void {
  if (terms.marketId !== first.marketId || terms.outcomeId !== first.outcomeId || terms.isBuy !== first.isBuy)
    throw invalid(field, 'does not trade the same outcome in the same direction as the first')
  const compared = compareDecimals(terms.price, sizes.limitPrice)
  if (terms.isBuy ? compared > 0 : compared < 0) throw invalid(field, 'is priced worse than limitPrice')
  try {
    unitsOf(terms.price)
    unitsOf(terms.size)
  } catch {
    throw invalid(field, 'its price or size has more than six decimals')
  }
  const isImmediate = timeInForce === 'immediate-or-cancel' || timeInForce === 'fill-or-kill'
  if (algorithm.kind === 'twap' && !isImmediate)
    throw invalid(field, 'must be immediate-or-cancel: canceling an order that rests needs a signature')
  if (algorithm.kind === 'iceberg' && isImmediate) throw invalid(field, 'must be an order that rests')
  const neededUntil =
    algorithm.kind === 'twap'
      ? times.startsAt + ((number + 1) * algorithm.durationMs) / algorithm.slices
      : times.expiresAt
  if (goodUntilMs !== null && goodUntilMs < neededUntil)
    throw invalid(field, `is valid until ${new Date(goodUntilMs).toISOString()}: it may be sent later`)
}
