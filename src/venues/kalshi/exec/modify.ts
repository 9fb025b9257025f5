// A modification is the venue's amend: the order keeps its id and gets a new client order id, by which a lost answer can be settled.
import { Fault } from '#lib/fault'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/moneyAtRisk.ts'
import { legOf, readPrice, readSize, wireCount } from './amounts.ts'
import { type AmendArtifact, readArtifact } from './artifact.ts'
import type { ModifyBody } from './body.ts'
import { orderIdOf } from './cancel.ts'

export async function buildModify(
  { randomUuid }: LaneContext,
  target: LaneExecution,
  body: ModifyBody,
): Promise<Built> {
  const orderId = orderIdOf(target)
  const placed = readArtifact(target.unsigned)
  const { terms } = target
  if (placed.kind === 'cancel' || terms === null) {
    throw new Fault('VALIDATION_ERROR', 'only an order can be modified', { exchange: 'kalshi' })
  }
  const price = readPrice(body.price ?? terms.price)
  const size = readSize(body.size ?? terms.size)
  const leg = legOf(terms.isBuy, terms.outcomeSide, price)
  const { ticker } = placed.kind === 'order' ? placed.order : placed.amend
  const unsigned: AmendArtifact = {
    order_id: orderId,
    ticker,
    side: leg.side,
    price: leg.price,
    count: wireCount(size),
    ...(target.clientRef === null ? {} : { client_order_id: target.clientRef }),
    updated_client_order_id: randomUuid(),
  }
  readArtifact(unsigned)
  // An amended order stays the order it is: one that may only close still may only close.
  const reduceOnly = target.bounds.reduceOnly === true
  return {
    unsigned,
    terms: { ...terms, price, size },
    notionalUsd: moneyAtRisk({ isBuy: terms.isBuy, price, size, closesOnly: reduceOnly }),
    feeEstimate: null,
    bounds: { kind: 'modify', orderId, ticker, side: leg.side, price: leg.price, count: unsigned.count, reduceOnly },
    clientRef: unsigned.updated_client_order_id,
    warnings: [],
    owner: null,
  }
}
