// Order entry of the lab's polymarket_us: create, read, cancel, modify, and the portfolio's activities. There is no client order id: a
// client that missed the answer finds the order among the open ones.
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { RejectReason, SimulatedOrder } from '../engine/orderManager.ts'
import { netPositions } from '../engine/positions.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import { decodeCursor, encodeCursor } from '../pagination.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { failure, type UsAuth } from './auth.ts'
import { notFound } from './gateway.ts'
import type { UsListing, UsMarket } from './marketGenerator.ts'
import { detailsOf, executionRow, idOf, type OrderDetails, orderRow, stateOf, tradeActivity } from './rows.ts'

/** A more expensive order is refused, dollars. */
const balanceDollars = 1_000_000

const Amount = z.strictObject({ value: z.string().regex(/^\d+(\.\d{1,6})?$/), currency: z.literal('USD') })
const lives = {
  TIME_IN_FORCE_GOOD_TILL_CANCEL: 'gtc',
  TIME_IN_FORCE_GOOD_TILL_DATE: 'gtc',
  TIME_IN_FORCE_DAY: 'gtc',
  TIME_IN_FORCE_IMMEDIATE_OR_CANCEL: 'ioc',
  TIME_IN_FORCE_FILL_OR_KILL: 'fok',
} as const
const Tif = z.enum(Object.keys(lives) as (keyof typeof lives)[])

const CreateOrder = z.strictObject({
  marketSlug: z.string(),
  intent: z.enum([
    'ORDER_INTENT_BUY_LONG',
    'ORDER_INTENT_SELL_LONG',
    'ORDER_INTENT_BUY_SHORT',
    'ORDER_INTENT_SELL_SHORT',
  ]),
  type: z.literal('ORDER_TYPE_LIMIT'),
  price: Amount,
  quantity: z.int().positive(),
  tif: Tif.default('TIME_IN_FORCE_GOOD_TILL_CANCEL'),
  goodTillTime: z.iso.datetime().optional(),
  participateDontInitiate: z.boolean().optional(),
  manualOrderIndicator: z.enum(['MANUAL_ORDER_INDICATOR_MANUAL', 'MANUAL_ORDER_INDICATOR_AUTOMATIC']).optional(),
  synchronousExecution: z.boolean().optional(),
  maxBlockTime: z.string().optional(),
})
type Wanted = z.infer<typeof CreateOrder>
const CancelOrder = z.looseObject({ marketSlug: z.string() })
const CancelAll = z.looseObject({ slugs: z.array(z.string()).optional() }).default({})
const ModifyOrder = z.strictObject({
  marketSlug: z.string(),
  price: Amount.optional(),
  quantity: z.int().positive().optional(),
})

const invalid = (message: string): LabReply => failure(400, 3, message)
const poor = failure(400, 9, 'insufficient buying power')
const empty: LabReply = { status: 200, body: '' }
const microsOf = ({ value }: z.infer<typeof Amount>): number => Math.round(Number(value) * 1_000_000)

export function orderRoutes(core: VenueCore, listing: UsListing, auth: UsAuth): LabRoute[] {
  const { engine, faults, isKnown, nowMs } = core
  const { orderManager } = engine
  const account = auth.keyId

  const route = (method: 'GET' | 'POST', path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({
    method,
    path,
    handle: (request) => auth.refuse(request.headers, method, request.path) ?? handle(request),
  })

  /** Expiry is noticed on reads. */
  const own = (): SimulatedOrder[] =>
    orderManager.ordersOf(account).map((order) => {
      const { goodTillTime } = detailsOf(order)
      if (goodTillTime !== null && Date.parse(goodTillTime) <= nowMs()) orderManager.expire(order)
      return order
    })
  const byId = (id: string): SimulatedOrder | undefined => own().find((order) => idOf(order) === id)
  const state = (order: SimulatedOrder) => stateOf(order, nowMs())
  const row = (order: SimulatedOrder) => orderRow(order, state(order))

  function create({ body }: LabRequest): LabReply {
    const parsed = CreateOrder.safeParse(body)
    if (!parsed.success) return invalid(z.prettifyError(parsed.error))
    const wanted = parsed.data
    const market = listing.bySlug.get(wanted.marketSlug)
    if (market === undefined || !isKnown(market.key)) return failure(404, 5, `market ${wanted.marketSlug} not found`)
    const live = engine.market(market.key)!
    const wrong = check(wanted, live)
    if (wrong !== null) return wrong
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: poor,
      place: () => place(wanted, market, live),
    })
  }

  function place(wanted: Wanted, market: UsMarket, live: EngineMarket) {
    const { intent, type, tif, goodTillTime = null } = wanted
    const placed = orderManager.place(live, {
      account,
      side: intent === 'ORDER_INTENT_BUY_LONG' || intent === 'ORDER_INTENT_SELL_SHORT' ? BID : ASK,
      priceMicros: microsOf(wanted.price),
      hundredths: wanted.quantity * 100,
      clientId: null,
      life: lives[tif],
      postOnly: wanted.participateDontInitiate,
      details: { slug: market.slug, intent, type, tif, goodTillTime } satisfies OrderDetails,
    })
    if (typeof placed === 'string') return { orders: [], reply: refusal(placed) }
    const executions = placed.fills.map((fill) => executionRow(placed, fill, state(placed)))
    const executionFields = wanted.synchronousExecution === true ? { executions } : {}
    return { orders: [placed], reply: ok({ id: idOf(placed), ...executionFields }) }
  }

  function cancel({ params, body }: LabRequest): LabReply {
    const parsed = CancelOrder.safeParse(body)
    if (!parsed.success) return invalid('marketSlug is required')
    const order = byId(params.id!)
    if (order === undefined || detailsOf(order).slug !== parsed.data.marketSlug) return notFound
    return orderManager.cancel(order) ? empty : failure(400, 9, `order is ${state(order)}`)
  }

  function modify({ params, body }: LabRequest): LabReply {
    const parsed = ModifyOrder.safeParse(body)
    if (!parsed.success) return invalid(z.prettifyError(parsed.error))
    const { marketSlug, price, quantity } = parsed.data
    const order = byId(params.id!)
    if (order === undefined || detailsOf(order).slug !== marketSlug) return notFound
    const refused = orderManager.amend(order, {
      priceMicros: price === undefined ? order.priceMicros : microsOf(price),
      hundredths: quantity === undefined ? order.hundredths : quantity * 100,
      clientId: null,
    })
    return refused === null ? empty : failure(400, 9, `order cannot be modified: ${refused}`)
  }

  function activities({ query }: LabRequest): LabReply {
    const slug = query.get('marketSlug')
    const types = query.getAll('types')
    const limit = Math.min(100, Number(query.get('limit') ?? 100))
    const start = decodeCursor(query.get('cursor'))
    if (start === null || !Number.isInteger(limit) || limit < 1) return invalid('cursor or limit is unreadable')
    const trades = (faults().hides('fills') ? [] : own())
      .flatMap((order) => order.fills.map((fill) => ({ order, fill })))
      .filter(({ order }) => (slug ?? detailsOf(order).slug) === detailsOf(order).slug)
      .filter(() => types.length === 0 || types.includes('ACTIVITY_TYPE_TRADE'))
      .sort((a, b) => a.fill.id - b.fill.id)
    if (query.get('sortOrder') !== 'SORT_ORDER_ASCENDING') trades.reverse()
    const next = start + limit
    return ok({
      activities: trades.slice(start, next).map(({ order, fill }) => tradeActivity(order, fill)),
      ...(next < trades.length ? { nextCursor: encodeCursor(next), eof: false } : { eof: true }),
    })
  }

  const open = (slugs: readonly string[]): SimulatedOrder[] =>
    (faults().hides('orders') ? [] : own()).filter(
      (order) => order.status === 'open' && (slugs.length === 0 || slugs.includes(detailsOf(order).slug)),
    )

  return [
    route('POST', '/v1/orders', create),
    route('GET', '/v1/orders/open', ({ query }) => ok({ orders: open(query.getAll('slugs')).map(row) })),
    route('POST', '/v1/orders/open/cancel', ({ body }) => {
      const gone = open(CancelAll.safeParse(body).data?.slugs ?? [])
      for (const order of gone) orderManager.cancel(order)
      return ok({ canceledOrderIds: gone.map(idOf) })
    }),
    route('GET', '/v1/order/:id', ({ params }) => {
      const order = faults().hides('orders') ? undefined : byId(params.id!)
      return order === undefined ? notFound : ok({ order: row(order) })
    }),
    route('POST', '/v1/order/:id/cancel', cancel),
    route('POST', '/v1/order/:id/modify', modify),
    route('GET', '/v1/portfolio/activities', activities),
    route('GET', '/v1/portfolio/positions', ({ query }) => {
      const limit = Math.min(100, Number(query.get('limit') ?? 100))
      const start = decodeCursor(query.get('cursor'))
      if (start === null || !Number.isInteger(limit) || limit < 1) return invalid('cursor or limit is unreadable')
      const held = netPositions(own()).map(({ order, isYes, hundredths }) => {
        const quantity = String((isYes ? hundredths : -hundredths) / 100)
        return [detailsOf(order).slug, { netPosition: quantity, qtyAvailable: quantity, expired: false }] as const
      })
      const next = start + limit
      return ok({
        positions: Object.fromEntries(held.slice(start, next)),
        ...(next < held.length ? { nextCursor: encodeCursor(next), eof: false } : { eof: true }),
      })
    }),
    route('GET', '/v1/account/balances', () =>
      ok({ balances: [{ currentBalance: balanceDollars, currency: 'USD', buyingPower: balanceDollars }] }),
    ),
  ]
}

/** Null: the order is acceptable to the venue. */
function check({ price, quantity, intent, tif, goodTillTime }: Wanted, live: EngineMarket): LabReply | null {
  const micros = microsOf(price)
  if (live.status !== 'open') return failure(400, 9, 'market is not open for trading')
  if (live.book.grid.indexOf(micros) < 0) {
    return invalid(`price ${price.value} is not a multiple of ${live.book.grid.stepMicros / 1_000_000}`)
  }
  if ((tif === 'TIME_IN_FORCE_GOOD_TILL_DATE') !== (goodTillTime !== undefined)) {
    return invalid('goodTillTime belongs to TIME_IN_FORCE_GOOD_TILL_DATE')
  }
  const buysLong = intent === 'ORDER_INTENT_BUY_LONG'
  const dollars = (quantity * (buysLong ? micros : 1_000_000 - micros)) / 1_000_000
  return intent.includes('BUY') && dollars > balanceDollars ? poor : null
}

const rejections: Partial<Record<RejectReason, readonly [string, string]>> = {
  would_cross: ['order would initiate a trade', 'ORDER_REJECT_REASON_PARTICIPATE_DONT_INITIATE'],
  not_filled: ['order could not be filled whole', 'ORDER_REJECT_REASON_INSUFFICIENT_LIQUIDITY'],
}

/** Refusals by the exchange itself come as an execution; the rest as a bad request. */
function refusal(reason: RejectReason): LabReply {
  const [text, orderRejectReason] = rejections[reason] ?? []
  if (text === undefined) return invalid(`order refused: ${reason}`)
  const id = crypto.randomUUID()
  return ok({ id, executions: [{ id, type: 'EXECUTION_TYPE_REJECTED', text, orderRejectReason }] })
}
