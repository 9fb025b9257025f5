// An order as unsigned typed data: good till cancelled, open to any taker, paid by the owner's vault. The venue recommends no expiry, since
// settlement comes after the match. https://docs.adipredictstreet.com/concepts/trading/placing-orders
import { compareDecimals, fromUnits, isOnStep, multiplyDecimals } from '#core/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { makerTakerAmounts } from '../../shared/exec/typedOrder.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { anyTaker, domainOf, exchanges, order } from './typedData.ts'

export function build({ randomBytes, randomUuid, settings }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { isBuy, owner, vault } = body
  const { marketId, outcomeId, side, symbol, index, tokenId, negRisk } = facts
  const { price, size, makerAmount, takerAmount } = amountsOf(isBuy, body.price, body.size)
  const message = {
    salt: BigInt(`0x${Buffer.from(randomBytes(32)).toString('hex')}`).toString(),
    maker: vault,
    signer: owner,
    taker: anyTaker,
    tokenId,
    makerAmount,
    takerAmount,
    expiration: '0',
    feeRateBps: '0',
    side: isBuy ? 0 : 1,
    signatureType: 1,
  } as const
  const domain = domainOf(settings.DOMAIN_VERSION!, negRisk ? exchanges.negRisk : exchanges.binary)
  const clientOrderId = randomUuid()
  const unsigned = {
    ...order.unsigned(message, domain),
    post: { marketId: symbol, outcome: String(index), price, quantity: size, clientOrderId },
  }
  return {
    unsigned,
    terms: { marketId, outcomeId, outcomeSide: side, isBuy, price, size },
    // A seller gives shares, which must exist or the exchange refuses.
    notionalUsd: isBuy ? fromUnits(BigInt(makerAmount), decimals) : '0',
    feeEstimate: null,
    bounds: boundsOf(unsigned),
    clientRef: clientOrderId,
    warnings: [],
    owner,
  }
}

/** USDC and outcome tokens alike. */
const decimals = 6
const unit = '0.000001'
const sizeMax = '1000000000'

/** Decimal strings; given and taken amounts in base units. */
interface Amounts {
  price: string
  size: string
  makerAmount: string
  takerAmount: string
}

/**
 * Nothing is rounded. The venue wants a buyer's payment rounded up, which would exceed the request; its rounding for sellers is undocumented.
 */
export function amountsOf(isBuy: boolean, givenPrice: number | string, givenSize: number | string): Amounts {
  const price = decimalOf('price', givenPrice)
  checkProbability('price', price)
  checkStep('price', price, unit, 'must have six decimals at most')
  const size = decimalOf('size', givenSize)
  if (compareDecimals(size, '0') <= 0) throw invalid('size', 'must be above zero')
  checkAtMost('size', size, sizeMax)
  checkStep('size', size, unit, 'must have six decimals at most')
  const cash = multiplyDecimals(price, size)
  if (!isOnStep(cash, unit)) throw invalid('size', 'times the price must have six decimals at most')
  return { price, size, ...makerTakerAmounts({ isBuy, shares: size, cash }, { decimals, rounding: 'up' }) }
}
