// An order as the body that goes out: long prices, whole intents, no auth.
import type { Built, LaneContext } from '../../lane.ts'
import { moneyAtRisk } from '../../shared/moneyAtRisk.ts'
import { readPrice, readQuantity, wirePrice } from './amounts.ts'
import type { OrderArtifact } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { feeEstimate } from './fees.ts'

const intents = {
  buy: { YES: 'ORDER_INTENT_BUY_LONG', NO: 'ORDER_INTENT_BUY_SHORT' },
  sell: { YES: 'ORDER_INTENT_SELL_LONG', NO: 'ORDER_INTENT_SELL_SHORT' },
} as const

export function build({ randomUuid }: LaneContext, body: OrderBody, { catalog }: Facts): Built {
  const { slug, side, outcomeId } = catalog
  const price = readPrice(body.price, catalog)
  const size = readQuantity(body.amount, catalog)
  const unsigned = {
    marketSlug: slug,
    intent: intents[body.side][side],
    type: 'ORDER_TYPE_LIMIT',
    price: { value: wirePrice(price, side), currency: 'USD' },
    quantity: Number(size),
    tif: body.type === 'limit' ? 'TIME_IN_FORCE_GOOD_TILL_CANCEL' : 'TIME_IN_FORCE_IMMEDIATE_OR_CANCEL',
    manualOrderIndicator: 'MANUAL_ORDER_INDICATOR_AUTOMATIC',
  } as const satisfies OrderArtifact
  return {
    unsigned,
    terms: { marketId: slug, outcomeId, outcomeSide: side, isBuy: body.side === 'buy', price, size },
    // Nowhere said that the venue refuses to sell what is not held.
    notionalUsd: moneyAtRisk({ isBuy: body.side === 'buy', price, size, closesOnly: false }),
    feeEstimate: feeEstimate(catalog.feeCoefficient, size, price),
    bounds: {
      kind: 'order',
      marketSlug: slug,
      intent: unsigned.intent,
      price: unsigned.price.value,
      quantity: size,
      tif: unsigned.tif,
      tick: catalog.tick,
    },
    // The venue knows no client order id. This names the search for a lost order (findLost.ts), not the order.
    clientRef: `search:${randomUuid()}`,
    warnings: [],
    owner: null,
  }
}
