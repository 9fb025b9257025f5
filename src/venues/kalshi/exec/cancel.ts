// A cancellation: the stored order id, nothing else. The key pair comes with submit.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { readArtifact } from './artifact.ts'

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = orderIdOf(target)
  const unsigned = { order_id: orderId }
  readArtifact(unsigned)
  return {
    unsigned,
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    bounds: { kind: 'cancel', orderId },
    clientRef: orderId,
    warnings: [],
    owner: null,
  }
}

export function orderIdOf({ venueRef }: LaneExecution): string {
  if (venueRef !== null) return venueRef
  throw new Fault('VALIDATION_ERROR', 'this order has no venue order id yet; refresh it first', { exchange: 'kalshi' })
}
