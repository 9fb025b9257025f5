// A cancellation: the stored order id, nothing else. The key comes with submit.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { type CancelArtifact, readArtifact } from './artifact.ts'
import { paths } from './wire.ts'

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = target.venueRef
  if (orderId === null) {
    throw new Fault('VALIDATION_ERROR', 'this order has no venue order id yet; refresh it first', {
      exchange: 'gemini',
    })
  }
  const unsigned: CancelArtifact = { request: paths.cancel, orderId }
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
