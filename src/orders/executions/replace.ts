// Replace: the venue's own modification where it has one. Elsewhere a cancel of the old order and a new order, whose submit is refused until the
// old one has ended, and unless what was left of it is enough (storage/postgres/executions/replacements.ts). At no time are both sent by us.
import { hashOf } from '#core/canonicalJson'
import { compareDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { ReplaceBody } from '#schemas/replacements'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { ReplacementRow } from '#storage/postgres/executions/replacements'
import type { ExecutionAdapter, OrderTerms } from '#venues/lane'
import { withOrderFields } from '#venues/shared/exec/orderFields'
import { buildOrder } from './build.ts'
import { deriveExecution, findOwned, noVenueOrder } from './cancelOrModify.ts'
import { laneOf, unsupportedOperation } from './findLane.ts'
import { otherRequest, type Persisted } from './persist.ts'
import type { Caller, ExecutionsDeps } from './ports.ts'
import { laneExecutionOf } from './rows.ts'

type Replaced =
  | { kind: 'modify'; modify: Persisted }
  /** `cancel` null: the old order had ended before its cancel was built. `size`: of the new order. */
  | { kind: 'pair'; cancel: Persisted | null; order: Persisted; size: string; warnings: string[] }

interface Wanted {
  venue: string
  executionId: string
  key: string
  body: ReplaceBody
}

export async function replaceOrder(deps: ExecutionsDeps, caller: Caller, wanted: Wanted): Promise<Replaced> {
  const { venue, executionId, key, body } = wanted
  const { lane } = laneOf(deps, venue, caller.accountId)
  if (lane.modify !== undefined) {
    if (body.modify === undefined)
      throw new Fault('VALIDATION_ERROR', `modify: is required, because ${venue} modifies orders itself`)
    const target = { venue, executionId, key, body: body.modify }
    return { kind: 'modify', modify: await deriveExecution(deps, caller, 'modify', target) }
  }
  if (body.order === undefined)
    throw new Fault('VALIDATION_ERROR', `order: is required, because ${venue} does not modify orders`)
  const pair = { ...wanted, order: body.order }
  const replacement = await agreed(deps, caller, lane, pair)
  const cancel = await cancelOf(deps, caller, pair)
  const order = await orderOf(deps, caller, lane, pair, replacement)
  return { kind: 'pair', cancel, ...order, size: replacement.size }
}

interface WantedPair extends Wanted {
  order: JsonObject
}

/** What this request replaces, and by how much: fixed at its first call. */
async function agreed(
  deps: ExecutionsDeps,
  caller: Caller,
  lane: ExecutionAdapter,
  wanted: WantedPair,
): Promise<ReplacementRow> {
  const { store, clock, newId } = deps
  const { accountId } = caller
  const { venue, executionId, key, order } = wanted
  const bodySha256 = hashOf(venue, executionId, wanted.body)
  const before = await store.findReplacement(accountId, key)
  if (before !== null) return ofRequest(before, bodySha256)
  const old = await findOwned(deps, caller, venue, executionId)
  const left = leftOf(old)
  if (old.status === 'acked' && lane.cancel === undefined) throw unsupportedOperation(lane, 'cancel')
  const size = smallerOf(order.size, left)
  // Most refusals come with the preview, before anything is written.
  const preview = await buildOrder(deps, caller, venue, '', { ...checkedBody(lane, order, size), dryRun: true })
  if (preview.kind !== 'preview') throw new Error('a preview was stored')
  checkTerms(termsOf(old), preview.built.terms, size)
  const at = new Date(clock.now())
  const row = { accountId, key, bodySha256, replacesId: old.id, orderId: newId(), size, at }
  return ofRequest(await store.insertReplacement(row), bodySha256)
}

function ofRequest(row: ReplacementRow, bodySha256: Buffer): ReplacementRow {
  if (!row.body_sha256.equals(bodySha256)) throw otherRequest()
  return row
}

/** What may still be placed in place of `old`. Throws if that is nothing, or unknown. */
function leftOf(old: ExecutionRow): string {
  const { status } = old
  if (old.intent !== 'order') throw new Fault('VALIDATION_ERROR', `a ${old.intent} is not replaced; give an order`)
  if (status === 'built' || status === 'signed')
    throw new Fault('VALIDATION_ERROR', 'the execution was not sent: discard it, and build another one')
  if (status === 'failed' || status === 'filled')
    throw new Fault('EXECUTION_TERMINAL', `the execution is ${status}: there is nothing left to replace`)
  if (status === 'submitted') throw unknownFill('its outcome is unknown')
  if (old.venue_ref === null) throw noVenueOrder()
  if (status !== 'acked' && old.matched_size === null) throw unknownFill('what was filled of it is unknown')
  const left = subtractDecimals(termsOf(old).size, old.matched_size ?? '0')
  if (compareDecimals(left, '0') <= 0)
    throw new Fault('EXECUTION_TERMINAL', 'all of the execution was filled: there is nothing left to replace')
  return left
}

const unknownFill = (why: string): Fault =>
  new Fault('CLAIM_GENERATION_UNDETERMINED', `${why}: refresh the execution first`)

function termsOf(row: ExecutionRow): OrderTerms {
  const { terms } = laneExecutionOf(row, null)
  if (terms === null) throw new Fault('VALIDATION_ERROR', 'the execution does not say what it trades')
  return terms
}

function smallerOf(given: unknown, left: string): string {
  if (given === undefined) return left
  const size = typeof given === 'number' || typeof given === 'string' ? readDecimal(given) : null
  if (size === null || compareDecimals(size, '0') <= 0)
    throw new Fault('VALIDATION_ERROR', 'order.size: must be a decimal number above 0')
  return compareDecimals(size, left) < 0 ? size : left
}

/** Fields of a build that are not the caller's here. */
const ours = ['dryRun', 'intent', 'venue']

function checkedBody(lane: ExecutionAdapter, order: JsonObject, size: string): JsonObject {
  const extra = ours.find((field) => field in order)
  if (extra !== undefined) throw new Fault('VALIDATION_ERROR', `order.${extra}: is not a field of a replacement`)
  const { size: _given, ...rest } = order
  return withOrderFields(lane, rest, { size })
}

function checkTerms(old: OrderTerms, next: OrderTerms | null, size: string): void {
  const refuse = (why: string) => new Fault('VALIDATION_ERROR', `order: ${why}`)
  if (next === null) throw refuse('does not say what it trades')
  if (next.marketId !== old.marketId || next.outcomeId !== old.outcomeId)
    throw refuse('trades another outcome than the one it replaces')
  if (next.isBuy !== old.isBuy) throw refuse(`the replaced order ${old.isBuy ? 'buys' : 'sells'}: build a new order`)
  // Rounded up by the venue's own rules.
  if (compareDecimals(next.size, size) > 0) throw refuse(`is larger than ${size}, which is what is left`)
}

/** No key of a caller contains a line break, and items of a batch end with a number. */
const partKey = (key: string, part: 'cancel' | 'order'): string => `${key}\nreplace\n${part}`

async function cancelOf(
  deps: ExecutionsDeps,
  caller: Caller,
  { venue, executionId, key, body }: Wanted,
): Promise<Persisted | null> {
  const target = { venue, executionId, key: partKey(key, 'cancel'), body: body.cancel ?? {} }
  try {
    return await deriveExecution(deps, caller, 'cancel', target)
  } catch (error) {
    if (error instanceof Fault && error.code === 'EXECUTION_TERMINAL') return null
    throw error
  }
}

async function orderOf(
  deps: ExecutionsDeps,
  caller: Caller,
  lane: ExecutionAdapter,
  { venue, key, order }: WantedPair,
  replacement: ReplacementRow,
): Promise<{ order: Persisted; warnings: string[] }> {
  const { size, order_id } = replacement
  const ids = { ...deps, newId: () => order_id }
  const built = await buildOrder(ids, caller, venue, partKey(key, 'order'), checkedBody(lane, order, size))
  if (built.kind !== 'persisted') throw new Error('a build was not stored')
  const { row, replay, riskWarnings } = built
  return { order: { row, replay }, warnings: [...row.warnings, ...riskWarnings] }
}
