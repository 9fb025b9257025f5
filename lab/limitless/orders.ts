// Order entry of the lab's limitless: the checks of `POST /orders`. The venue identifies an order by its own id, the chain by its EIP-712 hash.
import { type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import { z } from 'zod'
import { ctfOrderTypes } from '../ctfOrder.ts'
import { ASK, BID } from '../engine/book.ts'
import type { RejectReason, SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { stableUuid } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { LimitlessAuth, LimitlessProfile } from './auth.ts'
import type { LimitlessListing, LimitlessMarket } from './marketGenerator.ts'
import { refused } from './reads.ts'
import { exchange } from './rows.ts'

const chainId = 8453
const zeroAddress = '0x0000000000000000000000000000000000000000'
/** A tenth of a cent. */
const stepMicros = 1_000
/** Shares are counted in thousandths at that step. */
const sharesStep = 1_000n
const one = 1_000_000n
/** The lab's book counts hundredths. */
const unitsPerHundredth = 10_000n

const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as Hex)

const PostOrder = z.strictObject({
  order: z.strictObject({
    salt: z.int().positive(),
    maker: Address,
    signer: Address,
    taker: Address,
    tokenId: z.string().regex(/^\d{1,78}$/),
    makerAmount: z.int().positive(),
    takerAmount: z.int().positive(),
    expiration: z.literal('0'),
    nonce: z.literal(0),
    feeRateBps: z.int().nonnegative(),
    side: z.union([z.literal(0), z.literal(1)]),
    signatureType: z.literal(0),
    price: z.number().gt(0).lt(1),
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/)
      .transform((text) => text as Hex),
  }),
  orderType: z.enum(['GTC', 'FAK']),
  marketSlug: z.string(),
  ownerId: z.int(),
  clientOrderId: z.string().max(128).optional(),
  postOnly: z.boolean().optional(),
  stpPolicy: z.enum(['cancel_taker', 'cancel_maker', 'cancel_both']).optional(),
})
type Posted = z.infer<typeof PostOrder>

const preventions = { cancel_taker: 'ends-taker', cancel_maker: 'ends-maker', cancel_both: 'ends-both' } as const

const bad = (message: string): LabReply => refused(400, message)

export interface LimitlessOrderDetails {
  hash: Hex
  posted: Posted
  /** The order names YES. */
  isYes: boolean
}
export const detailsOf = (order: SimulatedOrder): LimitlessOrderDetails =>
  order.details as unknown as LimitlessOrderDetails

/** `settled`: orders by the hash the chain uses. */
export function orderRoutes(
  { engine, faults, isKnown }: VenueCore,
  { listing, auth, settled }: { listing: LimitlessListing; auth: LimitlessAuth; settled: Map<Hex, SimulatedOrder> },
): LabRoute[] {
  const { orderManager } = engine

  async function place(request: LabRequest): Promise<LabReply> {
    const profile = auth.admit(request)
    if ('status' in profile) return profile
    const parsed = PostOrder.safeParse(request.body)
    if (!parsed.success)
      return { status: 400, body: { statusCode: 400, message: issuesOf(parsed.error), error: 'Bad Request' } }
    const posted = parsed.data
    const market = listing.byName.get(posted.marketSlug)
    if (market === undefined || market.pool !== null || !isKnown(market.key)) return bad('Market does not take orders')
    if (posted.orderType === 'FAK' && posted.postOnly === true) return bad('postOnly is not supported for FAK')
    const wrong = profileRefusal(posted, profile) ?? feeRefusal(posted, profile, market) ?? amountRefusal(posted)
    if (wrong !== null) return wrong
    const { order } = posted
    const isYes = order.tokenId === market.tokens.yes
    if (!isYes && order.tokenId !== market.tokens.no) return bad('tokenId is not of this market')
    const hash = hashOf(posted)
    const signer = await recoverAddress({ hash, signature: order.signature }).catch(() => null)
    if (signer === null || !isAddressEqual(signer, order.signer)) return bad('Invalid signature')
    return take(posted, { profile, market, hash, isYes })
  }

  function take(
    posted: Posted,
    { profile, market, hash, isYes }: { profile: LimitlessProfile; market: LimitlessMarket; hash: Hex; isYes: boolean },
  ): LabReply {
    const { order, clientOrderId } = posted
    const priceMicros = Math.round(order.price * 1_000_000)
    const shares = BigInt(order.side === 0 ? order.takerAmount : order.makerAmount)
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: bad('Insufficient collateral allowance'),
      place() {
        const details: LimitlessOrderDetails = { hash, posted, isYes }
        const placed = orderManager.place(engine.market(market.key)!, {
          account: profile.account,
          // Buying one token is selling the other at one minus the price.
          side: (order.side === 0) === isYes ? BID : ASK,
          priceMicros: isYes ? priceMicros : 1_000_000 - priceMicros,
          hundredths: Number(shares / unitsPerHundredth),
          clientId: clientOrderId ?? null,
          life: posted.orderType === 'FAK' ? 'ioc' : 'gtc',
          postOnly: posted.postOnly,
          selfTrade: posted.stpPolicy === undefined ? null : preventions[posted.stpPolicy],
          details: { ...details },
        })
        if (typeof placed === 'string') return { orders: [], reply: rejectionReply(placed) }
        settled.set(hash, placed)
        return { orders: [placed], reply: { status: 201, body: placedBody(placed) } }
      },
    })
  }

  function cancel(request: LabRequest): LabReply {
    const profile = auth.admit(request)
    if ('status' in profile) return profile
    const named = z.strictObject({ clientOrderId: z.string() }).safeParse(request.body)
    if (!named.success) return bad('Exactly one of orderId and clientOrderId is needed')
    const order = orderManager.findByClientId(profile.account, named.data.clientOrderId)
    if (order === null) return refused(404, 'Order not found')
    return orderManager.cancel(order)
      ? ok({ message: 'Order canceled successfully' })
      : bad('Order not found or already canceled')
  }

  return [
    { method: 'POST', path: '/orders', handle: place },
    { method: 'POST', path: '/orders/cancel', handle: cancel },
    { method: 'GET', path: '/profiles/:account', handle: (request) => auth.show(request) },
  ]
}

const issuesOf = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.') || 'body'} ${message}`)

function profileRefusal({ order, ownerId }: Posted, { id, account }: LimitlessProfile): LabReply | null {
  if (ownerId !== id) return bad('ownerId is not the id of your profile')
  if (order.maker.toLowerCase() !== account) return bad('maker is not the account of your profile')
  if (!isAddressEqual(order.maker, order.signer)) return bad('signer must be the maker for signature type 0')
  if (order.taker !== zeroAddress) return bad('taker must be the zero address')
  return null
}

/** Where takers pay in USDC, orders carry no rate. */
function feeRefusal({ order }: Posted, profile: LimitlessProfile, { feeModule }: LimitlessMarket): LabReply | null {
  const due = feeModule === null ? profile.feeRateBps : 0
  return order.feeRateBps === due ? null : bad(`FEE_RATE_MISMATCH: feeRateBps must be ${due}`)
}

/** Null: cash is the shares' cost at the price, rounded up for the payer and down for the receiver. */
function amountRefusal({ order }: Posted): LabReply | null {
  const micros = BigInt(Math.round(order.price * 1_000_000))
  if (micros % BigInt(stepMicros) !== 0n) return bad(`Price ${order.price} is not tick-aligned`)
  const [cash, shares] = [order.makerAmount, order.takerAmount].map(BigInt) as [bigint, bigint]
  const isBuy = order.side === 0
  const [paid, counted] = isBuy ? [cash, shares] : [shares, cash]
  if (counted % sharesStep !== 0n) return bad('Size must produce contracts divisible by 1000')
  if (counted % unitsPerHundredth !== 0n) return bad('the lab has books of hundredths')
  const product = counted * micros
  const due = isBuy ? (product + one - 1n) / one : product / one
  return paid === due ? null : bad('Amounts do not match the price')
}

const hashOf = ({ order }: Posted): Hex =>
  hashTypedData({
    domain: { name: 'Limitless CTF Exchange', version: '1', chainId, verifyingContract: exchange },
    types: ctfOrderTypes,
    primaryType: 'Order',
    message: {
      ...order,
      salt: BigInt(order.salt),
      tokenId: BigInt(order.tokenId),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
      expiration: 0n,
      nonce: 0n,
      feeRateBps: BigInt(order.feeRateBps),
    },
  })

const idOf = ({ ordinal }: SimulatedOrder): string => stableUuid(`limitless/order/${ordinal}`)

function placedBody(order: SimulatedOrder) {
  const { posted } = detailsOf(order)
  const gross = order.filledHundredths * Number(unitsPerHundredth)
  return {
    order: {
      ...posted.order,
      id: idOf(order),
      createdAt: new Date(order.createdAtMs).toISOString(),
      orderType: posted.orderType,
      clientOrderId: posted.clientOrderId ?? null,
    },
    makerMatches: order.fills.map(matchOf),
    execution: {
      matched: gross > 0,
      settlementStatus: gross > 0 ? 'MATCHED' : 'UNMATCHED',
      feeRateBps: posted.order.feeRateBps,
      effectiveFeeBps: 0,
      totalsRaw: totalsOf(order),
    },
  }
}

/** In millionths, which is what the venue's integers count. The lab charges nothing. */
function totalsOf({ fills, filledHundredths }: SimulatedOrder) {
  const contracts = String(filledHundredths * Number(unitsPerHundredth))
  const usd = String(fills.reduce((sum, { priceMicros, hundredths }) => sum + (priceMicros * hundredths) / 100, 0))
  const none = '0'
  return {
    contractsGross: contracts,
    contractsFee: none,
    contractsNet: contracts,
    usdGross: usd,
    usdFee: none,
    usdNet: usd,
  }
}

const matchOf = ({ id, hundredths }: SimulatedFill) => ({
  id: stableUuid(`limitless/match/${id}`),
  matchedSize: String(hundredths * 10_000),
  orderId: stableUuid(`limitless/flow/${id}`),
})

const sentences: Record<Exclude<RejectReason, 'duplicate_client_id'>, string> = {
  market_closed: 'Market is not open for trading',
  off_grid: 'Price is not tick-aligned',
  no_size: 'Invalid size',
  would_cross: 'Post-only order would match immediately',
  not_filled: 'Order could not be filled',
}
const rejectionReply = (reason: RejectReason): LabReply =>
  reason === 'duplicate_client_id'
    ? { status: 409, body: { statusCode: 409, message: 'clientOrderId is already used', error: 'Conflict' } }
    : bad(sentences[reason])
