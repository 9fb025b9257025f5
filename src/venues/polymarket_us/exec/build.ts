// An order as the body to send: long prices, whole intents, no authentication. The venue's own reads would require a key, so everything comes
// from the
// catalog, and the data half must write it there:
//
//   market.marketId                         the bare slug
//   outcome.outcomeId                       `{slug}:long` (YES, the side whose `long` is true) or `{slug}:short`
//   market.tickSize                         orderPriceMinTickSize
//   market.sourceMetadata.minimumTradeQty   number or decimal string: the smallest quantity, and its step where below 1
//   market.sourceMetadata.feeCoefficient    number or decimal string, or absent when the venue does not report it
import { z } from 'zod'
import { compareDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, ResolvedOutcome } from '../../lane.ts'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { curveFee } from '../../shared/exec/fees.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { Amount } from '../../shared/selector.ts'
import { Slug } from '../wire.ts'
import { boundsOf, type OrderArtifact } from './artifact.ts'

export const OrderBody = z
  .strictObject(
    {
      /** The bare slug. */
      marketId: Slug,
      outcomeId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*:(long|short)$/, 'must be {slug}:long or {slug}:short'),
      side: z.enum(['buy', 'sell']),
      /** `market` is an immediate-or-cancel limit at `price`: the worst price the caller accepts. */
      type: z.enum(['limit', 'market']),
      /** Contracts. */
      amount: Amount,
      /** Dollars of the named outcome, even if that is the short side. */
      price: Amount,
    },
    { error: credentialAtBuild },
  )
  .refine(({ marketId, outcomeId }) => outcomeId.slice(0, outcomeId.lastIndexOf(':')) === marketId, {
    path: ['outcomeId'],
    message: 'names another market than marketId',
  })
  .meta({
    examples: [{ marketId: 'demo-a', outcomeId: 'demo-a:short', side: 'buy', type: 'limit', amount: 3, price: 0.83 }],
  })
type OrderBody = z.infer<typeof OrderBody>

export interface Facts {
  slug: string
  outcomeId: string
  side: 'YES' | 'NO'
  /** Decimal strings. */
  tick: string
  minimumQuantity: string
  feeCoefficient: string | null
}

export async function gatherFacts({ catalog }: LaneContext, { marketId, outcomeId }: OrderBody): Promise<Facts> {
  const facts = readCatalogFacts(await catalog.outcome(outcomeId, marketId))
  if (facts.slug === marketId && facts.outcomeId === outcomeId) return facts
  throw new Fault('CATALOG_UNAVAILABLE', 'the catalog resolved another outcome than requested', {
    exchange: 'polymarket_us',
    detail: `${outcomeId} became ${facts.outcomeId}`,
  })
}

const DecimalText = z
  .union([z.number().nonnegative(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,9}(\.\d{1,9})?$/))
const Metadata = z.object({ minimumTradeQty: DecimalText, feeCoefficient: DecimalText.nullish() })

export function readCatalogFacts({ market, outcome: { outcomeId }, side }: ResolvedOutcome): Facts {
  checkTakesOrders('marketId', market)
  const slug = readFact('polymarket_us', market, Slug, market.marketId)
  const metadata = readFact('polymarket_us', market, Metadata, market.sourceMetadata)
  const tick = readFact('polymarket_us', market, TickSize, market.tickSize)
  const expected = `${slug}:${side === 'YES' ? 'long' : 'short'}`
  if (outcomeId !== expected) {
    throw incomplete('polymarket_us', slug, `outcome ${outcomeId} where ${expected} was expected`)
  }
  const { minimumTradeQty: minimumQuantity, feeCoefficient = null } = metadata
  return { slug, outcomeId, side, tick, minimumQuantity, feeCoefficient }
}

const intents = {
  buy: { YES: 'ORDER_INTENT_BUY_LONG', NO: 'ORDER_INTENT_BUY_SHORT' },
  sell: { YES: 'ORDER_INTENT_SELL_LONG', NO: 'ORDER_INTENT_SELL_SHORT' },
} as const

export function build({ randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { slug, side, outcomeId, tick, feeCoefficient } = facts
  const price = readPrice(body.price, facts)
  const size = readQuantity(body.amount, facts)
  const unsigned = {
    marketSlug: slug,
    intent: intents[body.side][side],
    type: 'ORDER_TYPE_LIMIT',
    // The wire always names the long side’s price.
    price: { value: side === 'YES' ? price : subtractDecimals('1', price), currency: 'USD' },
    quantity: Number(size),
    tif: body.type === 'limit' ? 'TIME_IN_FORCE_GOOD_TILL_CANCEL' : 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
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
