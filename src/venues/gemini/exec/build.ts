// An order as the payload to send, except for the nonce, which is set on sending. It reads from the catalog, so the data half must write
// there:
//
//   market                                    one contract of an event; its outcomes are YES and NO of the same instrument
//   market.sourceMetadata.instrumentSymbol    the venue's own, never rebuilt from tickers
//   market.tickSize                           its price step
//   market.sourceMetadata.priceMinimum, quantityIncrement, quantityMinimum    its own limits, if it states any
import { z } from 'zod'
import { compareDecimals, multiplyDecimals, readDecimal, subtractDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext, ResolvedOutcome } from '../../lane.ts'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkBetween, checkStep, decimalOf } from '../../shared/exec/amounts.ts'
import { checkTakesOrders, incomplete, readFact, TickSize } from '../../shared/exec/catalogFacts.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { Amount, isSingleOutcome, resolveSelector, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { feeFormula, feeRates } from '../fees.ts'
import { boundsOf, InstrumentSymbol, type OrderArtifact } from './artifact.ts'
import { paths } from './wire.ts'

/** Limit orders only: there is no `type`. */
export const OrderBody = z
  .strictObject({ ...selectorShape, isBuy: z.boolean(), price: Amount, size: Amount }, { error: credentialAtBuild })
  .refine(isSingleOutcome, selectorMessage)
  .meta({ examples: [{ outcome: 'GEMI-TESTEV26-AAA', outcomeSide: 'YES', isBuy: true, price: '0.20', size: 10 }] })
type OrderBody = z.infer<typeof OrderBody>

export interface Facts {
  marketId: string
  outcomeId: string
  symbol: string
  side: 'YES' | 'NO'
  /** Decimal strings. */
  tick: string
  priceMinimum: string
  quantityStep: string
  quantityMinimum: string
}

export const loadMarketFacts = async ({ catalog }: LaneContext, body: OrderBody): Promise<Facts> =>
  readCatalogFacts(await resolveSelector(catalog, body))

const Limit = z.string().refine((text) => readDecimal(text) !== null)
const Metadata = z.object({
  instrumentSymbol: InstrumentSymbol,
  priceMinimum: Limit.optional(),
  quantityIncrement: Limit.optional(),
  quantityMinimum: Limit.optional(),
})

export function readCatalogFacts({ market, outcome, side }: ResolvedOutcome): Facts {
  const { marketId, outcomes } = market
  checkTakesOrders('outcome', market)
  const { instrumentSymbol, ...limits } = readFact('gemini', market, Metadata, market.sourceMetadata)
  const tick = readFact('gemini', market, TickSize, market.tickSize)
  if (outcomes.length !== 2) {
    throw incomplete('gemini', marketId, `${outcomes.length} outcomes where a contract has YES and NO`)
  }
  return {
    marketId,
    outcomeId: outcome.outcomeId,
    symbol: instrumentSymbol,
    side,
    tick,
    priceMinimum: limits.priceMinimum ?? '0.01',
    quantityStep: limits.quantityIncrement ?? '1',
    quantityMinimum: limits.quantityMinimum ?? limits.quantityIncrement ?? '1',
  }
}

export function build({ randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, symbol, side: outcomeSide, tick } = facts
  const { isBuy } = body
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
    timeInForce: 'good-til-cancel',
    clientOrderId: randomUuid(),
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
