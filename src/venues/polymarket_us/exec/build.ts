// An order as the body to send: long prices, whole intents, no authentication.
import { compareDecimals, subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { curveFee } from '../../shared/exec/fees.ts'
import { checkExpiry } from '../../shared/exec/orderOptions.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { boundsOf, type OrderArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'

const intents = {
  buy: { YES: 'ORDER_INTENT_BUY_LONG', NO: 'ORDER_INTENT_BUY_SHORT' },
  sell: { YES: 'ORDER_INTENT_SELL_LONG', NO: 'ORDER_INTENT_SELL_SHORT' },
} as const

const tifs = {
  'good-til-cancel': 'TIME_IN_FORCE_GOOD_TILL_CANCEL',
  'good-til-date': 'TIME_IN_FORCE_GOOD_TILL_DATE',
  'fill-or-kill': 'TIME_IN_FORCE_FILL_OR_KILL',
  'immediate-or-cancel': 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
} as const

export function build({ clock, randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { slug, side, outcomeId, tick, feeCoefficient } = facts
  const price = readPrice(body.price, facts)
  const size = readQuantity(body.amount, facts)
  checkExpiry(body.expiresAt, clock)
  const unsigned = {
    marketSlug: slug,
    intent: intents[body.side][side],
    type: 'ORDER_TYPE_LIMIT',
    // The wire always names the long side’s price.
    price: { value: side === 'YES' ? price : subtractDecimals('1', price), currency: 'USD' },
    quantity: Number(size),
    tif: tifs[body.timeInForce],
    ...(body.expiresAt !== 0 && { goodTillTime: new Date(body.expiresAt * 1_000).toISOString() }),
    ...(body.postOnly && { participateDontInitiate: true as const }),
    manualOrderIndicator: 'MANUAL_ORDER_INDICATOR_AUTOMATIC',
  } as const satisfies OrderArtifact
  const terms = { marketId: slug, outcomeId, outcomeSide: side, isBuy: body.side === 'buy', price, size }
  return {
    unsigned,
    terms,
    // No documentation says that the venue refuses to sell what is not held.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: false }),
    feeEstimate: feeEstimate(feeCoefficient, size, price),
    bounds: { ...boundsOf(unsigned), tick },
    // The venue takes no client order id. This names the search for a lost order (findLostOrder.ts), not the order.
    clientRef: `search:${randomUuid()}`,
    warnings: [],
    owner: null,
  }
}

function readPrice(price: number | string, { tick }: Facts): string {
  const requestedPrice = decimalOf('price', price)
  checkProbability('price', requestedPrice)
  checkStep('price', requestedPrice, tick)
  return requestedPrice
}

/** Significant digits every double keeps. */
const exactDigits = 15

/** Whole contracts, or multiples of the minimum where that is below one. */
function readQuantity(amount: number | string, { minimumQuantity }: Facts): string {
  const requestedAmount = decimalOf('amount', amount)
  const isFine = compareDecimals(minimumQuantity, '1') < 0 && compareDecimals(minimumQuantity, '0') > 0
  const step = isFine ? minimumQuantity : '1'
  const least = compareDecimals(minimumQuantity, step) > 0 ? minimumQuantity : step
  if (compareDecimals(requestedAmount, least) < 0) throw invalid('amount', `must be at least ${least}`)
  checkStep('amount', requestedAmount, step)
  if (requestedAmount.replace('.', '').length > exactDigits || String(Number(requestedAmount)) !== requestedAmount) {
    throw invalid('amount', 'has more digits than the venue’s number can carry')
  }
  return requestedAmount
}

/**
 * Coefficient × contracts × p × (1 − p), banker's rounding to the cent; takers pay it. `price` of either side. Null when the venue reports
 * no coefficient. https://docs.polymarket.us/fees
 */
export function feeEstimate(coefficient: string | null, contracts: string, price: string): JsonObject | null {
  if (coefficient === null) return null
  const taker = curveFee({ size: contracts, price, rate: coefficient }, { places: 2, rounding: 'halfEven' })
  return { model: 'coefficient × contracts × p × (1 − p)', currency: 'USD', coefficient, taker }
}
