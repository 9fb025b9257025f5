// An order as unsigned typed data for its market's contract: open to any taker, without expiry.
import { compareDecimals, multiplyDecimals } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { checkAtMost, checkProbability, checkStep, decimalOf, invalid } from '../../shared/exec/amounts.ts'
import { makerTakerAmounts } from '../../shared/exec/typedOrder.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { paysFeeInCollateral } from '../fees.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { order, publicTaker } from './typedData.ts'

export function build({ randomBytes, randomUuid }: LaneContext, body: OrderBody, facts: Facts): Built {
  const { isBuy, owner, timeInForce, postOnly, clientOrderId = randomUuid(), selfTradePrevention } = body
  const { slug, outcomeId, side, tokenId, exchange, tick, feesEnabled, feeModule } = facts
  const collateralFee = feesEnabled !== false && paysFeeInCollateral(facts.feeModuleType)
  const { price, size, makerAmount, takerAmount } = amountsOf(isBuy, body.price, body.size, tick)
  const message = {
    salt: saltOf(randomBytes(8)),
    maker: owner,
    signer: owner,
    taker: publicTaker,
    tokenId,
    makerAmount,
    takerAmount,
    expiration: '0',
    nonce: '0',
    // The venue refuses any other there.
    feeRateBps: paysFeeInCollateral(facts.feeModuleType) ? '0' : String(body.feeRateBps),
    side: isBuy ? 0 : 1,
    signatureType: 0,
  } as const
  const unsigned = {
    ...order.unsigned(message, exchange),
    post: {
      price,
      ownerId: body.ownerId,
      orderType: timeInForce === 'good-til-cancel' ? 'GTC' : 'FAK',
      marketSlug: slug,
      clientOrderId,
      ...(postOnly && { postOnly: true as const }),
      ...(selfTradePrevention && { stpPolicy: policies[selfTradePrevention] }),
    },
  }
  const terms = { marketId: slug, outcomeId, outcomeSide: side, isBuy, price, size }
  return {
    unsigned,
    terms,
    // A seller gives shares, which must exist or the exchange refuses.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: !isBuy }),
    feeEstimate: feesEnabled === false ? noFee : null,
    bounds: {
      ...boundsOf(unsigned),
      tick,
      feeFree: feesEnabled === false || paysFeeInCollateral(facts.feeModuleType),
    },
    clientRef: order.hash(message, exchange),
    warnings: collateralFee ? [feeModuleWarning(feeModule)] : [],
    owner,
  }
}

const policies = {
  'cancel-taker': 'cancel_taker',
  'cancel-maker': 'cancel_maker',
  'cancel-both': 'cancel_both',
} as const

const feeModuleWarning = (feeModule: string | null | undefined): string =>
  `if it matches at once, this market charges its fee in USDC on top, through its fee module ${feeModule ?? '(not shown)'}: the venue refuses the order unless the owner has approved USDC to that contract`

/** Elsewhere takers pay by a table without a formula between its points. */
const noFee: JsonObject = { model: 'none', currency: 'USDC', maker: '0', taker: '0' }

/** 53 random bits: posted as a JSON number. */
const saltOf = (bytes: Uint8Array): string => (Buffer.from(bytes).readBigUInt64BE(0) >> 11n).toString()

/** Beyond it a JSON number loses digits. */
const sizeMax = '1000000000'
/** USDC and outcome tokens alike. Cash is never rounded: a thousandth of a share at a thousandth is one unit. */
const baseUnits = { decimals: 6, rounding: 'down' } as const
const sizeStep = '0.001'

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
  const price = decimalOf('price', givenPrice)
  checkProbability('price', price)
  checkStep('price', price, tick)
  const size = decimalOf('size', givenSize)
  if (compareDecimals(size, '0') <= 0) throw invalid('size', 'must be above zero')
  checkAtMost('size', size, sizeMax)
  checkStep('size', size, sizeStep)
  return { price, size, ...makerTakerAmounts({ isBuy, shares: size, cash: multiplyDecimals(price, size) }, baseUnits) }
}
