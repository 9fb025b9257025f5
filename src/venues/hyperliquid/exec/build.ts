// An order in the form the venue hashes and the caller's wallet signs.
import { addDecimals, compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import type { Action, Hex } from './action.ts'
import { boundsOf, nextNonce, toUnsigned } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { wirePrice, wireSize } from './wireNumbers.ts'

/** Quote tokens pegged to the dollar. */
const dollars = new Set(['USDC', 'USDH', 'USDT0', 'USDE'])
/**
 * Quote units below which the venue refuses an order. It does not document whether a contract counts as its price, or as the smaller of its
 * price and the other side's: an order too small by both is refused here, one too small by the second is warned of.
 */
const valueMin = '10'

export function build(context: LaneContext, body: OrderBody, { catalog, network, balance }: Facts): Built {
  const { isBuy, postOnly, timeInForce, clientOrderId: cloid = newCloid(context) } = body
  const owner = body.owner.toLowerCase()
  const price = wirePrice(body.price, isBuy)
  const size = wireSize(body.size)
  const notional = multiplyDecimals(price, size)
  checkValue(notional, catalog.quoteToken)
  const tif = postOnly ? 'Alo' : timeInForce === 'good-til-cancel' ? 'Gtc' : 'Ioc'
  const action: Action = {
    type: 'order',
    orders: [{ a: catalog.asset, b: isBuy, p: price, s: size, r: false, t: { limit: { tif } }, c: cloid }],
    grouping: 'na',
  }
  const { marketId, outcomeId, side: outcomeSide, quoteToken, deployerFeeScale } = catalog
  const unsigned = toUnsigned(action, nextNonce(context.clock), network)
  return {
    unsigned,
    terms: { marketId, outcomeId, outcomeSide, isBuy, price, size },
    notionalUsd: exposureOf({ isBuy, price, size, quoteToken }),
    feeEstimate: feeEstimate(isBuy, notional, deployerFeeScale, quoteToken),
    currency: quoteToken,
    bounds: { ...boundsOf(unsigned), quoteToken },
    clientRef: cloid,
    warnings: [...shortfall(notional, balance), ...mayBeTooSmall({ price, size, coin: quoteToken })],
    collateral,
    owner,
  }
}

export const collateral: JsonObject = { ledger: 'spot', destinationDex: null }

/** Outcomes are spot tokens: a seller delivers tokens held and pays nothing. Null for a buyer who pays in a token of unknown value. */
export function exposureOf(order: { isBuy: boolean; price: string; size: string; quoteToken: unknown }): string | null {
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

/** Throws VALIDATION_ERROR. */
export function checkValue(notional: string, coin: unknown): void {
  if (compareDecimals(notional, valueMin) >= 0) return
  const unit = typeof coin === 'string' ? ` ${coin}` : ''
  throw new Fault(
    'VALIDATION_ERROR',
    `size: hyperliquid refuses orders worth less than ${valueMin}${unit}; this one is worth ${notional}`,
  )
}

/** For an order that `checkValue` lets pass. */
function mayBeTooSmall({ price, size, coin }: { price: string; size: string; coin: string }): string[] {
  const otherSide = multiplyDecimals(subtractDecimals('1', price), size)
  if (compareDecimals(otherSide, valueMin) >= 0) return []
  return [
    `the venue may count this order at ${otherSide} ${coin}, the value of its other side, and refuses orders worth less than ${valueMin} ${coin}`,
  ]
}

const baseRates = { maker: '0.0004', taker: '0.0007' }

/**
 * HIP-4 fees: opening is free, selling costs the spot rate × (scale + max(scale, 1)), scale being the deployer's. Verified on mainnet fills
 * of 2026-09-12. The rates are the base tier's before discounts, so a seller's estimate is a ceiling for most. Null for a sale whose scale
 * the venue does not report.
 */
export function feeEstimate(
  isBuy: boolean,
  notional: string,
  deployerFeeScale: string | null,
  token: string,
): JsonObject | null {
  if (isBuy) return { model: 'hip4', token, maker: '0', taker: '0', basis: 'opening bills nothing' }
  if (deployerFeeScale === null) return null
  const atLeastOne = compareDecimals(deployerFeeScale, '1') > 0 ? deployerFeeScale : '1'
  const billed = multiplyDecimals(notional, addDecimals(deployerFeeScale, atLeastOne))
  return {
    model: 'hip4',
    token,
    maker: multiplyDecimals(billed, baseRates.maker),
    taker: multiplyDecimals(billed, baseRates.taker),
    basis: 'base tier, before discounts',
  }
}
