// An order as the exact body of Create Order V2.
import { toUnits } from '#lib/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/moneyAtRisk.ts'
import { type FeeSchedule, feeUsd } from '../fees.ts'
import { legOf, readPrice, readSize, wireCount } from './amounts.ts'
import type { OrderArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'

export function build({ randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { ticker, outcomeId, side: outcomeSide, fees } = facts
  const price = readPrice(body.price)
  const size = readSize(body.size)
  const leg = legOf(body.isBuy, outcomeSide, price)
  const unsigned: OrderArtifact = {
    ticker,
    client_order_id: randomUuid(),
    side: leg.side,
    count: wireCount(size),
    price: leg.price,
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
    ...(body.reduceOnly === true ? { reduce_only: true as const } : {}),
  }
  return {
    unsigned,
    terms: { marketId: ticker, outcomeId, outcomeSide, isBuy: body.isBuy, price, size },
    notionalUsd: moneyAtRisk({ isBuy: body.isBuy, price, size, closesOnly: body.reduceOnly === true }),
    feeEstimate: feeEstimate(fees, price, size),
    bounds: {
      kind: 'order',
      ticker,
      side: unsigned.side,
      price: unsigned.price,
      count: unsigned.count,
      reduceOnly: body.reduceOnly === true,
    },
    clientRef: unsigned.client_order_id,
    warnings: [],
    owner: null,
  }
}

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
