// A cancellation: by the venue's order id, or by ours where the venue's was never heard. It is signed anew, under its own nonce.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import type { Action, OrderWire } from './action.ts'
import { type Artifact, readArtifact, toUnsigned } from './artifact.ts'
import { nextNonce } from './nonce.ts'

export async function buildCancel({ clock }: LaneContext, target: LaneExecution): Promise<Built> {
  const placed = readArtifact(target.unsigned)
  const { a: asset } = placedOrder(placed)
  const action = cancelOf(asset, target)
  const reference = action.type === 'cancel' ? action.cancels[0]!.o : target.clientRef
  return {
    unsigned: toUnsigned(action, nextNonce(clock), placed.source),
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    bounds: { kind: 'cancel', source: placed.source, asset, reference },
    clientRef: target.venueRef ?? target.clientRef,
    warnings: [],
    owner: target.owner,
  }
}

function cancelOf(asset: number, { venueRef, clientRef }: LaneExecution): Action {
  if (venueRef !== null) return { type: 'cancel', cancels: [{ a: asset, o: orderIdOf(venueRef) }] }
  if (clientRef !== null) return { type: 'cancelByCloid', cancels: [{ asset, cloid: clientRef }] }
  throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'hyperliquid' })
}

/** The order an artifact places: of an order build, or what a modification put in its place. */
export function placedOrder({ action }: Artifact): OrderWire {
  const order =
    action.type === 'order' ? action.orders[0] : action.type === 'batchModify' ? action.modifies[0]?.order : undefined
  if (order !== undefined) return order
  throw new Fault('VALIDATION_ERROR', 'only an order can be cancelled or modified', { exchange: 'hyperliquid' })
}

export function orderIdOf(venueRef: string): number {
  const oid = Number(venueRef)
  if (/^\d+$/.test(venueRef) && Number.isSafeInteger(oid)) return oid
  throw new Fault('INTERNAL', 'a stored order id is none of this venue', { exchange: 'hyperliquid', detail: venueRef })
}
