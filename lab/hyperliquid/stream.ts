// Hyperliquid's socket: coin subscriptions, and every frame they receive. Each book is sent whole, the best five levels per side.
import type { Counters } from '../counters.ts'
import type { EngineMarket, LabTrade } from '../engine/market.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import type { LabSocket } from '../socket.ts'
import { type LazyMessage, Topics } from '../topics.ts'
import { coinOf, type HyperListing, type HyperSide } from './marketGenerator.ts'
import { bookRow, tradeRow } from './rows.ts'

const fastLevels = 5
const sides = [0, 1] as const

interface StreamRequest {
  method?: unknown
  subscription?: { type?: unknown; coin?: unknown; fast?: unknown }
}

export function hyperliquidFeed(core: () => VenueCore, counters: Counters, listing: HyperListing): LabFeed {
  const frame = (channel: string, data: unknown): string => JSON.stringify({ channel, data })
  const bookFrame = (named: HyperSide, market: EngineMarket): string => {
    const { levels, ...row } = bookRow(named, core().faults().staleTruth(market.id, 'ws') ?? market.truth())
    return frame('l2Book', { ...row, levels: levels.map((side) => side.slice(0, fastLevels)), fast: true })
  }
  const sidesOf = ({ id }: EngineMarket): HyperSide[] =>
    sides.map((side) => ({ outcome: listing.byKey.get(id)!, side }))
  const words = {
    book: (market: EngineMarket): LazyMessage[] =>
      sidesOf(market).map((named) => [`l2Book ${coinOf(named)}`, () => bookFrame(named, market)]),
    trade: (market: EngineMarket, trade: LabTrade): LazyMessage[] =>
      sidesOf(market).map((named) => [`trades ${coinOf(named)}`, () => frame('trades', [tradeRow(named, trade)])]),
  }
  const topics = new Topics({ formatters: words, faults: () => core().faults(), counters })

  function subscribe(socket: LabSocket, type: string, coin: string, request: unknown): void {
    const named = listing.byCoin.get(coin)
    const market = named === undefined ? null : core().engine.market(named.outcome.key)
    if (named === undefined || !market || !core().isKnown(market.id)) {
      socket.control(frame('error', `Invalid subscription ${JSON.stringify(request)}`))
      return
    }
    if (!topics.subscribe(socket, `${type} ${coin}`, type === 'l2Book' ? coin : null)) {
      socket.control(frame('error', `Already subscribed: ${JSON.stringify(request)}`))
      return
    }
    socket.control(frame('subscriptionResponse', { method: 'subscribe', subscription: request }))
    if (type === 'l2Book' && !core().faults().withholdsBooks(market.id)) socket.data(bookFrame(named, market))
  }

  function take(socket: LabSocket, { method, subscription = {} }: StreamRequest): void {
    const { type, coin } = subscription
    if (method === 'ping') socket.control('{"channel":"pong"}')
    else if ((type !== 'l2Book' && type !== 'trades') || typeof coin !== 'string')
      socket.control(frame('error', `Error parsing JSON into valid websocket request: ${JSON.stringify(subscription)}`))
    else if (method === 'subscribe') subscribe(socket, type, coin, subscription)
    else if (!topics.unsubscribe(socket, `${type} ${coin}`))
      socket.control(frame('error', `Already unsubscribed: ${JSON.stringify(subscription)}`))
    else socket.control(frame('subscriptionResponse', { method: 'unsubscribe', subscription }))
  }

  return {
    listener: topics,
    isPath: (path) => path === '/ws',
    open(socket) {
      socket.control('Websocket connection established.')
      return {
        message: (text) => take(socket, JSON.parse(text) as StreamRequest),
        closed: () => topics.leave(socket),
      }
    },
  }
}
