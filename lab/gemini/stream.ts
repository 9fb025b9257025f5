// Gemini's socket: stream subscriptions, and every frame they receive. Changes of a tick are sent as one frame, numbered from its first to
// its last.
import type { Counters } from '../counters.ts'
import { ASK, BID, type Side } from '../engine/book.ts'
import type { EngineMarket, LabTrade, MarketTruth } from '../engine/market.ts'
import type { LabFeed, VenueCore } from '../restVenue.ts'
import type { LabSocket } from '../socket.ts'
import { type LazyMessage, Topics } from '../topics.ts'
import type { GeminiContract, GeminiListing } from './marketGenerator.ts'
import { priceText, tradeRow } from './rows.ts'

const depthUsual = 100
const depthStream = /^(.+)@depth@100ms$/
const tradeStream = /^(.+)@trade$/

interface StreamRequest {
  id?: unknown
  method?: unknown
  params?: unknown
}

/** Per contract, counted from its first change. */
interface Numbers {
  last: number
  /** The last one sent. */
  lastSent: number
  changed: Map<string, { side: Side; index: number }>
}

export function geminiFeed(core: () => VenueCore, counters: Counters, listing: GeminiListing): LabFeed {
  const numbers = new Map<string, Numbers>()
  const numbersOf = (key: string): Numbers => {
    const found = numbers.get(key) ?? { last: 1_000, lastSent: 1_000, changed: new Map() }
    numbers.set(key, found)
    return found
  }
  const ns = (ms: number): number => ms * 1_000_000
  const pairs = (levels: MarketTruth['bids']): string[][] =>
    levels.map(([price, size]) => [priceText(price), String(size)])
  const symbolOf = ({ id }: EngineMarket): string => listing.byKey.get(id)!.symbol
  const frame = (market: EngineMarket, from: number, to: number, b: string[][], a: string[][]): string =>
    JSON.stringify({ e: 'depthUpdate', E: ns(market.eventTs), s: symbolOf(market), U: from, u: to, b, a })

  const words = {
    level(market: EngineMarket, side: Side, index: number): LazyMessage[] {
      const counted = numbersOf(market.id)
      if (!core().faults().isUnnumbered(market.id)) counted.last++
      counted.changed.set(`${side} ${index}`, { side, index })
      return []
    },
    book(market: EngineMarket): LazyMessage[] {
      const counted = numbersOf(market.id)
      const { lastSent, last } = counted
      const levels = [...counted.changed.values()]
      counted.lastSent = last
      counted.changed = new Map()
      const of = (side: Side): string[][] =>
        levels
          .filter((level) => level.side === side)
          .map(({ index }) => [priceText(market.book.grid.prices[index]!), String(market.book.at(side, index) / 100)])
      return [[`${symbolOf(market)}@depth@100ms`, () => frame(market, lastSent + 1, last, of(BID), of(ASK))]]
    },
    trade(market: EngineMarket, trade: LabTrade): LazyMessage[] {
      const { tid, price, amount } = tradeRow(listing.byKey.get(market.id)!, trade)
      const tradeFrame = { E: ns(trade.atMs), s: symbolOf(market), t: tid, p: price, q: amount, m: !trade.takerBuysYes }
      return [[`${symbolOf(market)}@trade`, () => JSON.stringify(tradeFrame)]]
    },
  }
  const topics = new Topics({ formatters: words, faults: () => core().faults(), counters })
  const shown = ({ key }: GeminiContract): MarketTruth =>
    core().faults().staleTruth(key, 'ws') ?? core().engine.market(key)!.truth()
  const contractOf = (symbol: string): GeminiContract | null => {
    const contract = listing.bySymbol.get(symbol)
    return contract !== undefined && core().isKnown(contract.key) ? contract : null
  }

  function first(socket: LabSocket, contract: GeminiContract): void {
    if (core().faults().withholdsBooks(contract.key)) return
    const { bids, asks } = shown(contract)
    const { lastSent } = numbersOf(contract.key)
    socket.data(frame(core().engine.market(contract.key)!, lastSent, lastSent, pairs(bids), pairs(asks)))
  }

  function subscribe(socket: LabSocket, id: unknown, streams: readonly string[]): void {
    const named = streams.map((stream) => depthStream.exec(stream)?.[1] ?? tradeStream.exec(stream)?.[1] ?? '')
    const contracts = named.map(contractOf)
    if (contracts.includes(null)) {
      socket.control(JSON.stringify({ id, status: 400, error: { code: -1121, msg: 'Invalid symbol' } }))
      return
    }
    socket.control(JSON.stringify({ id, status: 200, result: null }))
    for (const [i, stream] of streams.entries()) {
      const isDepth = depthStream.test(stream)
      if (topics.subscribe(socket, stream, isDepth ? named[i]! : null) && isDepth) first(socket, contracts[i]!)
    }
  }

  function depth(socket: LabSocket, id: unknown, { symbol, limit }: { symbol?: unknown; limit?: unknown }): void {
    const contract = contractOf(String(symbol))
    if (contract === null) {
      socket.control(JSON.stringify({ id, status: 400, error: { code: -1121, msg: 'Invalid symbol' } }))
      return
    }
    if (core().faults().withholdsBooks(contract.key)) return
    const most = typeof limit === 'number' ? limit : depthUsual
    const { bids, asks } = shown(contract)
    const result = { lastUpdateId: 1, bids: pairs(bids.slice(0, most)), asks: pairs(asks.slice(0, most)) }
    socket.data(JSON.stringify({ id, status: 200, result }))
  }

  function take(socket: LabSocket, { id, method, params }: StreamRequest): void {
    const streams = Array.isArray(params) ? params.filter((stream) => typeof stream === 'string') : []
    if (method === 'subscribe') subscribe(socket, id, streams)
    else if (method === 'depth') depth(socket, id, params as object)
    else {
      if (method === 'unsubscribe') for (const stream of streams) topics.unsubscribe(socket, stream)
      socket.control(JSON.stringify({ id, status: 200, result: null }))
    }
  }

  return {
    listener: topics,
    isPath: (path) => path === '/',
    open: (socket) => ({
      message: (text) => take(socket, JSON.parse(text) as StreamRequest),
      closed: () => topics.leave(socket),
    }),
  }
}
