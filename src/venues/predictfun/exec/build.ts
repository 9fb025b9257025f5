// An order as unsigned typed data for the exchange of its kind of market, and for a smart wallet what its owner signs in its place.
import type { JsonObject } from '#schemas/executions'
import type { Built, LaneContext } from '../../lane.ts'
import { decimalOf } from '../../shared/exec/amounts.ts'
import { type CtfMessage, openTaker } from '../../shared/exec/ctfOrder.ts'
import { checkExpiry } from '../../shared/exec/orderOptions.ts'
import { checkEchoed, contradicts } from '../../shared/exec/serverBuiltOrder.ts'
import type { Hex } from '../../shared/exec/typedOrder.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { type Amounts, amountsOf, decimals, priceUnits } from './amounts.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { exchanges, kernelDigest, kindOf, order, orderHash } from './typedData.ts'
import type { EchoedBuild } from './verifyServerOrder.ts'

/** The official client's date for an order that does not expire: 1 January 2100. */
const neverExpires = '4102444800'
/** For a price without a known step, so that all its digits are bound. */
const finest = '0.000001'

export function build(context: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, side, tick } = facts
  const { isBuy, owner, predictAccount, buildResult, postOnly, selfTradePrevention } = body
  checkExpiry(body.expiresAt, context.clock)
  const exchange = exchanges[kindOf(facts)]
  const amounts = amountsOf({ ...body, tick })
  const { message, size } =
    buildResult === undefined ? fresh(context, body, facts, amounts) : kept(context, body, facts, amounts)
  const hash = orderHash(message, exchange)
  const unsigned: JsonObject = {
    ...order.unsigned(message, exchange),
    post: {
      pricePerShare: priceUnits(amounts.price),
      strategy: 'LIMIT',
      ...(postOnly && { isPostOnly: true as const }),
      ...(selfTradePrevention && { selfTradePrevention: preventions[selfTradePrevention] }),
    },
    ...(predictAccount && { kernel: { owner, digest: kernelDigest(predictAccount, hash) } }),
  }
  const terms = { marketId, outcomeId, outcomeSide: side, isBuy, price: amounts.price, size }
  return {
    unsigned,
    terms,
    // A seller gives shares, which must exist or the exchange refuses.
    notionalUsd: moneyAtRisk({ ...terms, closesOnly: !isBuy }),
    // The formula is documented; its rounding and the trader's own discount are not.
    feeEstimate: null,
    bounds: { ...boundsOf(unsigned), tick: tick ?? finest },
    clientRef: hash,
    warnings: [],
    owner,
    ...(buildResult && { buildResult: buildResult.given }),
  }
}

const preventions = {
  'cancel-taker': 'CANCEL_TAKER',
  'cancel-maker': 'CANCEL_MAKER',
  'cancel-both': 'CANCEL_BOTH',
} as const

interface Ordered {
  message: CtfMessage
  /** Decimal string of shares. */
  size: string
}

const fresh = ({ randomBytes }: LaneContext, body: OrderBody, facts: Facts, amounts: Amounts): Ordered => ({
  size: amounts.size,
  message: {
    salt: saltOf(randomBytes(5)),
    ...sidesOf(body, facts),
    taker: openTaker,
    makerAmount: amounts.makerAmount,
    takerAmount: amounts.takerAmount,
    expiration: body.expiresAt === 0 ? neverExpires : String(body.expiresAt),
    nonce: '0',
    signatureType: 0,
  },
})

/** Forty random bits: the venue's clients write from 31 to 41. */
const saltOf = (bytes: Uint8Array): string => String(Buffer.from(bytes).readUIntBE(0, 5))

/** A smart wallet is also the signer: by its validator. */
function sidesOf({ owner, predictAccount, isBuy }: OrderBody, { tokenId, feeRateBps }: Facts) {
  const wallet: Hex = predictAccount ?? owner
  return { maker: wallet, signer: wallet, tokenId, feeRateBps, side: isBuy ? (0 as const) : (1 as const) }
}

/** Built by the official client. */
function kept({ clock }: LaneContext, body: OrderBody, facts: Facts, { price }: Amounts): Ordered {
  const { read } = body.buildResult as EchoedBuild
  const message = read.order
  const wanted = { price, size: decimalOf('size', body.size), decimals, nowMs: clock.now() }
  const size = checkEchoed(message, { ...sidesOf(body, facts), signatureType: 0, ...wanted })
  const exchange = exchanges[kindOf(facts)]
  const hash = orderHash(message, exchange)
  const { typedData, pricePerShare } = read
  if ((read.hash ?? hash).toLowerCase() !== hash) throw contradicts('hash')
  if ((typedData?.domain.verifyingContract ?? exchange) !== exchange) throw contradicts('exchange')
  if (typedData !== undefined && orderHash(typedData.message, exchange) !== hash) throw contradicts('typedData')
  if ((pricePerShare ?? priceUnits(price)) !== priceUnits(price)) throw contradicts('price')
  return { message, size }
}
