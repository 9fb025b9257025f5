// A cancellation: the stored order id and its market. The key comes with submit.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { type CancelArtifact, isCancel, readArtifact } from './artifact.ts'

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderId = target.venueRef
  if (orderId === null) {
    throw new Fault('VALIDATION_ERROR', 'this order has no venue order id yet; refresh it first', {
      exchange: 'polymarket_us',
    })
  }
  const placed = readArtifact(target.unsigned)
  if (isCancel(placed)) throw new Fault('VALIDATION_ERROR', 'a cancellation cannot be cancelled')
  const unsigned: CancelArtifact = { orderId, marketSlug: placed.marketSlug }
  readArtifact(unsigned)
  return {
    unsigned,
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    bounds: { kind: 'cancel', orderId, marketSlug: placed.marketSlug },
    clientRef: orderId,
    warnings: [],
    owner: null,
  }
}
