// An order as unsigned typed data for the exchange of its market's payment token.
import { compareDecimals } from '#core/decimal'
import type { Built, LaneContext } from '../../lane.ts'
import { decimalOf } from '../../shared/exec/amounts.ts'
import { type CtfMessage, openTaker, saltOf } from '../../shared/exec/ctfOrder.ts'
import { checkEchoed, contradicts } from '../../shared/exec/serverBuiltOrder.ts'
import { moneyAtRisk } from '../../shared/exposure.ts'
import { type Amounts, amountsOf } from './amounts.ts'
import { boundsOf } from './artifact.ts'
import type { OrderBody } from './body.ts'
import type { Facts } from './facts.ts'
import { order, orderHash } from './typedData.ts'
import type { VenueBuiltOrder } from './verifyServerOrder.ts'

const regionWarning =
  'opinion does not serve every region: hosted submit may be refused where it goes out; the signed order can be sent from elsewhere'

/** The value of any other token is unknown. */
const usdt = '0x55d398326f99059ff775485246999027b3197955'

export function build(context: LaneContext, body: OrderBody, facts: Facts): Built {
  const { marketId, outcomeId, side, quoteToken, exchange, tick, decimals } = facts
  const { isBuy, owner, buildResult } = body
  const amounts = amountsOf({ ...body, tick, decimals })
  const { message, size } =
    buildResult === undefined ? fresh(context, body, facts, amounts) : kept(context, body, facts, amounts)
  const unsigned = {
    ...order.unsigned(message, exchange),
    post: {
      topicId: Number(marketId),
      currencyAddress: quoteToken,
      price: amounts.price,
      ...(body.postOnly && { postOnly: true as const }),
    },
  }
  const terms = { marketId, outcomeId, outcomeSide: side, isBuy, price: amounts.price, size }
  const isUsdt = quoteToken.toLowerCase() === usdt
  const token = facts.symbol ?? (isUsdt ? 'USDT' : null)
  return {
    unsigned,
    terms,
    // A seller gives shares, which must exist or the exchange refuses.
    notionalUsd: isUsdt ? moneyAtRisk({ ...terms, closesOnly: !isBuy }) : null,
    // A market's rate and the applicable floor are unpublished.
    feeEstimate: null,
    ...(token !== null && { currency: token }),
    bounds: { ...boundsOf(unsigned), tick },
    // The venue takes no client order id: refresh looks for an unacknowledged order by its terms.
    clientRef: `search:${context.randomUuid()}`,
    warnings: [regionWarning],
    owner,
    ...(buildResult && { buildResult: buildResult.given }),
  }
}

interface Ordered {
  message: CtfMessage
  /** Decimal string of shares. */
  size: string
}

const fresh = (
  { randomBytes }: LaneContext,
  { owner, safeAddress, isBuy, signatureType }: OrderBody,
  { tokenId }: Facts,
  { makerAmount, takerAmount, size }: Amounts,
): Ordered => ({
  size,
  message: {
    salt: saltOf(randomBytes(32)),
    maker: safeAddress ?? owner,
    signer: owner,
    taker: openTaker,
    tokenId,
    makerAmount,
    takerAmount,
    expiration: '0',
    nonce: '0',
    feeRateBps: '0',
    side: isBuy ? 0 : 1,
    signatureType,
  },
})

/** Built by the venue's own client, which does not truncate, so its amounts may differ at the same price. */
function kept({ clock }: LaneContext, body: OrderBody, facts: Facts, { price }: Amounts): Ordered {
  const { owner, safeAddress, isBuy, signatureType, size } = body
  const { read } = body.buildResult as VenueBuiltOrder
  const message = read.order
  const wanted = {
    maker: safeAddress ?? owner,
    signer: owner,
    tokenId: facts.tokenId,
    side: isBuy ? (0 as const) : (1 as const),
    signatureType,
    feeRateBps: '0',
    price,
    size: decimalOf('size', size),
    decimals: facts.decimals,
    nowMs: clock.now(),
  }
  const own = checkEchoed(message, wanted)
  checkEchoedFields(read, message, facts, price)
  return { message, size: own }
}

/** Optional fields that the client returns in addition to the order. */
function checkEchoedFields(read: VenueBuiltOrder['read'], message: CtfMessage, facts: Facts, price: string): void {
  const { exchange, quoteToken, decimals, marketId } = facts
  const { domain, typedData, structHash, exchangeAddress, currencyAddress, currencyDecimal } = read
  for (const named of [domain?.verifyingContract, typedData?.domain.verifyingContract, exchangeAddress]) {
    if ((named ?? exchange) !== exchange) throw contradicts('exchange')
  }
  if ((currencyAddress ?? quoteToken) !== quoteToken) throw contradicts('currencyAddress')
  if ((currencyDecimal ?? decimals) !== decimals) throw contradicts('currencyDecimal')
  if (String(read.marketId ?? marketId) !== marketId) throw contradicts('marketId')
  if (read.price !== undefined && compareDecimals(decimalOf('buildResult', read.price), price) !== 0) {
    throw contradicts('price')
  }
  const hash = orderHash(message, exchange)
  if ((structHash ?? hash).toLowerCase() !== hash) throw contradicts('structHash')
  if (typedData !== undefined && orderHash(typedData.message, exchange) !== hash) throw contradicts('typedData')
}
