// Order entry of the lab's pascal: batches of signed commands, each answered by an envelope of its own, and the publicly readable account: resting
// orders, and fills. Orders that ended otherwise are not reported.
import { z } from 'zod'
import { ASK, BID } from '../engine/book.ts'
import type { RejectReason, SimulatedFill, SimulatedOrder } from '../engine/orderManager.ts'
import { type LabPosition, netPositions } from '../engine/positions.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRequest, type LabRoute, ok } from '../venueServer.ts'
import { CancelCommand, OrderCommand, type PascalAuth, TradingKey } from './auth.ts'
import type { PascalListing } from './marketGenerator.ts'
import { refused } from './reads.ts'
import { decimal } from './rows.ts'

const commandsMax = 50
const fillsMax = 500
const fillsUsual = 100
/** A more expensive order is refused, dollars. */
const collateralDollars = 1_000_000

interface Envelope {
  status: 'success' | 'error'
  data: object
}
const done = (data: object): Envelope => ({ status: 'success', data })
const refusal = (code: string, message: string): Envelope => ({ status: 'error', data: { code, message } })
const insufficient = refusal('INSUFFICIENT_COLLATERAL', 'not enough collateral for this order')

const sentences: Record<RejectReason, readonly [code: string, message: string]> = {
  market_closed: ['MARKET_NOT_TRADING', 'the market does not trade'],
  off_grid: ['INVALID_TICK', 'the price is not on the tick'],
  no_size: ['INVALID_SIZE', 'the size is zero'],
  would_cross: ['POST_ONLY_WOULD_CROSS', 'the order would take'],
  not_filled: ['NOT_FILLED', 'nothing could be filled'],
  duplicate_client_id: ['CLIENT_ORDER_ID_ALREADY_EXISTS', 'an order of this client order id is there'],
}

export function orderRoutes(
  { engine, faults, isKnown }: VenueCore,
  listing: PascalListing,
  authenticator: PascalAuth,
): LabRoute[] {
  const { orderManager } = engine
  const symbols = new Map(listing.markets.map(({ key, symbol }) => [key, symbol]))
  const symbolOf = (order: SimulatedOrder): string => symbols.get(order.market.id)!

  function place(command: OrderCommand): { orders: SimulatedOrder[]; envelope: Envelope } {
    const none = (envelope: Envelope) => ({ orders: [], envelope })
    const market = listing.bySymbol.get(command.symbol)
    if (market === undefined || !isKnown(market.key)) return none(refusal('SYMBOL_NOT_FOUND', command.symbol))
    if (Number(command.size * command.price) / 1e6 > collateralDollars) return none(insufficient)
    const placed = orderManager.place(engine.market(market.key)!, {
      account: command.auth.owner,
      side: command.side === 'BID' ? BID : ASK,
      priceMicros: Number(command.price),
      hundredths: Number(command.size) * 100,
      clientId: String(command.client_order_id),
      life: command.tif === 'IOC' ? 'ioc' : 'gtc',
      postOnly: command.post_only,
    })
    if (typeof placed === 'string') return none(refusal(...sentences[placed]))
    const data = { order_id: String(placed.ordinal), client_order_id: placed.clientId }
    return { orders: [placed], envelope: done(data) }
  }

  function takeAll({ body }: LabRequest): LabReply {
    const commands = readCommands(OrderCommand, body)
    if (commands === null) return refused(400, 'INVALID_REQUEST', `an array of 1 to ${commandsMax} orders`)
    const codes = commands.map((command) => authenticator.refuse(command))
    if (codes.some((code) => code !== null)) {
      return ok(codes.map((code) => refusal(code ?? 'BATCH_REFUSED', 'nothing was placed')))
    }
    return takeOrders({
      orderManager,
      faults: faults(),
      rejected: ok(commands.map(() => insufficient)),
      place() {
        const taken = commands.map(place)
        return { orders: taken.flatMap(({ orders }) => orders), reply: ok(taken.map(({ envelope }) => envelope)) }
      },
    })
  }

  function cancel(command: CancelCommand): Envelope {
    const code = authenticator.refuse(command)
    if (code !== null) return refusal(code, 'nothing was cancelled')
    const { client_order_id, order_id, auth } = command
    const order =
      client_order_id === undefined
        ? orderManager.find(Number(order_id))
        : orderManager.findByClientId(auth.owner, String(client_order_id))
    if (order === null || order.account !== auth.owner || !orderManager.cancel(order)) {
      return refusal('ORDER_NOT_FOUND', 'no such order rests')
    }
    return done({ order_id: String(order.ordinal), client_order_id: order.clientId })
  }

  return [
    { method: 'POST', path: '/api/v1/orders', handle: takeAll },
    {
      method: 'POST',
      path: '/api/v1/cancels',
      handle({ body }) {
        const commands = readCommands(CancelCommand, body)
        if (commands === null) return refused(400, 'INVALID_REQUEST', `an array of 1 to ${commandsMax} cancellations`)
        return ok(commands.map(cancel))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/trading-keys',
      handle({ body }) {
        const parsed = TradingKey.safeParse(body)
        if (!parsed.success) return refused(400, 'INVALID_REQUEST', 'one trading key')
        const code = authenticator.admitKey(parsed.data)
        return code === null ? ok(done({})) : refused(400, code, 'the key is not registered')
      },
    },
    {
      method: 'GET',
      path: '/api/v1/accounts/:owner',
      handle({ params }) {
        const open = faults().hides('orders') ? [] : orderManager.ordersOf(params.owner!)
        const orders = open.filter(({ status }) => status === 'open').map((order) => openRow(order, symbolOf(order)))
        const held = netPositions(orderManager.ordersOf(params.owner!))
        const positions = held.map((position) => positionRow(position, symbolOf(position.order)))
        return ok(done({ orders, positions, collateral_usd: decimal(collateralDollars * 1e6) }))
      },
    },
    {
      method: 'GET',
      path: '/api/v1/accounts/:owner/fills',
      handle({ params, query }) {
        const limit = Number(query.get('limit') ?? fillsUsual)
        if (!(limit >= 1 && limit <= fillsMax))
          return refused(400, 'INVALID_LIMIT', `limit must be from 1 to ${fillsMax}`)
        const requestedSymbols = query.get('symbols')?.split(',')
        const rows = (faults().hides('fills') ? [] : orderManager.ordersOf(params.owner!))
          .filter((order) => requestedSymbols?.includes(symbolOf(order)) !== false)
          .flatMap((order) => order.fills.map((fill) => ({ order, fill, cursor: cursorOf(fill) })))
          .sort((a, b) => (a.cursor < b.cursor ? 1 : -1))
          .filter(({ cursor }) => cursor < (query.get('before_cursor') ?? '~'))
        const page = rows.slice(0, limit)
        return ok(
          done({
            items: page.map(({ order, fill }) => fillRow(order, fill, symbolOf(order))),
            next_cursor: page.length < rows.length ? page.at(-1)!.cursor : null,
          }),
        )
      },
    },
  ]
}

/** Null when one of them is invalid, or when there are none or too many. */
function readCommands<S extends z.ZodType>(shape: S, body: unknown): z.output<S>[] | null {
  const parsed = z.array(shape).min(1).max(commandsMax).safeParse(body)
  return parsed.success ? parsed.data : null
}

const sideWord = ({ side }: SimulatedOrder): string => (side === BID ? 'BID' : 'ASK')

const openRow = (order: SimulatedOrder, symbol: string) => ({
  id: String(order.ordinal),
  client_order_id: order.clientId,
  symbol,
  side: sideWord(order),
  price: decimal(order.priceMicros),
  size_remaining: String((order.hundredths - order.filledHundredths) / 100),
})

/** NO is below zero, at the price of YES. */
const positionRow = ({ isYes, hundredths, averageMicros }: LabPosition, symbol: string) => ({
  symbol,
  size: String((isYes ? hundredths : -hundredths) / 100),
  average_entry_price: decimal(Math.round(isYes ? averageMicros : 1_000_000 - averageMicros)),
  realized_pnl_usd: '0.000000',
})

const fillRow = (order: SimulatedOrder, { priceMicros, hundredths, maker, atMs }: SimulatedFill, symbol: string) => ({
  trade_ts_ms: String(atMs),
  seq: String(atMs),
  symbol,
  side: sideWord(order),
  fill_price: decimal(priceMicros),
  fill_size: String(hundredths / 100),
  liquidity: maker ? 'MAKER' : 'TAKER',
  fee_usd: '0.000000',
  realized_pnl_usd: '0.000000',
  client_order_id: order.clientId,
})

const cursorOf = ({ atMs, id }: SimulatedFill): string =>
  `${String(atMs).padStart(20, '0')}:${String(id).padStart(10, '0')}`
