// Order entry of the lab's order books: place, cancel and read an order by its hash, and the calls that redeem. No key is needed.
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import { faultFor, type RejectReason, type SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, outcomePositions } from '../engine/positions.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { hashOf, isSignedBy, Signature, SignedOrder } from './auth.ts'
import type { MyriadListing } from './marketGenerator.ts'
import { refused } from './reads.ts'

const micro = 1_000_000
const weiPerMicro = 10n ** 12n
const weiPerHundredth = 10n ** 16n
const pageMax = 100
const pageUsual = 20

const PlaceOrder = z.strictObject({
  order: SignedOrder,
  signature: Signature,
  network_id: z.literal(56).default(56),
  time_in_force: z.enum(['GTC', 'GTD', 'FOK', 'FAK']).default('GTC'),
})
type Placed = z.infer<typeof PlaceOrder>
const CancelOrder = z.strictObject({ order: SignedOrder, signature: Signature, network_id: z.literal(56).default(56) })
const Redeem = z.strictObject({ market_id: z.int(), network_id: z.literal(56).default(56) })

const lives = { GTC: 'gtc', GTD: 'gtc', FOK: 'fok', FAK: 'ioc' } as const

interface OrderDetails extends Record<string, unknown> {
  hash: Hex
  placed: Placed
  /** Null: good till cancelled. */
  expiresMs: number | null
}
const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as OrderDetails

const invalid = (details?: unknown): LabReply => ({
  status: 400,
  body: { error: 'Invalid order payload', ...(details !== undefined && { details }) },
})
const noOrder = refused(404, 'Order not found')
const noMarket = refused(404, 'Market not found')

export function orderRoutes({ engine, faults, isKnown, nowMs }: VenueCore, listing: MyriadListing): LabRoute[] {
  const { orderManager } = engine
  const taken = new Map<string, SimulatedOrder>()

  /** Expiry is noticed on reads. */
  function byHash(hash: string): SimulatedOrder | null {
    const order = taken.get(hash)
    if (order === undefined || orderManager.find(order.ordinal) === null) return null
    const { expiresMs } = detailsOf(order)
    if (expiresMs !== null && expiresMs <= nowMs()) orderManager.expire(order)
    return order
  }

  async function place({ body }: LabRequest): Promise<LabReply> {
    const parsed = PlaceOrder.safeParse(body)
    if (!parsed.success) return invalid(parsed.error.issues)
    const placed = parsed.data
    const { order, signature, time_in_force: life } = placed
    const expiresMs = order.expiration === '0' ? null : Number(order.expiration) * 1_000
    if ((life === 'GTD') !== (expiresMs !== null)) return invalid('expiration')
    if (expiresMs !== null && expiresMs <= nowMs()) return refused(400, 'Order expired')
    const market = listing.byName.get(`56:ob:${order.marketId}`)
    if (market === undefined || !isKnown(market.key)) return noMarket
    const hash = hashOf(order)
    if (!(await isSignedBy(hash, signature, order.trader))) return refused(400, 'Invalid signature')
    const [amount, price] = [BigInt(order.amount), BigInt(order.price)]
    if (amount === 0n || price === 0n || price > 10n ** 18n) return invalid('amount, price')
    if (amount % weiPerHundredth !== 0n || price % weiPerMicro !== 0n) return invalid('amount, price')
    if (byHash(hash) !== null) return refused(409, 'Order already exists')
    const micros = Number(price / weiPerMicro)
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: refused(400, 'Insufficient collateral balance or allowance'),
      place() {
        const rests = orderManager.place(engine.market(market.key)!, {
          account: order.trader.toLowerCase(),
          // There is one book: an order of outcome 1 is matched with its mint or merge counterpart.
          side: (order.side === 0) === (order.outcomeId === 0) ? BID : ASK,
          priceMicros: order.outcomeId === 0 ? micros : micro - micros,
          hundredths: Number(amount / weiPerHundredth),
          clientId: hash,
          life: lives[life],
          details: { hash, placed, expiresMs } satisfies OrderDetails,
        })
        if (typeof rests === 'string') return { orders: [], reply: refusal(rests) }
        taken.set(hash, rests)
        return { orders: [rests], reply: ok({ orderHash: hash, status: 'open', timeInForce: life }) }
      },
    })
  }

  async function cancel({ params, body }: LabRequest): Promise<LabReply> {
    const parsed = CancelOrder.safeParse(body)
    if (!parsed.success) return invalid(parsed.error.issues)
    const { order, signature } = parsed.data
    const hash = hashOf(order)
    if (hash !== params.hash) return refused(400, 'Order hash mismatch')
    if (!(await isSignedBy(hash, signature, order.trader))) return refused(400, 'Invalid signature')
    const open = byHash(hash)
    if (open === null) return noOrder
    if (!orderManager.cancel(open)) return refused(400, `Order already ${statusOf(open)}`)
    return ok({ orderHash: hash, status: 'cancelled' })
  }

  const redeem =
    (functionName: 'redeemPositions' | 'redeemVoided') =>
    ({ body }: LabRequest): LabReply => {
      const parsed = Redeem.safeParse(body)
      if (!parsed.success) return refused(400, 'Invalid request')
      const market = listing.byName.get(`56:ob:${parsed.data.market_id}`)
      if (market === undefined) return noMarket
      const calldata = encodeFunctionData({ abi, functionName, args: [BigInt(parsed.data.market_id)] })
      return ok({ to: conditionalTokens, calldata, value: '0' })
    }

  return [
    { method: 'POST', path: '/orders', handle: place },
    {
      method: 'GET',
      path: '/orders',
      handle({ query }) {
        const [trader, status] = [query.get('trader')?.toLowerCase(), query.get('status')]
        const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
        if (trader === undefined || !(page >= 1) || !(limit >= 1) || limit > pageMax)
          return refused(400, 'Invalid query')
        const rows = (faults().hides('orders') ? [] : orderManager.ordersOf(trader))
          .map((order) => orderRow(byHash(detailsOf(order).hash)!))
          .filter((row) => (status ?? row.status) === row.status)
          .reverse()
        const [total, totalPages] = [rows.length, Math.ceil(rows.length / limit)]
        const data = rows.slice((page - 1) * limit, page * limit)
        return ok({
          data,
          pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 },
        })
      },
    },
    {
      method: 'GET',
      path: '/users/:address/portfolio',
      handle({ params, query }) {
        const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? pageUsual)]
        if (!(page >= 1) || !(limit >= 1) || limit > pageMax) return refused(400, 'Invalid query')
        // Of the order books; the pools keep no accounts here.
        const held = outcomePositions(
          orderManager.ordersOf(params.address!.toLowerCase()),
          (order) => detailsOf(order).placed.order.outcomeId === 0,
        )
        const [total, totalPages] = [held.length, Math.ceil(held.length / limit)]
        const data = held.slice((page - 1) * limit, page * limit).map(portfolioRow)
        return ok({
          data,
          pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 },
        })
      },
    },
    {
      method: 'GET',
      path: '/orders/:hash',
      handle({ params }) {
        const order = faults().hides('orders') ? null : byHash(params.hash!)
        return order === null ? noOrder : ok(orderRow(order))
      },
    },
    { method: 'DELETE', path: '/orders/:hash', handle: cancel },
    { method: 'POST', path: '/positions/redeem', handle: redeem('redeemPositions') },
    { method: 'POST', path: '/positions/redeem-voided', handle: redeem('redeemVoided') },
  ]
}

const conditionalTokens = '0x6413734f92248D4B29ae35883290BD93212654Dc'
const abi = parseAbi(['function redeemPositions(uint256 marketId)', 'function redeemVoided(uint256 marketId)'])

const sentences: Record<RejectReason, LabReply> = {
  market_closed: refused(400, 'Market is not open'),
  off_grid: invalid('price'),
  no_size: invalid('amount'),
  would_cross: invalid(),
  not_filled: refused(400, 'Order could not be filled'),
  duplicate_client_id: refused(409, 'Order already exists'),
}
const refusal = (reason: RejectReason): LabReply => sentences[reason]

const words = { open: 'open', filled: 'filled', canceled: 'cancelled', expired: 'expired' } as const
/** A partial fill is open. */
const statusOf = (order: SimulatedOrder) => words[faultFor(order)]

const iso = (ms: number): string => new Date(ms).toISOString()

/** The market as a number, where the request had text. */
function orderRow(order: SimulatedOrder) {
  const { hash, placed } = detailsOf(order)
  const status = statusOf(order)
  const over = (word: typeof status): string | null => (status === word ? iso(order.updatedAtMs) : null)
  return {
    orderHash: hash,
    clientOrderId: null,
    order: { ...placed.order, marketId: Number(placed.order.marketId) },
    status,
    signatureType: 0,
    filledAmount: (BigInt(order.filledHundredths) * weiPerHundredth).toString(),
    timeInForce: placed.time_in_force,
    networkId: placed.network_id,
    createdAt: iso(order.createdAtMs),
    updatedAt: iso(order.updatedAtMs),
    cancelledAt: over('cancelled'),
    filledAt: over('filled'),
  }
}

function portfolioRow({ order, isYes, hundredths, averageMicros }: LabPosition) {
  const [shares, price] = [hundredths / 100, averageMicros / micro]
  return {
    marketId: Number(detailsOf(order).placed.order.marketId),
    outcomeId: isYes ? 0 : 1,
    networkId: 56,
    shares,
    price,
    value: shares * price,
    profit: 0,
    status: 'ongoing',
    executionMode: 1,
  }
}
