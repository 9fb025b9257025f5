// Hyperliquid's socket: coin subscriptions, and every frame they receive. Each book is sent whole, the best five levels per side.
import type { Counters } from '../counters.ts'
import type { EngineMarket, LabTrade } from '../engine/market.ts'
import type { Floor, LabFeed } from '../restVenue.ts'
import type { LabSocket } from '../socket.ts'
import { type LazyMessage, Topics } from '../topics.ts'
import { coinOf, type HyperListing, type HyperSide } from './marketGenerator.ts'
import { bookRow, tradeRow } from './rows.ts'

const fastLevels = 5
const sides = [0, 1] as const

interface Asked {
  method?: unknown
  subscription?: { type?: unknown; coin?: unknown; fast?: unknown }
}

export function hyperliquidFeed(floor: () => Floor, counters: Counters, listing: HyperListing): LabFeed {
  const frame = (channel: string, data: unknown): string => JSON.stringify({ channel, data })
  const bookFrame = (named: HyperSide, market: EngineMarket): string => {
    const { levels, ...row } = bookRow(named, floor().faults().staleTruth(market.id, 'ws') ?? market.truth())
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
  const topics = new Topics({ words, faults: () => floor().faults(), counters })

  function subscribe(socket: LabSocket, type: string, coin: string, asked: unknown): void {
    const named = listing.byCoin.get(coin)
    const market = named === undefined ? null : floor().engine.market(named.outcome.key)
    if (named === undefined || !market || !floor().isKnown(market.id)) {
      socket.control(frame('error', `Invalid subscription ${JSON.stringify(asked)}`))
      return
    }
    if (!topics.subscribe(socket, `${type} ${coin}`, type === 'l2Book' ? coin : null)) {
      socket.control(frame('error', `Already subscribed: ${JSON.stringify(asked)}`))
      return
    }
    socket.control(frame('subscriptionResponse', { method: 'subscribe', subscription: asked }))
    if (type === 'l2Book' && !floor().faults().withholdsBooks(market.id)) socket.data(bookFrame(named, market))
  }

  function take(socket: LabSocket, { method, subscription = {} }: Asked): void {
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
        message: (text) => take(socket, JSON.parse(text) as Asked),
        closed: () => topics.leave(socket),
      }
    },
  }
}
