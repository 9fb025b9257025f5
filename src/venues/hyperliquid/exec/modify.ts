// A modification: the venue takes the old order out and a new one in, under a new id. It is sent as a batch of one, because the answer to a
// single modification does not name that id.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import type { Action } from './action.ts'
import { readArtifact, toUnsigned } from './artifact.ts'
import type { ModifyBody } from './body.ts'
import { newCloid, riskOf } from './build.ts'
import { orderIdOf, placedOrder } from './cancel.ts'
import { nextNonce } from './nonce.ts'
import { wirePrice, wireSize } from './wireNumbers.ts'

export async function buildModify(context: LaneContext, target: LaneExecution, body: ModifyBody): Promise<Built> {
  const placed = readArtifact(target.unsigned)
  const old = placedOrder(placed)
  const replaces = target.venueRef === null ? target.clientRef : orderIdOf(target.venueRef)
  if (replaces === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'hyperliquid' })
  }
  const price = body.price === undefined ? old.p : wirePrice(body.price, old.b)
  const size = body.size === undefined ? old.s : wireSize(body.size)
  const cloid = newCloid(context)
  const quoteToken = target.bounds.quoteToken ?? null
  const action: Action = {
    type: 'batchModify',
    modifies: [{ oid: replaces, order: { ...old, p: price, s: size, c: cloid } }],
  }
  return {
    unsigned: toUnsigned(action, nextNonce(context.clock), placed.source),
    terms: target.terms === null ? null : { ...target.terms, price, size },
    notionalUsd: riskOf({ isBuy: old.b, price, size, quoteToken }),
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
      quoteToken,
    },
    clientRef: cloid,
    warnings: [],
    collateral: { ledger: 'spot', destinationDex: null },
    owner: target.owner,
  }
}
