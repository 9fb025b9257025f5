// A cancellation: the body that names the order. It is not signed; the API key comes with submit.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { readArtifact } from './artifact.ts'

export async function buildCancel(_context: LaneContext, target: LaneExecution): Promise<Built> {
  const orderID = target.venueRef
  if (orderID === null) {
    throw new Fault('VALIDATION_ERROR', 'this order was never sent to the venue', { exchange: 'polymarket' })
  }
  const unsigned = { orderID }
  readArtifact(unsigned)
  return {
    unsigned,
    terms: null,
    notionalUsd: null,
    feeEstimate: null,
    bounds: { kind: 'cancel', orderID },
    clientRef: orderID,
    warnings: [],
    owner: target.owner,
  }
}
