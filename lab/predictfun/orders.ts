// Order entry of the lab's predictfun: `POST /v1/orders` and its checks, removals, and the wallet's own orders. An order is identified by its
// EIP-712 hash, as at the venue.
import { type Hex, hashTypedData, isAddressEqual } from 'viem'
import { z } from 'zod'
import { ctfOrderTypes } from '../ctfOrder.ts'
import { ASK, BID } from '../engine/book.ts'
import { faultFor, type RejectReason, type SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, outcomePositions } from '../engine/positions.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { decodeCursor, encodeCursor } from '../pagination.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { chainId, type PredictAuth, refused } from './auth.ts'
import type { PredictListing, PredictMarket } from './marketGenerator.ts'

/** Of markets that bear no yield: the lab has no others. */
const exchanges = {
  plain: '0x8BC070BEdAB741406F4B1Eb65A72bee27894B689',
  negRisk: '0x365fb81bd4A24D6303cd2F19c349dE6894D8d58A',
} as const

/** Orders above this cost are refused, dollars; so are those below the minimum. */
const allowanceDollars = 1_000_000
const valueMinDollars = 0.9
const unit = 10n ** 18n

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Digits = z.union([z.string().regex(/^\d{1,78}$/), z.int().nonnegative()]).transform(String)

const CreateOrder = z.strictObject({
  data: z.strictObject({
    order: z.strictObject({
      salt: Digits,
      maker: Address,
      signer: Address,
      taker: Address,
      tokenId: Digits,
      makerAmount: Digits,
      takerAmount: Digits,
      expiration: Digits,
      nonce: Digits,
      feeRateBps: Digits,
      side: z.union([z.literal(0), z.literal(1)]),
      signatureType: z.literal(0),
      signature: z.string().regex(/^0x[0-9a-fA-F]{2,400}$/),
      hash: z.string(),
    }),
    pricePerShare: Digits,
    strategy: z.enum(['LIMIT', 'MARKET']),
    slippageBps: Digits.optional(),
    isFillOrKill: z.boolean().optional(),
    isPostOnly: z.boolean().optional(),
    selfTradePrevention: z.enum(['CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH']).optional(),
  }),
})
export type Posted = z.infer<typeof CreateOrder>['data']

interface OrderDetails {
  hash: Hex
  market: PredictMarket
  posted: Posted
}
const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

const preventions = { CANCEL_TAKER: 'ends-taker', CANCEL_MAKER: 'ends-maker', CANCEL_BOTH: 'ends-both' } as const

const bad = (error: string, message: string): LabReply => refused(400, error, message)
const poor = bad(
  'create_order_insufficient_collateral_allowance',
  'Insufficient collateral: USDT allowance is less than the total bid amount.',
)
const statusWords = { open: 'OPEN', filled: 'FILLED', canceled: 'CANCELLED', expired: 'EXPIRED' } as const

export function orderRoutes(
  { engine, faults, isKnown, nowMs }: VenueCore,
  listing: PredictListing,
  auth: PredictAuth,
): LabRoute[] {
  const { orderManager } = engine
  const byToken = new Map(
    listing.markets.flatMap((market) =>
      market.tokens.map((name, n) => [name, { market, side: n === 0 ? 0 : 1 }] as const),
    ),
  )

  const route = (
    method: 'GET' | 'POST',
    path: string,
    handle: (request: LabRequest, wallet: Hex) => LabReply | Promise<LabReply>,
  ): LabRoute => ({
    method,
    path: `/v1${path}`,
    handle(request) {
      const admitted = auth.admit(request)
      return typeof admitted === 'string' ? handle(request, admitted) : admitted
    },
  })

  async function create({ body }: LabRequest, wallet: Hex): Promise<LabReply> {
    const parsed = CreateOrder.safeParse(body)
    if (!parsed.success) return bad('bad_request', z.prettifyError(parsed.error))
    const posted = parsed.data.data
    const { order } = posted
    const found = byToken.get(order.tokenId)
    if (found === undefined || !isKnown(found.market.key)) return refused(404, 'not_found', 'market not found')
    const hash = hashOf(posted, found.market)
    if (order.hash.toLowerCase() !== hash) return bad('create_order_hash_mismatch', 'order hash mismatch')
    const isOwn = isAddressEqual(order.maker as Hex, wallet) && isAddressEqual(order.signer as Hex, wallet)
    if (!isOwn || !(await auth.isSignedBy(wallet, hash, order.signature as Hex)))
      return bad('create_order_invalid_signature', 'invalid signature')
    const wrong = amountRefusal(posted, nowMs())
    if (wrong !== null) return wrong
    if (orderManager.findByClientId(wallet, hash) !== null) return bad('create_order_duplicate', 'order exists')
    const buys = order.side === 0
    const micros = Number(BigInt(posted.pricePerShare) / 10n ** 12n)
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: poor,
      place() {
        const placed = orderManager.place(engine.market(found.market.key)!, {
          account: wallet,
          // One book: buying the other outcome is selling this one at one minus the price.
          side: buys === (found.side === 0) ? BID : ASK,
          priceMicros: found.side === 0 ? micros : 1_000_000 - micros,
          hundredths: Number(sharesOf(posted) / 10n ** 16n),
          clientId: hash,
          life: posted.isFillOrKill === true ? 'fok' : posted.strategy === 'MARKET' ? 'ioc' : 'gtc',
          ...(posted.isPostOnly !== undefined && { postOnly: posted.isPostOnly }),
          selfTrade: posted.selfTradePrevention === undefined ? null : preventions[posted.selfTradePrevention],
          details: { hash, market: found.market, posted } satisfies OrderDetails,
        })
        if (typeof placed === 'string') return { orders: [], reply: bad(...sentences[placed]) }
        const data = { code: 'OK', orderId: String(placed.ordinal), orderHash: hash, removalLockedUntil: null }
        return { orders: [placed], reply: { status: 201, body: { success: true, data } } }
      },
    })
  }

  /** Expiry is noticed on reads. */
  const expire = (order: SimulatedOrder): SimulatedOrder => {
    if (Number(detailsOf(order).posted.order.expiration) * 1_000 <= nowMs()) orderManager.expire(order)
    return order
  }
  const own = (wallet: Hex): SimulatedOrder[] =>
    faults().hides('orders') ? [] : orderManager.ordersOf(wallet).map(expire)

  return [
    route('POST', '/orders', create),
    route('POST', '/orders/remove-by-hash', ({ body }, wallet) => {
      const { data } = (body ?? {}) as { data?: { hashes?: unknown } }
      const hashes = Array.isArray(data?.hashes) ? data.hashes.map(String) : []
      const removed = hashes.filter((hash) => {
        const order = orderManager.findByClientId(wallet, hash)
        return order !== null && orderManager.cancel(order)
      })
      return ok({ success: true, removed, noop: hashes.filter((hash) => !removed.includes(hash)), rejected: [] })
    }),
    route('GET', '/orders', ({ query }, wallet) => {
      const status = query.get('status') ?? 'OPEN'
      if (status !== 'OPEN' && status !== 'FILLED') return bad('bad_request', 'status must be OPEN or FILLED')
      const rows = own(wallet).map(orderRow)
      return ok({ success: true, cursor: null, data: rows.filter((row) => row.status === status).reverse() })
    }),
    route('GET', '/positions', ({ query }, wallet) => {
      const [first, start] = [Number(query.get('first') ?? 20), decodeCursor(query.get('after'))]
      if (start === null || !(first >= 1 && first <= 100)) return bad('bad_request', 'first must be from 1 to 100')
      const held = outcomePositions(orderManager.ordersOf(wallet), isFirst)
      const next = start + first
      return ok({
        success: true,
        cursor: next < held.length ? encodeCursor(next) : null,
        data: held.slice(start, next).map(positionRow),
      })
    }),
    route('GET', '/orders/:hash', ({ params }, wallet) => {
      const order = own(wallet).find((each) => detailsOf(each).hash === params.hash!.toLowerCase())
      return order === undefined
        ? refused(404, 'not_found', 'order not found')
        : ok({ success: true, data: orderRow(order) })
    }),
  ]
}

const sharesOf = ({ order }: Posted): bigint => BigInt(order.side === 0 ? order.takerAmount : order.makerAmount)

/** Null: both legs match the named price and are within the venue's limits. */
function amountRefusal(posted: Posted, nowMs: number): LabReply | null {
  const { order, pricePerShare } = posted
  const price = BigInt(pricePerShare)
  if (price <= 0n || price >= unit)
    return bad('create_order_price_out_of_range', 'price per share must be between 0 and 1')
  const cash = BigInt(order.side === 0 ? order.makerAmount : order.takerAmount)
  if (cash * unit !== sharesOf(posted) * price)
    return bad('bad_request', 'maker and taker amount must agree with the price')
  if (Number(order.expiration) * 1_000 <= nowMs) return bad('bad_request', 'the order has expired')
  const dollars = Number(cash) / 1e18
  if (dollars < valueMinDollars)
    return bad('create_order_min_order_value_not_met', `order must have a value of at least ${valueMinDollars} USD`)
  return order.side === 0 && dollars > allowanceDollars ? poor : null
}

const sentences: Record<RejectReason, readonly [string, string]> = {
  market_closed: ['create_order_market_not_trading', 'market is not currently trading'],
  off_grid: ['create_order_price_out_of_range', 'price per share must be on the market’s step'],
  no_size: ['bad_request', 'the order has no size'],
  would_cross: ['create_order_would_take', 'the order would take liquidity'],
  not_filled: ['create_order_not_filled', 'the order could not be filled whole'],
  duplicate_client_id: ['create_order_duplicate', 'order exists'],
}

/** What the signature is over. */
function hashOf({ order }: Posted, { category }: PredictMarket): Hex {
  return hashTypedData({
    domain: {
      name: 'predict.fun CTF Exchange',
      version: '1',
      chainId,
      verifyingContract: category.catalog.exclusive ? exchanges.negRisk : exchanges.plain,
    },
    types: ctfOrderTypes,
    primaryType: 'Order',
    message: {
      salt: BigInt(order.salt),
      maker: order.maker as Hex,
      signer: order.signer as Hex,
      taker: order.taker as Hex,
      tokenId: BigInt(order.tokenId),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
      expiration: BigInt(order.expiration),
      nonce: BigInt(order.nonce),
      feeRateBps: BigInt(order.feeRateBps),
      side: order.side,
      signatureType: order.signatureType,
    },
  })
}

/** An order filled to the order manager's last hundredth counts as fully filled. */
function orderRow(order: SimulatedOrder) {
  const { market, posted, hash } = detailsOf(order)
  const amount = sharesOf(posted)
  const filled = order.status === 'filled' ? amount : BigInt(order.filledHundredths) * 10n ** 16n
  return {
    id: String(order.ordinal),
    marketId: market.id,
    status: statusWords[faultFor(order)],
    strategy: posted.strategy,
    currency: 'USDT',
    amount: String(amount),
    amountFilled: String(filled),
    isNegRisk: market.category.catalog.exclusive,
    isYieldBearing: false,
    rewardEarningRate: 0,
    order: { ...posted.order, hash, expiration: Number(posted.order.expiration) },
  }
}

const isFirst = (order: SimulatedOrder): boolean => {
  const { market, posted } = detailsOf(order)
  return posted.order.tokenId === market.tokens[0]
}

function positionRow({ order, isYes, hundredths, averageMicros }: LabPosition) {
  const { market } = detailsOf(order)
  return {
    id: `${market.id}:${isYes ? 1 : 2}`,
    amount: String(BigInt(hundredths) * 10n ** 16n),
    averageBuyPriceUsd: (averageMicros / 1_000_000).toFixed(2),
    market: { id: Number(market.id), status: 'REGISTERED', tradingStatus: 'OPEN' },
    outcome: { indexSet: isYes ? 1 : 2, onChainId: market.tokens[isYes ? 0 : 1], status: null },
  }
}
