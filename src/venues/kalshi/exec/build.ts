// An order as the exact body of Create Order V2, and its modification as that of Amend: the order keeps its id and gets a new client order
// id, which can settle a lost answer.
import { subtractDecimals, toUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, LaneExecution } from '../../lane.ts'
import { checkBetween, checkStep, decimalOf, readContracts } from '../../shared/exec/amounts.ts'
import { type ModifyBody, orderIdOf } from '../../shared/exec/cancelModifyBody.ts'
import { checkExpiry } from '../../shared/exec/orderOptions.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { type FeeSchedule, feeUsd } from '../fees.ts'
import { type AmendArtifact, boundsOf, type OrderArtifact, readArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'

export function build({ clock, randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { ticker, outcomeId, side: outcomeSide, fees } = facts
  const { isBuy, reduceOnly = false, expiresAt, postOnly } = body
  const price = readPrice(body.price)
  const size = readContracts('size', body.size, contractsMax)
  const leg = legOf(isBuy, outcomeSide, price)
  checkExpiry(expiresAt, clock)
  const unsigned: OrderArtifact = {
    ticker,
    client_order_id: body.clientOrderId ?? randomUuid(),
    side: leg.side,
    count: wireCount(size),
    price: leg.price,
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
    ...(expiresAt !== 0 && { expiration_time: expiresAt }),
    ...(postOnly && { post_only: true as const }),
    ...(reduceOnly && { reduce_only: true as const }),
  }
  const terms = { marketId: ticker, outcomeId, outcomeSide, isBuy, price, size }
  return {
    unsigned,
    terms,
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: reduceOnly }),
    feeEstimate: feeEstimate(fees, price, size),
    bounds: boundsOf(unsigned),
    clientRef: unsigned.client_order_id,
    warnings: [],
    owner: null,
  }
}

export async function buildModify(
  { randomUuid }: LaneContext,
  target: LaneExecution,
  body: ModifyBody,
): Promise<Built> {
  const order_id = orderIdOf('kalshi', target)
  const placed = readArtifact(target.unsigned)
  if (placed.kind === 'cancel' || target.terms === null) {
    throw new Fault('VALIDATION_ERROR', 'only an order can be modified', { exchange: 'kalshi' })
  }
  const price = readPrice(body.price ?? target.terms.price)
  const size = readContracts('size', body.size ?? target.terms.size, contractsMax)
  const terms = { ...target.terms, price, size }
  const leg = legOf(terms.isBuy, terms.outcomeSide, price)
  const unsigned: AmendArtifact = {
    order_id,
    ticker: placed.ticker,
    side: leg.side,
    price: leg.price,
    count: wireCount(size),
    ...(target.clientRef !== null && { client_order_id: target.clientRef }),
    updated_client_order_id: randomUuid(),
  }
  // An amended order keeps its nature: one that may only close still may only close.
  const reduceOnly = target.bounds.reduceOnly === true
  return {
    unsigned,
    terms,
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: reduceOnly }),
    feeEstimate: null,
    bounds: { ...boundsOf(unsigned), reduceOnly },
    clientRef: unsigned.updated_client_order_id,
    warnings: [],
    owner: null,
  }
}

const contractsMax = '999999999'

/** Canonical decimal text between 0.01 and 0.99. */
function readPrice(given: number | string): string {
  const price = decimalOf('price', given)
  checkBetween('price', price, '0.01', '0.99')
  checkStep('price', price, '0.01', 'must be whole cents')
  return price
}

/** Every order is one on YES: buying NO at q is selling YES at 1 − q. */
function legOf(isBuy: boolean, outcomeSide: 'YES' | 'NO', price: string): { side: 'bid' | 'ask'; price: string } {
  const isYes = outcomeSide === 'YES'
  return { side: isBuy === isYes ? 'bid' : 'ask', price: wirePrice(isYes ? price : subtractDecimals('1', price)) }
}

const wirePrice = (price: string): string => price.padEnd('0.0000'.length, '0')
const wireCount = (size: string): string => `${size}.00`

/** The published schedule: the total rounded up to the next cent. P × (1 − P) is the same for both sides. */
export function feeEstimate(schedule: FeeSchedule | null, price: string, size: string): JsonObject | null {
  if (schedule === null) return null
  const priceMicros = Number(toUnits(price, 6))
  const fee = (role: 'taker' | 'maker'): string | null => {
    const usd = feeUsd({ schedule, role, contracts: Number(size), priceMicros, rounding: 'cent' })
    return usd === null ? null : usd.toFixed(2)
  }
  return {
    model: 'rate × multiplier × contracts × p × (1 − p), rounded up to the cent',
    currency: 'USD',
    maker: fee('maker'),
    taker: fee('taker'),
  }
}
