// An order as the venue hashes it, and as the caller's wallet signs it.
import { compareDecimals, multiplyDecimals, subtractDecimals } from '#lib/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/moneyAtRisk.ts'
import type { Action, Hex } from './action.ts'
import { toUnsigned } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { feeEstimate } from './fees.ts'
import { nextNonce } from './nonce.ts'
import { wirePrice, wireSize } from './wireNumbers.ts'

/** Quote tokens that are dollars. */
const dollars = new Set(['USDC', 'USDH', 'USDT0', 'USDE'])
/** Quote units below which the venue refuses an order; by which of two formulas is nowhere said, so it is told and not enforced. */
const valueMin = '10'

export function build(context: LaneContext, body: OrderBody, { catalog, network, balance }: Facts): Built {
  const { isBuy } = body
  const owner = body.owner.toLowerCase()
  const price = wirePrice(body.price, isBuy)
  const size = wireSize(body.size)
  const notional = multiplyDecimals(price, size)
  const cloid = newCloid(context)
  const action: Action = {
    type: 'order',
    orders: [{ a: catalog.asset, b: isBuy, p: price, s: size, r: false, t: { limit: { tif: 'Gtc' } }, c: cloid }],
    grouping: 'na',
  }
  return {
    unsigned: toUnsigned(action, nextNonce(context.clock), network),
    terms: {
      marketId: catalog.marketId,
      outcomeId: catalog.outcomeId,
      outcomeSide: catalog.side,
      isBuy,
      price,
      size,
    },
    notionalUsd: riskOf({ isBuy, price, size, quoteToken: catalog.quoteToken }),
    feeEstimate: feeEstimate(isBuy, notional, catalog.deployerFeeScale, catalog.quoteToken),
    bounds: {
      kind: 'order',
      source: network,
      asset: catalog.asset,
      isBuy,
      price,
      size,
      reference: cloid,
      quoteToken: catalog.quoteToken,
    },
    clientRef: cloid,
    warnings: [...shortfall(notional, balance), ...tooSmall(notional, catalog.quoteToken)],
    collateral: { ledger: 'spot', destinationDex: null },
    owner,
  }
}

/** Outcomes are spot tokens: a seller gives what is there, and pays nothing. Null for a buyer who pays in a token of unknown value. */
export function riskOf(order: { isBuy: boolean; price: string; size: string; quoteToken: unknown }): string | null {
  if (order.isBuy && !(typeof order.quoteToken === 'string' && dollars.has(order.quoteToken))) return null
  return moneyAtRisk({ ...order, closesOnly: !order.isBuy })
}

export const newCloid = ({ randomBytes }: LaneContext): Hex => `0x${Buffer.from(randomBytes(16)).toString('hex')}`

function shortfall(notional: string, balance: Facts['balance']): string[] {
  if (balance === null || compareDecimals(balance.spendable, notional) >= 0) return []
  const { coin, spendable } = balance
  const missing = subtractDecimals(notional, spendable)
  return [
    `spendable spot ${coin} is ${spendable} (total minus hold), ${missing} short of this order’s ${notional}; ` +
      'see POST /v1/funding/hyperliquid/steps',
  ]
}

const tooSmall = (notional: string, coin: string): string[] =>
  compareDecimals(notional, valueMin) < 0 ? [`the venue refuses orders worth less than ${valueMin} ${coin}`] : []
