// Order entry of the lab's gemini: place, cancel, and the two lists that are the only source on an order.
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { RejectReason, SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, netPositions } from '../engine/positions.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import type { GeminiAuth, PrivateCall } from './auth.ts'
import type { GeminiContract, GeminiListing } from './marketGenerator.ts'
import { detailsOf, exactJson, type OrderDetails, orderIdOf, orderRow, statusWords } from './rows.ts'

/** A more expensive order is refused, dollars. */
const balanceDollars = 1_000_000
const pageMax = 100
const pageUsual = 50

const PlaceOrder = z.strictObject({
  symbol: z.string(),
  orderType: z.literal('limit'),
  side: z.enum(['buy', 'sell']),
  outcome: z.enum(['yes', 'no']),
  quantity: z.string(),
  price: z.string(),
  timeInForce: z
    .enum(['good-til-cancel', 'immediate-or-cancel', 'fill-or-kill', 'maker-or-cancel'])
    .default('good-til-cancel'),
  makerOrCancel: z.boolean().optional(),
  clientOrderId: z
    .string()
    .regex(/^[\x20-\x7e]{1,100}$/)
    .optional(),
})
type Wanted = z.infer<typeof PlaceOrder>
const Listed = z.looseObject({
  symbol: z.string().optional(),
  status: z.string().optional(),
  limit: z.int().min(1).max(pageMax).default(pageUsual),
  offset: z.int().min(0).default(0),
})

const refuse = (error: string, message: string): LabReply => ({ status: 400, body: { error, message } })
const insufficient = refuse('InsufficientFunds', 'Failed to place order: insufficient funds')

const lives = {
  'good-til-cancel': 'gtc',
  'maker-or-cancel': 'gtc',
  'immediate-or-cancel': 'ioc',
  'fill-or-kill': 'fok',
} as const

export function orderRoutes(
  { engine, faults, isKnown }: VenueCore,
  listing: GeminiListing,
  auth: GeminiAuth,
): LabRoute[] {
  const { orderManager } = engine

  const route = (path: string, handle: (call: PrivateCall) => LabReply): LabRoute => ({
    method: 'POST',
    path,
    handle({ headers, path: requestPath, text }) {
      const admitted = auth.admit(headers, requestPath, text)
      return 'status' in admitted ? admitted : handle(admitted)
    },
  })

  const row = (order: SimulatedOrder) => orderRow(order, listing.bySymbol.get(detailsOf(order).symbol)!)

  function place({ key, fields }: PrivateCall): LabReply {
    const parsed = PlaceOrder.safeParse(fields)
    if (!parsed.success) return refuse('InvalidRequest', z.prettifyError(parsed.error))
    const wanted = parsed.data
    const contract = listing.bySymbol.get(wanted.symbol)
    if (contract === undefined || !isKnown(contract.key)) {
      return refuse('UnknownInstrument', `unknown instrument ${wanted.symbol}`)
    }
    const wrong = amountRefusal(wanted, contract)
    if (wrong !== null) return wrong
    const makerOnly = wanted.timeInForce === 'maker-or-cancel' || wanted.makerOrCancel === true
    const legMicros = Math.round(Number(wanted.price) * 1_000_000)
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: insufficient,
      place() {
        const placed = orderManager.place(engine.market(contract.key)!, {
          account: key.apiKey,
          // There is one book: buying NO at p is selling YES at 1 − p.
          side: (wanted.side === 'buy') === (wanted.outcome === 'yes') ? BID : ASK,
          priceMicros: wanted.outcome === 'yes' ? legMicros : 1_000_000 - legMicros,
          hundredths: Math.round(Number(wanted.quantity) * 100),
          clientId: wanted.clientOrderId ?? null,
          life: lives[wanted.timeInForce],
          postOnly: makerOnly,
          selfTrade: 'ends-taker',
          details: orderDetails(wanted),
        })
        if (typeof placed === 'string') return { orders: [], reply: rejectionReply(placed) }
        return { orders: [placed], reply: exactJson(row(placed)) }
      },
    })
  }

  function cancel({ key, fields }: PrivateCall): LabReply {
    const order = orderManager.ordersOf(key.apiKey).find((each) => orderIdOf(each) === fields.orderId)
    if (order === undefined) return refuse('OrderNotFound', `Order ${String(fields.orderId)} not found`)
    if (orderManager.cancel(order))
      return ok({ result: 'ok', message: `Order ${orderIdOf(order)} cancelled successfully` })
    return refuse('OrderNotFound', `Order ${orderIdOf(order)} is ${statusWords[order.status]}`)
  }

  /** Newest first. */
  function list({ key, fields }: PrivateCall, shows: (order: SimulatedOrder) => boolean): LabReply {
    const parsed = Listed.safeParse(fields)
    if (!parsed.success) return refuse('InvalidRequest', z.prettifyError(parsed.error))
    const { symbol, status, limit, offset } = parsed.data
    const rows = (faults().hides('orders') ? [] : orderManager.ordersOf(key.apiKey))
      .filter((order) => shows(order) && (symbol ?? detailsOf(order).symbol) === detailsOf(order).symbol)
      .filter((order) => (status ?? statusWords[order.status]) === statusWords[order.status])
      .reverse()
    const orders = rows.slice(offset, offset + limit).map(row)
    return exactJson({ orders, pagination: { limit, offset, count: orders.length } })
  }

  const base = '/v1/prediction-markets'
  return [
    route(`${base}/order`, place),
    route(`${base}/order/cancel`, cancel),
    route(`${base}/orders/active`, (call) => list(call, ({ status }) => status === 'open')),
    route(`${base}/orders/history`, (call) => list(call, ({ status }) => status !== 'open')),
    route(`${base}/positions`, ({ key, fields }) => {
      const parsed = Listed.safeParse(fields)
      if (!parsed.success) return refuse('InvalidRequest', z.prettifyError(parsed.error))
      const { limit, offset } = parsed.data
      const held = netPositions(orderManager.ordersOf(key.apiKey))
      return ok({ positions: held.slice(offset, offset + limit).map(positionRow), total: held.length })
    }),
    route('/v1/heartbeat', () => ok({ result: 'ok' })),
  ]
}

const positionRow = ({ order, isYes, hundredths, averageMicros }: LabPosition) => ({
  symbol: detailsOf(order).symbol,
  outcome: isYes ? 'yes' : 'no',
  totalQuantity: String(hundredths / 100),
  quantityOnHold: '0',
  avgPrice: (averageMicros / 1_000_000).toFixed(2),
})

const orderDetails = ({ symbol, side, outcome, timeInForce }: Wanted): Record<string, unknown> =>
  ({ symbol, side, outcome, timeInForce }) satisfies OrderDetails

/** Null: the numbers are acceptable to the venue. */
function amountRefusal({ price, quantity, side }: Wanted, { limits }: GeminiContract): LabReply | null {
  const isQuantity = limits === null ? /^[1-9]\d{0,8}$/ : /^[1-9]\d{0,8}(\.\d{1,2})?$/
  if (!isQuantity.test(quantity)) return refuse('InvalidQuantity', `Invalid quantity: ${quantity}`)
  if (!/^0\.\d{1,8}$/.test(price)) return refuse('InvalidPrice', `Invalid price: ${price}`)
  const micros = Math.round(Number(price) * 1_000_000)
  const step = limits?.priceIncrement ?? '0.01'
  const stepMicros = Math.round(Number(step) * 1_000_000)
  if (micros % stepMicros !== 0) return refuse('LimitPriceOffTick', `Price ${price} is not a multiple of ${step}`)
  if (micros < stepMicros || micros > 1_000_000 - stepMicros) return refuse('InvalidPrice', `Invalid price: ${price}`)
  return side === 'buy' && Number(quantity) * Number(price) > balanceDollars ? insufficient : null
}

const sentences: Record<RejectReason, readonly [string, string]> = {
  market_closed: ['MarketNotOpen', 'The market is not open'],
  off_grid: ['LimitPriceOffTick', 'Price is not a multiple of the tick'],
  no_size: ['InvalidQuantity', 'Invalid quantity'],
  would_cross: ['MakerOrCancelWouldTake', 'The order would take liquidity'],
  not_filled: ['FillOrKillWouldNotFill', 'The order could not be filled whole'],
  duplicate_client_id: ['DuplicateOrder', 'An order with this clientOrderId exists'],
}
const rejectionReply = (reason: RejectReason): LabReply => refuse(...sentences[reason])
