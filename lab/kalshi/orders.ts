// Order entry of the lab's kalshi: the V2 event orders and the portfolio reads, all signed. Orders are YES orders: `bid` buys, `ask`
// sells. One API key is one account.
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { RejectReason, SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, netPositions } from '../engine/positions.ts'
import type { Faults } from '../faults.ts'
import { stableUuid } from '../prng.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import type { KalshiAuth } from './auth.ts'
import type { KalshiListing } from './marketGenerator.ts'
import { paged } from './pagination.ts'
import { shardOf } from './shards.ts'
import { countText, dollars, rfc3339 } from './units.ts'

/** A more expensive order is refused, dollars. */
const balanceDollars = 1_000_000

const count = z.string().regex(/^\d{1,9}(\.\d{1,2})?$/)
const price = z.string().regex(/^0?\.\d{2,4}$/)

const CreateOrder = z.strictObject({
  ticker: z.string(),
  client_order_id: z.string().max(64).optional(),
  side: z.enum(['bid', 'ask']),
  count,
  price,
  time_in_force: z.enum(['good_till_canceled', 'immediate_or_cancel', 'fill_or_kill']),
  self_trade_prevention_type: z.enum(['taker_at_cross', 'maker']),
  expiration_time: z.int().positive().optional(),
  post_only: z.boolean().optional(),
  reduce_only: z.boolean().optional(),
  cancel_order_on_pause: z.boolean().optional(),
})
const AmendOrder = z.strictObject({
  ticker: z.string(),
  side: z.enum(['bid', 'ask']),
  price,
  count,
  client_order_id: z.string().optional(),
  updated_client_order_id: z.string().optional(),
})

const limits = { most: 1_000, usual: 100 }

const lives = { good_till_canceled: 'gtc', immediate_or_cancel: 'ioc', fill_or_kill: 'fok' } as const

const refusal = (status: number, code: string, message: string, details?: string): LabReply => ({
  status,
  body: { error: { code, message, service: 'exchange', ...(details === undefined ? {} : { details }) } },
})
const notFound = refusal(404, 'not_found', 'not found')
const badRequest: LabReply = { status: 400, body: { code: 'bad_request', message: 'bad request', details: 'invalid' } }

const microsOf = (text: string): number => Math.round(Number(text) * 1_000_000)
const hundredthsOf = (text: string): number => Math.round(Number(text) * 100)

export function orderRoutes(options: {
  prefix: string
  listing: KalshiListing
  engine: Engine
  faults: () => Faults
  auth: KalshiAuth
  nowMs: () => number
}): LabRoute[] {
  const { prefix, listing, engine, faults, auth, nowMs } = options
  const { orderManager } = engine
  const account = auth.apiKeyId

  const route = (method: LabRoute['method'], path: string, handle: (request: LabRequest) => LabReply): LabRoute => ({
    method,
    path: `${prefix}${path}`,
    handle: (request) => auth.refuse(request.headers, method, request.path) ?? handle(request),
  })

  /** Expiry is noticed on reads. */
  const own = (): SimulatedOrder[] =>
    orderManager.ordersOf(account).map((order) => {
      if (Number(order.details.expiration ?? Infinity) * 1_000 <= nowMs()) orderManager.expire(order)
      return order
    })

  const byId = (id: string): SimulatedOrder | null => own().find((order) => idOf(order) === id) ?? null

  function create({ body }: LabRequest): LabReply {
    const parsed = CreateOrder.safeParse(body)
    if (!parsed.success) return badRequest
    const wanted = parsed.data
    if (wanted.expiration_time !== undefined && wanted.time_in_force !== 'good_till_canceled') return badRequest
    const market = listing.byTicker.get(wanted.ticker)
    if (market === undefined) return notFound
    const cost = Number(wanted.count) * (wanted.side === 'bid' ? Number(wanted.price) : 1 - Number(wanted.price))
    if (cost > balanceDollars) return refusal(400, 'insufficient_balance', 'insufficient balance')
    const fault = faults().orderFault()
    if (fault?.outcome === 'vanish') return { status: 500, body: '', cut: true }
    if (fault?.outcome === 'reject') return refusal(400, 'insufficient_balance', 'insufficient balance')
    const placed = orderManager.place(engine.market(market.key)!, {
      account,
      side: wanted.side === 'bid' ? BID : ASK,
      priceMicros: microsOf(wanted.price),
      hundredths: hundredthsOf(wanted.count),
      clientId: wanted.client_order_id ?? null,
      life: lives[wanted.time_in_force],
      postOnly: wanted.post_only,
      selfTrade: 'ends-taker',
      details: {
        ticker: wanted.ticker,
        stp: wanted.self_trade_prevention_type,
        expiration: wanted.expiration_time ?? null,
      },
    })
    if (typeof placed === 'string') return refuse(placed)
    const reply: LabReply = { status: 201, body: placedRow(placed) }
    if (fault?.outcome === 'forget') orderManager.forget(placed)
    if (fault?.outcome === 'drop') return { ...reply, cut: true }
    return fault?.outcome === 'late' ? { ...reply, lateMs: fault.delayMs } : reply
  }

  /** Without a market the venue looks for an order in shard 0 alone. */
  function cancel({ params, query }: LabRequest): LabReply {
    const [market, index] = [query.get('market_ticker'), query.get('exchange_index')]
    const shard = index !== null && index !== '-1' ? Number(index) : market === null ? 0 : shardOf(market)
    const found = byId(params.id!)
    const order = found !== null && shardOf(String(found.details.ticker)) === shard ? found : null
    const left = order === null ? 0 : order.hundredths - order.filledHundredths
    // Cancelled, executed and unknown orders get the same answer.
    if (order === null || !orderManager.cancel(order)) return notFound
    return ok({ ...names(order), reduced_by: countText(left), ts_ms: nowMs() })
  }

  /** Count is the filled part plus the part to rest. */
  function amend({ params, body }: LabRequest): LabReply {
    const order = byId(params.id!)
    if (order === null || order.status !== 'open') return notFound
    const parsed = AmendOrder.safeParse(body)
    if (!parsed.success || parsed.data.ticker !== order.details.ticker) return badRequest
    const next = parsed.data
    if ((next.side === 'bid' ? BID : ASK) !== order.side) return badRequest
    // The order is named twice, and both names must be its current ones.
    if (next.client_order_id !== undefined && next.client_order_id !== order.clientId) return notFound
    const hundredths = hundredthsOf(next.count)
    const refused = orderManager.amend(order, {
      priceMicros: microsOf(next.price),
      hundredths,
      clientId: next.updated_client_order_id ?? null,
    })
    return refused === null ? ok(placedRow(order)) : refuse(refused)
  }

  /** Orders that ended, and fills, move to the history; resting orders stay. */
  const isArchived = (order: SimulatedOrder): boolean => faults().hides('ended') && order.status !== 'open'

  const listed = (query: URLSearchParams, archived: boolean): SimulatedOrder[] => {
    const [ticker, status] = [query.get('ticker'), query.get('status')]
    const from = Number(query.get('min_ts') ?? 0) * 1_000
    if (faults().hides('orders')) return []
    return own()
      .filter((order) => isArchived(order) === archived)
      .filter((order) => (ticker ?? order.details.ticker) === order.details.ticker)
      .filter((order) => (status ?? statusWords[order.status]) === statusWords[order.status])
      .filter(({ createdAtMs }) => createdAtMs >= from)
      .reverse()
  }

  const ordersRead =
    (archived: boolean) =>
    ({ query }: LabRequest): LabReply =>
      paged('orders', { pool: listed(query, archived), fits: () => true }, query, limits, orderRow)

  const fillsRead =
    (archived: boolean) =>
    ({ query }: LabRequest): LabReply => {
      const [id, ticker] = [query.get('order_id'), query.get('ticker')]
      const fills = (faults().hides('fills') ? [] : own())
        .filter((order) => isArchived(order) === archived)
        .filter(
          (order) => (id ?? idOf(order)) === idOf(order) && (ticker ?? order.details.ticker) === order.details.ticker,
        )
        .flatMap((order) => order.fills.map((fill) => ({ order, fill })))
        .reverse()
      const pool = { pool: fills, fits: () => true }
      return paged('fills', pool, query, limits, ({ order, fill }) => fillRow(order, fill))
    }

  return [
    route('POST', '/portfolio/events/orders', create),
    route('DELETE', '/portfolio/events/orders/:id', cancel),
    route('POST', '/portfolio/events/orders/:id/amend', amend),
    route('GET', '/portfolio/orders', ordersRead(false)),
    route('GET', '/historical/orders', ordersRead(true)),
    route('GET', '/portfolio/orders/:id', ({ params }) => {
      const order = faults().hides('orders') ? null : byId(params.id!)
      return order === null || isArchived(order) ? notFound : ok({ order: orderRow(order) })
    }),
    route('GET', '/portfolio/fills', fillsRead(false)),
    route('GET', '/historical/fills', fillsRead(true)),
    route('GET', '/portfolio/positions', ({ query }) => {
      const pool = netPositions(orderManager.ordersOf(account))
      return paged('market_positions', { pool, fits: () => true }, query, limits, positionRow, { event_positions: [] })
    }),
    route('GET', '/portfolio/balance', () =>
      ok({ balance: balanceDollars * 100, portfolio_value: 0, updated_ts: Math.floor(nowMs() / 1_000) }),
    ),
  ]
}

function refuse(reason: RejectReason): LabReply {
  if (reason === 'market_closed') return refusal(409, 'MARKET_INACTIVE', 'market inactive')
  if (reason === 'duplicate_client_id') return refusal(409, 'order_already_exists', 'order already exists')
  if (reason === 'off_grid') return refusal(400, 'invalid_price', 'invalid price')
  if (reason === 'would_cross') return refusal(400, 'invalid_order', 'invalid order', 'post only cross')
  if (reason === 'not_filled')
    return refusal(400, 'fill_or_kill_insufficient_resting_volume', 'fill or kill insufficient resting volume')
  return badRequest
}

const statusWords = { open: 'resting', filled: 'executed', canceled: 'canceled' } as const

const idOf = (order: SimulatedOrder): string => stableUuid(`kalshi/order/${order.account}/${order.ordinal}`)

const names = (order: SimulatedOrder) => ({
  order_id: idOf(order),
  ...(order.clientId === null ? {} : { client_order_id: order.clientId }),
})

/** Dollars, rounded up to the hundredth of a cent: what the engine charges for a fill. */
const feeOf = ({ hundredths, priceMicros, maker }: SimulatedFill): number => {
  const p = priceMicros / 1_000_000
  return maker ? 0 : Math.ceil(((0.07 * hundredths) / 100) * p * (1 - p) * 10_000 - 1e-9) / 10_000
}

const feesOf = (order: SimulatedOrder, maker: boolean): number =>
  order.fills.filter((fill) => fill.maker === maker).reduce((sum, fill) => sum + feeOf(fill), 0)

const costOf = (order: SimulatedOrder, maker: boolean): number =>
  order.fills
    .filter((fill) => fill.maker === maker)
    .reduce((sum, { hundredths, priceMicros }) => sum + (hundredths / 100) * (priceMicros / 1_000_000), 0)

function placedRow(order: SimulatedOrder) {
  const filled = order.filledHundredths
  const left = order.status === 'open' ? order.hundredths - filled : 0
  const contracts = filled / 100
  const averages = {
    average_fill_price: ((costOf(order, true) + costOf(order, false)) / contracts).toFixed(4),
    average_fee_paid: ((feesOf(order, true) + feesOf(order, false)) / contracts).toFixed(4),
  }
  return {
    ...names(order),
    fill_count: countText(filled),
    remaining_count: countText(left),
    ...(filled === 0 ? {} : averages),
    ts_ms: order.updatedAtMs,
  }
}

function orderRow(order: SimulatedOrder) {
  const { details } = order
  return {
    ...names(order),
    user_id: stableUuid(`kalshi/user/${order.account}`),
    ticker: details.ticker,
    outcome_side: order.side === BID ? 'yes' : 'no',
    book_side: order.side === BID ? 'bid' : 'ask',
    type: 'limit',
    status: statusWords[order.status],
    yes_price_dollars: dollars(order.priceMicros),
    no_price_dollars: dollars(1_000_000 - order.priceMicros),
    initial_count_fp: countText(order.hundredths),
    fill_count_fp: countText(order.filledHundredths),
    remaining_count_fp: countText(order.status === 'open' ? order.hundredths - order.filledHundredths : 0),
    taker_fill_cost_dollars: costOf(order, false).toFixed(4),
    maker_fill_cost_dollars: costOf(order, true).toFixed(4),
    taker_fees_dollars: feesOf(order, false).toFixed(4),
    maker_fees_dollars: feesOf(order, true).toFixed(4),
    created_time: rfc3339(order.createdAtMs),
    last_update_time: rfc3339(order.updatedAtMs),
    expiration_time: details.expiration === null ? null : rfc3339(Number(details.expiration) * 1_000),
    self_trade_prevention_type: details.stp,
    cancel_order_on_pause: false,
    subaccount_number: 0,
    exchange_index: shardOf(String(order.details.ticker)),
  }
}

function fillRow(order: SimulatedOrder, fill: SimulatedFill) {
  const id = stableUuid(`kalshi/fill/${fill.id}`)
  return {
    fill_id: id,
    trade_id: id,
    order_id: idOf(order),
    ticker: order.details.ticker,
    outcome_side: order.side === BID ? 'yes' : 'no',
    book_side: order.side === BID ? 'bid' : 'ask',
    count_fp: countText(fill.hundredths),
    yes_price_dollars: dollars(fill.priceMicros),
    no_price_dollars: dollars(1_000_000 - fill.priceMicros),
    is_taker: !fill.maker,
    fee_cost: feeOf(fill).toFixed(6),
    created_time: rfc3339(fill.atMs),
    ts: Math.floor(fill.atMs / 1_000),
    exchange_index: shardOf(String(order.details.ticker)),
  }
}

function positionRow({ order, isYes, hundredths, averageMicros }: LabPosition) {
  const fees = feesOf(order, true) + feesOf(order, false)
  return {
    ticker: order.details.ticker,
    exchange_index: shardOf(String(order.details.ticker)),
    position_fp: countText(isYes ? hundredths : -hundredths),
    market_exposure_dollars: ((hundredths / 100) * (averageMicros / 1_000_000)).toFixed(6),
    total_traded_dollars: (costOf(order, true) + costOf(order, false)).toFixed(6),
    realized_pnl_dollars: '0.000000',
    fees_paid_dollars: fees.toFixed(6),
    last_updated_ts: rfc3339(order.updatedAtMs),
  }
}
