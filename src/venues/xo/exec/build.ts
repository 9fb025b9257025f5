// An order as unsigned typed data for the exchange configured by the operator. Nothing is rounded: cash or shares beyond the collateral's decimals
// are refused. Ticks are undocumented, so none is checked.
import { compareDecimals, fromUnits, isOnStep, multiplyDecimals } from '#core/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { makerTakerAmounts } from '../../shared/exec/typedOrder.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { boundsOf, type OrderMessage } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { orderFor, zeroBytes32 } from './typedData.ts'

export function build({ clock, randomBytes, settings }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, side: outcomeSide, tokenId } = facts
  const { isBuy, owner, signatureType } = body
  const { price, size, ...amounts } = amountsOf(body, Number(settings.COLLATERAL_DECIMALS))
  const message: OrderMessage = {
    salt: Buffer.from(randomBytes(8)).readBigUInt64BE(0).toString(),
    maker: owner,
    signer: owner,
    tokenId,
    ...amounts,
    side: isBuy ? 0 : 1,
    signatureType,
    timestamp: String(clock.now()),
    metadata: zeroBytes32,
    builder: zeroBytes32,
  }
  const { DOMAIN_NAME, DOMAIN_VERSION, CHAIN_ID } = settings
  const order = orderFor({ name: DOMAIN_NAME!, version: DOMAIN_VERSION!, chainId: Number(CHAIN_ID) })
  const exchange = Address.parse(settings.EXCHANGE)
  const unsigned = order.unsigned(message, exchange)
  const terms = { marketId, outcomeId, outcomeSide, isBuy, price, size }
  return {
    unsigned,
    terms,
    // No documentation says that the venue refuses to sell what is not held.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: false }),
    feeEstimate: null,
    bounds: boundsOf(unsigned),
    clientRef: order.hash(message, exchange),
    warnings: [],
    owner,
  }
}

/** Undocumented. */
const sizeMax = '1000000000'

/** Decimal strings, and the same in base units. */
export function amountsOf(
  { isBuy, price: givenPrice, size: givenSize }: Pick<OrderBody, 'isBuy' | 'price' | 'size'>,
  decimals: number,
): { price: string; size: string; makerAmount: string; takerAmount: string } {
  const price = decimalOf('price', givenPrice)
  checkProbability('price', price)
  const size = decimalOf('size', givenSize)
  checkAtMost('size', size, sizeMax)
  const unit = fromUnits(1n, decimals)
  if (compareDecimals(size, '0') <= 0) throw invalid('size', 'must be above zero')
  checkStep('size', size, unit, `has more than the ${decimals} decimals of the collateral`)
  const cash = multiplyDecimals(price, size)
  if (!isOnStep(cash, unit))
    throw invalid('price', `times size has more than the ${decimals} decimals of the collateral`)
  return { price, size, ...makerTakerAmounts({ isBuy, shares: size, cash }, { decimals, rounding: 'down' }) }
}
