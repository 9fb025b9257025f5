// An order as unsigned typed data for the exchange its token belongs to.
import {
  compareDecimals,
  fromUnits,
  isOnStep,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
  toUnits,
} from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, checkBetween, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { curveFee } from '../../shared/exec/fees.ts'
import { clobWords } from '../../shared/exec/orderOptions.ts'
import { makerTakerAmounts } from '../../shared/exec/typedOrder.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import { signRequest } from './depositWallet.ts'
import type { CatalogFacts, Facts } from './facts.ts'
import {
  domainOf,
  type Exchange,
  exchanges,
  type Hex,
  type OrderMessage,
  order,
  orderHash,
  zeroBytes32,
} from './typedData.ts'

/** An expiry nearer than this is refused. */
const expiryAheadMs = 180_000

const regionWarning =
  'polymarket does not serve every region: hosted submit may be refused where it goes out; the signed order can be sent from elsewhere'

export function build({ clock, randomBytes }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { catalog, tick, fee, sizeMin } = facts
  const { price, size, makerAmount, takerAmount } = amountsOf(body.isBuy, body.price, body.size, tick)
  if (sizeMin !== null && compareDecimals(size, sizeMin) < 0) {
    throw new Fault('VALIDATION_ERROR', `size: polymarket takes ${sizeMin} shares at least here`)
  }
  const orderType = clobWords[body.timeInForce]
  if (body.isBuy && (orderType === 'FOK' || orderType === 'FAK')) checkWholeCents(price, size)
  if (body.expiresAt !== 0 && body.expiresAt * 1_000 <= clock.now() + expiryAheadMs) {
    throw new Fault(
      'VALIDATION_ERROR',
      'expiresAt: must be more than three minutes ahead: polymarket refuses nearer ones, and ends an order a minute before',
    )
  }
  const exchange = exchangeFor(catalog)
  const message: OrderMessage = {
    salt: saltOf(randomBytes(8)),
    maker: body.funder ?? body.owner,
    signer: body.signatureType === 3 ? body.funder! : body.owner,
    tokenId: catalog.tokenId,
    makerAmount,
    takerAmount,
    side: body.isBuy ? 0 : 1,
    signatureType: body.signatureType,
    timestamp: String(clock.now()),
    metadata: body.metadata,
    builder: body.builder,
  }
  const { marketId, tokenId, side, conditionId } = catalog
  const terms = { marketId, outcomeId: tokenId, outcomeSide: side, isBuy: body.isBuy, price, size }
  const unsigned = {
    ...(body.signatureType === 3 ? signRequest(message, exchange) : order.unsigned(message, domainOf(exchange))),
    post: { orderType, expiration: String(body.expiresAt), ...(body.postOnly && { postOnly: true as const }) },
  }
  return {
    unsigned,
    terms,
    // A seller gives shares, which must exist or the exchange refuses.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: !body.isBuy }),
    feeEstimate: feeEstimate(fee, price, size, body.builder),
    bounds: { ...boundsOf(unsigned), conditionId, tick },
    clientRef: orderHash(message, exchange),
    warnings: [regionWarning],
    owner: body.owner,
  }
}

const cent = '0.01'

/**
 * The venue takes whole cents from a buyer whose order never rests. Its client rounds the money to cents and derives the shares from it, which can
 * make the price worse than the caller's; a size that costs whole cents is left as it is.
 */
function checkWholeCents(price: string, size: string): void {
  if (isOnStep(multiplyDecimals(price, size), cent)) return
  throw invalid(
    'size',
    `at ${price} a purchase that never rests must be a multiple of ${wholeCentsStep(price)} shares: it costs whole cents`,
  )
}

/** The smallest size, in hundredths of a share, that costs whole cents. */
function wholeCentsStep(price: string): string {
  const decimals = price.split('.')[1]?.length ?? 0
  const scale = 10n ** BigInt(decimals)
  return fromUnits(scale / commonDivisor(toUnits(price, decimals), scale), 2)
}

const commonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : commonDivisor(b, a % b))

/** By the market, not by the venue: both protocols trade side by side. */
const exchangeFor = ({ protocol, negRisk }: CatalogFacts): Exchange =>
  protocol === 'v2' ? exchanges.v3 : negRisk ? exchanges.negRisk : exchanges.normal

/** 53 random bits: posted as a JSON number. */
const saltOf = (bytes: Uint8Array): string => (Buffer.from(bytes).readBigUInt64BE(0) >> 11n).toString()

/** pUSD and outcome tokens alike. Cash is never rounded: it fits on every known tick. */
const baseUnits = { decimals: 6, rounding: 'down' } as const
/** Beyond it the venue's own client loses digits. */
const sizeMax = '1000000000'

/** Decimal strings; given and taken amounts in base units. */
interface Amounts {
  price: string
  size: string
  makerAmount: string
  takerAmount: string
}

export function amountsOf(
  isBuy: boolean,
  givenPrice: number | string,
  givenSize: number | string,
  tick: string,
): Amounts {
  const price = readPrice(givenPrice, tick)
  const size = readSize(givenSize)
  const cash = multiplyDecimals(price, size)
  return { price, size, ...makerTakerAmounts({ isBuy, shares: size, cash }, baseUnits) }
}

function readPrice(given: number | string, tick: string): string {
  const price = decimalOf('price', given)
  checkBetween('price', price, tick, subtractDecimals('1', tick))
  checkStep('price', price, tick, `must be a multiple of the market's tick ${tick}`)
  return price
}

/** Truncated like the venue's client does. */
function readSize(given: number | string): string {
  const requestedSize = decimalOf('size', given)
  checkAtMost('size', requestedSize, sizeMax)
  const size = roundDecimal(requestedSize, 2, 'down')
  if (compareDecimals(size, '0') <= 0) throw invalid('size', 'is zero after rounding down to two decimals')
  return size
}

const exponentMax = 8

/**
 * The venue's own fee, truncated to five decimals of pUSD; makers pay nothing. A builder code adds its builder's fee, which is not in the
 * market's curve: the estimate then states that it excludes it. Null when the fee is unknown, or the exponent is not a small integer, which
 * exact arithmetic requires.
 * https://docs.polymarket.com/trading/fees
 */
export function feeEstimate(
  fee: Facts['fee'],
  price: string,
  size: string,
  builder: Hex = zeroBytes32,
): JsonObject | null {
  if (fee === 'unknown') return null
  const lacks: JsonObject = builder === zeroBytes32 ? {} : { excludes: ['builder fee'] }
  if (fee === null) return { model: 'none', currency: 'pUSD', maker: '0', taker: '0', ...lacks }
  const { rate, exponent } = fee
  if (!Number.isInteger(exponent) || exponent > exponentMax) return null
  return {
    model: 'shares × rate × (p × (1 − p))^exponent',
    currency: 'pUSD',
    rate,
    exponent,
    maker: '0',
    taker: curveFee({ size, price, rate, exponent }, { places: 5, rounding: 'down' }),
    ...lacks,
  }
}
