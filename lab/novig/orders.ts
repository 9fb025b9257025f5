// Order entry of the lab's novig: tokens, placing, and the two histories that are the only source on an order. Every order is a purchase.
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { RejectReason, SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { stableUuid } from '../prng.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { NovigAuth } from './auth.ts'
import type { NovigListing } from './marketGenerator.ts'

const historyMax = 256
const historyUsual = 100
/** A more expensive order is refused, CASH. */
const balanceCash = 1_000_000

const PlaceOrder = z.object({
  outcomeId: z.uuid(),
  price: z.number().gt(0).lt(1),
  qty: z.int().positive(),
  currency: z.enum(['CASH', 'COIN']),
  tif: z.enum(['GTC', 'GTT', 'IOC', 'FOK', 'PO']),
  ttl: z.int().positive().optional(),
  flags: z.string().max(8).optional(),
})

/** As in the sample of the documentation: every thousandth. */
const ticks = Array.from({ length: 999 }, (_, index) => (index + 1) / 1_000)

interface OrderDetails {
  outcomeId: string
  marketId: string
  flags: string | null
}
const detailsOf = ({ details }: SimulatedOrder): OrderDetails => details as unknown as OrderDetails

const lives = { GTC: 'gtc', GTT: 'gtc', PO: 'gtc', IOC: 'ioc', FOK: 'fok' } as const
const statusWords = { open: 'RESTING', filled: 'FILLED', canceled: 'CANCELLED' } as const

const refusal = (status: number, message: string, error: string): LabReply => ({
  status,
  body: { statusCode: status, message, error },
})
const bad = (message: string): LabReply => refusal(400, message, 'Bad Request')
const unauthorized = refusal(401, 'Unauthorized', 'Unauthorized')
const insufficient = bad('insufficient balance')
const sentences: Record<RejectReason, string> = {
  market_closed: 'the market is closed',
  off_grid: 'the price is not on the grid',
  no_size: 'qty must be positive',
  would_cross: 'the order would take',
  not_filled: 'the order could not be filled whole',
  duplicate_client_id: 'an order of these flags is there',
}

export function orderRoutes(
  { engine, faults, isKnown }: VenueCore,
  listing: NovigListing,
  auth: NovigAuth,
): LabRoute[] {
  const { orderManager } = engine

  const admitted =
    (handle: (account: string, request: LabRequest) => LabReply) =>
    (request: LabRequest): LabReply => {
      const account = auth.admit(request.headers)
      return account === null ? unauthorized : handle(account, request)
    }

  function place(account: string, { body }: LabRequest): LabReply {
    const parsed = PlaceOrder.safeParse(body)
    if (!parsed.success) return bad(z.prettifyError(parsed.error))
    const { outcomeId, price, qty, tif, flags = null } = parsed.data
    const market = listing.byOutcome.get(outcomeId)
    if (market === undefined || !isKnown(market.key)) return bad('no such outcome')
    if ((price * qty) / 100 > balanceCash) return insufficient
    const micros = Math.round(price * 1_000_000)
    const isFirst = market.outcomes[0] === outcomeId
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: insufficient,
      place() {
        const details = { outcomeId, marketId: market.id, flags } satisfies OrderDetails
        const placed = orderManager.place(engine.market(market.key)!, {
          account,
          // There is one book: buying the second outcome at p is selling the first at 1 − p.
          side: isFirst ? BID : ASK,
          priceMicros: isFirst ? micros : 1_000_000 - micros,
          hundredths: qty,
          clientId: null,
          life: lives[tif],
          postOnly: tif === 'PO',
          details,
        })
        if (typeof placed === 'string') return { orders: [], reply: bad(sentences[placed]) }
        return { orders: [placed], reply: { status: 201, body: orderRow(placed) } }
      },
    })
  }

  /** Newest first. */
  function history(rows: readonly object[], { query }: LabRequest): LabReply {
    const [limit, offset] = [Number(query.get('limit') ?? historyUsual), Number(query.get('offset') ?? 0)]
    if (!(limit >= 1 && limit <= historyMax) || !(offset >= 0)) return bad(`limit must be from 1 to ${historyMax}`)
    return ok(rows.slice(offset, offset + limit))
  }

  return [
    { method: 'GET', path: '/nbx/v2/emm/ticks', handle: admitted(() => ok(ticks)) },
    { method: 'POST', path: '/nbx/v1/auth/emm-token', handle: ({ body }) => auth.token(body) },
    { method: 'POST', path: '/nbx/v2/emm/orders/place', handle: admitted(place) },
    {
      method: 'GET',
      path: '/nbx/v2/emm/orders/all',
      handle: admitted((account, request) => {
        const orders = faults().hides('orders') ? [] : orderManager.ordersOf(account)
        return history(orders.map(orderRow).reverse(), request)
      }),
    },
    {
      method: 'GET',
      path: '/nbx/v2/emm/fills/all',
      handle: admitted((account, request) => {
        const orders = faults().hides('fills') ? [] : orderManager.ordersOf(account)
        const fills = orders.flatMap((order) => order.fills.map((fill) => ({ order, fill })))
        const rows = fills.sort((a, b) => b.fill.id - a.fill.id).map(({ order, fill }) => fillRow(order, fill))
        return history(rows, request)
      }),
    },
  ]
}

const idOf = (order: SimulatedOrder): string => stableUuid(`novig/order/${order.account}/${order.ordinal}`)

/** On the scale of the outcome that the order buys. */
const priceOf = ({ side }: SimulatedOrder, micros: number): number =>
  (side === BID ? micros : 1_000_000 - micros) / 1_000_000

function orderRow(order: SimulatedOrder) {
  const { outcomeId, marketId, flags } = detailsOf(order)
  return {
    id: idOf(order),
    outcomeId,
    marketId,
    price: priceOf(order, order.priceMicros),
    qty: order.hundredths - order.filledHundredths,
    originalQty: order.hundredths,
    currency: 'CASH',
    timestamp: new Date(order.createdAtMs).toISOString(),
    status: statusWords[order.status],
    flags,
  }
}

function fillRow(order: SimulatedOrder, { id, priceMicros, hundredths, maker, atMs }: SimulatedFill) {
  const { outcomeId, marketId } = detailsOf(order)
  return {
    id: stableUuid(`novig/fill/${id}`),
    orderId: idOf(order),
    price: priceOf(order, priceMicros),
    qty: hundredths,
    createdAt: new Date(atMs).toISOString(),
    isWash: false,
    isTaker: !maker,
    marketId,
    outcomeId,
  }
}
