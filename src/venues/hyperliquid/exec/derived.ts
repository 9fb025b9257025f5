// Actions on an existing order, each signed under a nonce of its own.
//
// A cancellation names it by the venue's order id, or by ours when the venue's was never received. A modification: the venue removes the old
// order
// and places a new one, under a new id, of the size that is sent. So fills under the old id are subtracted; they are read from the venue,
// because fills of a resting order are stored nowhere else. It is sent as a batch of one, because the answer to a single modification does not
// contain the new id.
//
//   size: filled and resting part together ─► sent: size − filled before (bounds) − filled of the order that is replaced
import { z } from 'zod'
import { addDecimals, compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { cancellation, type ModifyBody } from '../../shared/exec/cancelModifyBody.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import type { Action, OrderWire } from './action.ts'
import { boundsOf, findOrder, nextNonce, readArtifact, toUnsigned } from './artifact.ts'
import { checkValue, collateral, exposureOf, newCloid } from './build.ts'
import { readOrder, statusOf } from './orderStatus.ts'
import { wirePrice, wireSize } from './wireNumbers.ts'

export async function buildCancel({ clock }: LaneContext, target: LaneExecution): Promise<Built> {
  const { action: placed, source } = readArtifact(target.unsigned)
  const unsigned = toUnsigned(cancelOf(placedIn(placed).a, target), nextNonce(clock), source)
  const { venueRef, clientRef, owner } = target
  return cancellation({ unsigned, bounds: boundsOf(unsigned), clientRef: venueRef ?? clientRef, owner })
}

function cancelOf(asset: number, { venueRef, clientRef }: LaneExecution): Action {
  if (venueRef !== null) return { type: 'cancel', cancels: [{ a: asset, o: orderIdOf(venueRef) }] }
  if (clientRef !== null) return { type: 'cancelByCloid', cancels: [{ asset, cloid: clientRef }] }
  throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'hyperliquid' })
}

function placedIn(action: Action): OrderWire {
  const order = findOrder(action)
  if (order !== null) return order
  throw new Fault('VALIDATION_ERROR', 'only an order can be cancelled or modified', { exchange: 'hyperliquid' })
}

/** Null for an id that is not one of the venue's: an owner may have reported it by mistake. */
export function parseOrderId(venueRef: string): number | null {
  const oid = Number(venueRef)
  return /^\d+$/.test(venueRef) && Number.isSafeInteger(oid) ? oid : null
}

export const foreignId = 'the stored order id is not one of this venue’s'

function orderIdOf(venueRef: string): number {
  const oid = parseOrderId(venueRef)
  if (oid !== null) return oid
  throw new Fault('VALIDATION_ERROR', `${foreignId}: resolve the execution`, { exchange: 'hyperliquid' })
}

const Before = z.object({ filledBefore: z.string().default('0') })

export async function buildModify(context: LaneContext, target: LaneExecution, body: ModifyBody): Promise<Built> {
  const { action: placed, source } = readArtifact(target.unsigned)
  const old = placedIn(placed)
  const replaces = target.venueRef === null ? target.clientRef : orderIdOf(target.venueRef)
  if (replaces === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'hyperliquid' })
  }
  const price = body.price === undefined ? old.p : wirePrice(body.price, old.b)
  const { filledBefore } = Before.parse(target.bounds)
  const executed =
    context.paper === undefined ? await readExecuted(context, target, replaces) : (target.matchedSize ?? '0')
  const filled = addDecimals(filledBefore, executed)
  const whole = body.size === undefined ? (target.terms?.size ?? addDecimals(old.s, filledBefore)) : wireSize(body.size)
  if (compareDecimals(whole, filled) <= 0) {
    throw new Fault('VALIDATION_ERROR', `size: ${filled} contracts are filled already, and nothing would rest`)
  }
  const size = subtractDecimals(whole, filled)
  const cloid = newCloid(context)
  const quoteToken = target.bounds.quoteToken ?? null
  checkValue(multiplyDecimals(price, size), quoteToken)
  const action: Action = {
    type: 'batchModify',
    modifies: [{ oid: replaces, order: { ...old, p: price, s: size, c: cloid } }],
  }
  const unsigned = toUnsigned(action, nextNonce(context.clock), source)
  return {
    unsigned,
    terms: target.terms === null ? null : { ...target.terms, price, size: whole },
    // For the whole order: the filled part counts towards the cost as well.
    notionalUsd: exposureOf({ isBuy: old.b, price, size: whole, quoteToken }),
    feeEstimate: null,
    bounds: { ...boundsOf(unsigned), executed, filledBefore: filled, quoteToken },
    clientRef: cloid,
    warnings: [],
    collateral,
    owner: target.owner,
  }
}

/** Contracts filled of the order resting at the venue under `oid`. Throws when it does not rest there. */
export async function readExecuted(
  context: LaneContext,
  execution: Pick<LaneExecution, 'owner'>,
  oid: number | string,
): Promise<string> {
  const row = await readOrder(context, ownerOf('hyperliquid', execution), oid)
  if (row === null) throw new Fault('VALIDATION_ERROR', 'hyperliquid does not show this order: refresh it first')
  const { order, status } = row
  if (statusOf(status) !== 'acked') {
    throw new Fault('EXECUTION_TERMINAL', `hyperliquid shows the order as ${status}: refresh it`, {
      exchange: 'hyperliquid',
    })
  }
  if (order.origSz == null || order.sz == null) {
    throw new Fault('NETWORK_ERROR', 'hyperliquid shows the order without its sizes: try again', {
      exchange: 'hyperliquid',
    })
  }
  return subtractDecimals(order.origSz, order.sz)
}
