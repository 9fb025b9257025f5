// An order as the payload to send, except for the nonce, which is set on sending.
import { compareDecimals, multiplyDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { checkBetween, checkStep, decimalOf } from '../../shared/exec/amounts.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { feeFormula, feeRates } from '../fees.ts'
import { boundsOf, type OrderArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { paths } from './wire.ts'

export function build({ randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, symbol, side: outcomeSide, tick } = facts
  const { isBuy, postOnly, clientOrderId = randomUuid() } = body
  const price = readPrice(body.price, facts)
  const quantity = decimalOf('size', body.size)
  checkBetween('size', quantity, facts.quantityMinimum, contractsMax)
  checkStep('size', quantity, facts.quantityStep)
  const unsigned: OrderArtifact = {
    request: paths.order,
    symbol,
    orderType: 'limit',
    side: isBuy ? 'buy' : 'sell',
    outcome: outcomeSide === 'YES' ? 'yes' : 'no',
    quantity,
    price,
    timeInForce: postOnly ? 'maker-or-cancel' : body.timeInForce,
    clientOrderId,
  }
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price: readDecimal(price) ?? price, size: quantity }
  return {
    unsigned,
    terms,
    // No documentation says that the venue refuses to sell what is not held.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: false }),
    feeEstimate: feeEstimate(quantity, price),
    bounds: { ...boundsOf(unsigned), tick },
    clientRef: unsigned.clientOrderId,
    warnings: [],
    owner: null,
  }
}

const contractsMax = '100000000'

/** At least two decimals, as the venue's own client writes them. */
function readPrice(price: number | string, { tick, priceMinimum }: Facts): string {
  const requestedPrice = decimalOf('price', price)
  // As far from 1 as the minimum is from 0: what is bought on one side is sold on the other.
  checkBetween('price', requestedPrice, priceMinimum, subtractDecimals('1', priceMinimum))
  checkStep('price', requestedPrice, tick)
  return requestedPrice.padEnd(4, '0')
}

/** By the published rates (../fees.ts). The venue states no rounding, so none is applied. */
export function feeEstimate(contracts: string, price: string): JsonObject {
  const rest = subtractDecimals('1', price)
  const base = multiplyDecimals(contracts, compareDecimals(price, rest) <= 0 ? price : rest)
  const { maker, taker } = feeRates
  return {
    model: feeFormula,
    currency: 'USD',
    maker: multiplyDecimals(base, maker),
    taker: multiplyDecimals(base, taker),
  }
}
