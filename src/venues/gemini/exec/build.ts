// An order as the payload that goes out, but for the nonce: that belongs to the moment of sending.
import { readDecimal } from '#lib/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/moneyAtRisk.ts'
import { readPrice, readQuantity } from './amounts.ts'
import type { OrderArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { feeEstimate } from './fees.ts'
import { paths } from './wire.ts'

export function build({ randomUuid }: LaneContext, body: OrderBody, { catalog }: Facts): Built {
  const { marketId, outcomeId, symbol, side, tick } = catalog
  const price = readPrice(body.price, tick)
  const quantity = readQuantity(body.size)
  const unsigned: OrderArtifact = {
    request: paths.order,
    symbol,
    orderType: 'limit',
    side: body.isBuy ? 'buy' : 'sell',
    outcome: side === 'YES' ? 'yes' : 'no',
    quantity,
    price,
    timeInForce: 'good-til-cancel',
    clientOrderId: randomUuid(),
  }
  const plainPrice = readDecimal(price) ?? price
  return {
    unsigned,
    terms: { marketId, outcomeId, outcomeSide: side, isBuy: body.isBuy, price: plainPrice, size: quantity },
    // Nowhere said that the venue refuses to sell what is not held.
    notionalUsd: moneyAtRisk({ isBuy: body.isBuy, price: plainPrice, size: quantity, closesOnly: false }),
    feeEstimate: feeEstimate(quantity, price),
    bounds: { kind: 'order', symbol, side: unsigned.side, outcome: unsigned.outcome, price, quantity, tick },
    clientRef: unsigned.clientOrderId,
    warnings: [],
    owner: null,
  }
}
