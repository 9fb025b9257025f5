// Order entry of the lab's pred: place, cancel, and the open orders of a parent, which are the only source on an order.
import { type Hex, recoverTypedDataAddress } from 'viem'
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { RejectReason, SimulatedOrder } from '../engine/orderManager.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { stableUuid } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { chainId, type PredAuth, refused, type Session } from './auth.ts'
import type { PredChild, PredListing, PredParent } from './marketGenerator.ts'

/** Maximum deviation of an order's time from the venue's, seconds. */
const skewMaxSeconds = 15
const quantityMin = 5

const Hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const Decimal = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)

const PlaceOrder = z.object({
  salt: z.string().regex(/^02\d{10}$/),
  market_id: Hash,
  side: z.enum(['long', 'short']),
  price: Decimal,
  quantity: Decimal,
  amount: Decimal.optional(),
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
  type: z.enum(['limit', 'market', 'ioc']).default('limit'),
  timestamp: z.int(),
  expiration: z.int().nonnegative().default(0),
  reduce_only: z.boolean().default(false),
  fee_rate_bps: z.literal(0).default(0),
  is_low_priority: z.boolean().default(false),
})
type Wanted = z.infer<typeof PlaceOrder>

const CancelOrder = z.object({ order_id: z.string(), market_id: Hash })

/** The order of the members is part of what is signed. */
const orderTypes = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'price', type: 'uint256' },
    { name: 'quantity', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'questionId', type: 'bytes32' },
    { name: 'feeRateBps', type: 'uint256' },
    { name: 'intent', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
  ],
} as const

const bad = (code: string, message: string): LabReply => refused(400, code, message)
const illiquid = refused(422, 'INSUFFICIENT_LIQUIDITY', 'The order could not be matched against enough liquidity')

interface OrderDetails {
  child: PredChild
  side: Wanted['side']
}
const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

export function orderRoutes(
  { engine, faults, isKnown, nowMs }: VenueCore,
  listing: PredListing,
  auth: PredAuth,
): LabRoute[] {
  const { orderManager } = engine
  /** By account and salt: a repeated salt gets the first answer, and places nothing. */
  const answers = new Map<string, LabReply>()

  const route = (
    method: LabRoute['method'],
    path: string,
    handle: (request: LabRequest, session: Session, parent: PredParent) => LabReply | Promise<LabReply>,
  ): LabRoute => ({
    method,
    path: `/api/v1/order/:parent/${path}`,
    handle(request) {
      const session = auth.admit(request.headers)
      if ('status' in session) return session
      const parent = listing.byParent.get(request.params.parent!)
      return parent === undefined ? bad('UNKNOWN_PARENT', 'Unknown parent market') : handle(request, session, parent)
    },
  })

  async function place({ body }: LabRequest, session: Session, parent: PredParent): Promise<LabReply> {
    const parsed = PlaceOrder.safeParse(body)
    if (!parsed.success) return bad('BAD_REQUEST', z.prettifyError(parsed.error))
    const wanted = parsed.data
    const known = `${session.proxy} ${wanted.salt}`
    const cached = answers.get(known)
    if (cached !== undefined) return cached
    const child = parent.children.find(({ id }) => id === wanted.market_id)
    if (child === undefined || !isKnown(child.key)) return bad('UNKNOWN_MARKET', 'Unknown market of this parent')
    const wrong = amountRefusal(wanted) ?? timeRefusal(wanted, nowMs())
    if (wrong !== null) return wrong
    if (!(await isSigned(wanted, session, parent))) return bad('INVALID_SIGNATURE', 'The signature is not the signer’s')
    const again = answers.get(known)
    if (again !== undefined) return again
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: illiquid,
      place() {
        const placed = orderManager.place(engine.market(child.key)!, {
          account: session.proxy,
          side: wanted.side === 'long' ? BID : ASK,
          priceMicros: Math.round(Number(wanted.price) * 10_000),
          hundredths: Math.round(Number(wanted.quantity) * 100),
          clientId: wanted.salt,
          life: wanted.type === 'limit' ? 'gtc' : 'ioc',
          details: { child, side: wanted.side } satisfies OrderDetails as unknown as Record<string, unknown>,
        })
        if (typeof placed === 'string') return { orders: [], reply: rejectionReply(placed) }
        const reply = { status: 202, body: { status: placedWord(placed), order_id: orderIdOf(placed), message: '' } }
        answers.set(known, reply)
        return { orders: [placed], reply }
      },
    })
  }

  const isListed = (order: SimulatedOrder, parent: PredParent): boolean => detailsOf(order).child.parent === parent

  function cancel({ body }: LabRequest, { proxy }: Session, parent: PredParent): LabReply {
    const parsed = CancelOrder.safeParse(body)
    if (!parsed.success) return bad('BAD_REQUEST', z.prettifyError(parsed.error))
    const { order_id, market_id } = parsed.data
    const order = orderManager
      .ordersOf(proxy)
      .find((each) => orderIdOf(each) === order_id && isListed(each, parent) && detailsOf(each).child.id === market_id)
    if (order === undefined || !orderManager.cancel(order)) return refused(404, 'ORDER_NOT_FOUND', 'Order not found')
    return ok({ status: 'user_cancelled', order_id, message: '', success: true })
  }

  const openOrders = (_request: LabRequest, { proxy }: Session, parent: PredParent): LabReply =>
    ok({
      orders: (faults().hides('orders') ? [] : orderManager.ordersOf(proxy))
        .filter((order) => order.status === 'open' && isListed(order, parent))
        .map(openRow),
    })

  return [
    { method: 'POST', path: '/api/v1/auth/login-with-signature', handle: (request) => auth.login(request) },
    route('POST', 'place', place),
    route('DELETE', 'cancel', cancel),
    route('GET', 'open-orders', openOrders),
  ]
}

/** The venue fills in the rest of what was signed itself. */
async function isSigned(wanted: Wanted, { wallet, proxy }: Session, { contract }: PredParent): Promise<boolean> {
  const signer = await recoverTypedDataAddress({
    domain: { name: 'Pred CTF Exchange', version: '1', chainId, verifyingContract: contract as Hex },
    types: orderTypes,
    primaryType: 'Order',
    message: {
      salt: BigInt(wanted.salt),
      maker: proxy,
      signer: wallet,
      taker: `0x${'0'.repeat(40)}`,
      price: BigInt(Math.round(Number(wanted.price) * 10_000)),
      quantity: BigInt(Math.round(Number(wanted.quantity) * 1e6)),
      expiration: BigInt(wanted.expiration),
      nonce: 0n,
      questionId: wanted.market_id as Hex,
      feeRateBps: 0n,
      intent: wanted.side === 'long' ? 0 : 1,
      signatureType: 2,
    },
    signature: wanted.signature as Hex,
  }).catch(() => null)
  return signer === wallet
}

/** Null: the numbers are acceptable to the venue. */
function amountRefusal({ price, quantity }: Wanted): LabReply | null {
  if (!(Number(price) > 0 && Number(price) < 100)) return bad('INVALID_PRICE', 'price must lie between 0 and 100')
  if (Number(quantity) < quantityMin) return bad('INVALID_QUANTITY', `quantity must be at least ${quantityMin}`)
  return /^\d+(\.\d)?$/.test(quantity) ? null : bad('INVALID_QUANTITY', 'quantity has more than one decimal')
}

function timeRefusal({ timestamp, expiration }: Wanted, nowMs: number): LabReply | null {
  if (Math.abs(timestamp - nowMs / 1_000) > skewMaxSeconds) return bad('INVALID_TIMESTAMP', 'timestamp is out of range')
  return expiration === 0 || expiration > timestamp ? null : bad('INVALID_EXPIRATION', 'expiration has passed')
}

const placedWord = ({ status, filledHundredths }: SimulatedOrder): string =>
  status === 'filled' ? 'matched' : filledHundredths > 0 ? 'partial_matched' : 'open_order'

const orderIdOf = ({ ordinal }: SimulatedOrder): string => stableUuid(`pred/order/${ordinal}`)

function openRow(order: SimulatedOrder) {
  const { child, side } = detailsOf(order)
  return {
    order_id: orderIdOf(order),
    market_id: child.id,
    market_name: child.catalog.label,
    parent_market_id: child.parent.id,
    side,
    price: String(order.priceMicros / 10_000),
    quantity: String(order.hundredths / 100),
    remaining_quantity: String((order.hundredths - order.filledHundredths) / 100),
  }
}

function rejectionReply(reason: RejectReason): LabReply {
  if (reason === 'market_closed') return bad('MARKET_NOT_ACTIVE', 'The market is not active')
  if (reason === 'off_grid') return bad('INVALID_PRICE', 'price is not a multiple of the tick size')
  return reason === 'no_size' ? bad('INVALID_QUANTITY', 'Invalid quantity') : illiquid
}
