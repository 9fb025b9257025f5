// A modification: the venue takes the old order out and a new one in, under a new id, of the size that it is sent. So what was filled under
// the old id is taken off, and the venue is asked for it, because what it fills while an order rests is kept nowhere else. It is sent as a
// batch of one, because the answer to a single modification does not name that id.
//
//   size: what is filled and what shall rest, together ─► sent: size − filled before (bounds) − filled of the order that is replaced
import { z } from 'zod'
import { addDecimals, compareDecimals, subtractDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import type { Action } from './action.ts'
import { readArtifact, toUnsigned } from './artifact.ts'
import type { ModifyBody } from './body.ts'
import { newCloid, riskOf } from './build.ts'
import { orderIdOf, placedOrder } from './cancel.ts'
import { nextNonce } from './nonce.ts'
import { readOrder } from './orderStatus.ts'
import { statusOf } from './status.ts'
import { wirePrice, wireSize } from './wireNumbers.ts'

const Before = z.object({ filledBefore: z.string().default('0') })

export async function buildModify(context: LaneContext, target: LaneExecution, body: ModifyBody): Promise<Built> {
  const placed = readArtifact(target.unsigned)
  const old = placedOrder(placed)
  const replaces = target.venueRef === null ? target.clientRef : orderIdOf(target.venueRef)
  if (replaces === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'hyperliquid' })
  }
  const price = body.price === undefined ? old.p : wirePrice(body.price, old.b)
  const { filledBefore } = Before.parse(target.bounds)
  const executed = await readExecuted(context, target, replaces)
  const filled = addDecimals(filledBefore, executed)
  const whole = body.size === undefined ? (target.terms?.size ?? addDecimals(old.s, filledBefore)) : wireSize(body.size)
  if (compareDecimals(whole, filled) <= 0) {
    throw new Fault('VALIDATION_ERROR', `size: ${filled} contracts are filled already, and nothing would rest`)
  }
  const size = subtractDecimals(whole, filled)
  const cloid = newCloid(context)
  const quoteToken = target.bounds.quoteToken ?? null
  const action: Action = {
    type: 'batchModify',
    modifies: [{ oid: replaces, order: { ...old, p: price, s: size, c: cloid } }],
  }
  return {
    unsigned: toUnsigned(action, nextNonce(context.clock), placed.source),
    terms: target.terms === null ? null : { ...target.terms, price, size: whole },
    // Of the whole order: what is filled holds its room as well.
    notionalUsd: riskOf({ isBuy: old.b, price, size: whole, quoteToken }),
    feeEstimate: null,
    bounds: {
      kind: 'modify',
      source: placed.source,
      asset: old.a,
      isBuy: old.b,
      price,
      size,
      reference: cloid,
      replaces,
      executed,
      filledBefore: filled,
      quoteToken,
    },
    clientRef: cloid,
    warnings: [],
    collateral: { ledger: 'spot', destinationDex: null },
    owner: target.owner,
  }
}

/** Contracts filled of the order that stands at the venue under `oid`. Throws when it does not stand there. */
export async function readExecuted(
  context: LaneContext,
  { owner }: Pick<LaneExecution, 'owner'>,
  oid: number | string,
): Promise<string> {
  if (owner === null) throw new Fault('INTERNAL', 'a hyperliquid execution without its owner')
  const row = await readOrder(context, owner, oid)
  if (row === null) throw new Fault('VALIDATION_ERROR', 'hyperliquid does not show this order: refresh it first')
  const { order, status } = row
  if (statusOf(status) !== 'acked') {
    throw new Fault('EXECUTION_TERMINAL', `hyperliquid shows the order as ${status}: refresh it`, {
      exchange: 'hyperliquid',
    })
  }
  return subtractDecimals(order.origSz, order.sz)
}
