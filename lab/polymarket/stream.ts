// Polymarket's market channel: token subscriptions, and every frame they receive.
import type { Counters } from '../counters.ts'
import type { Side } from '../engine/book.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineMarket, LabTrade, MarketListener } from '../engine/market.ts'
import type { Faults } from '../faults.ts'
import type { LabSocket } from '../socket.ts'
import type { SocketHandler } from '../venueServer.ts'
import { bookFrame, orderBookSummary } from './encode.ts'
import {
  bestBidAskFrame,
  lastTradePriceFrame,
  marketResolvedFrame,
  newMarketFrame,
  priceChangeFrame,
  tickSizeFrame,
} from './frames.ts'
import type { PolyListing, PolyMarket } from './marketGenerator.ts'

interface Client {
  socket: LabSocket
  tokens: Set<string>
  custom: boolean
  /** Initial books sent on this socket so far. */
  dumped: number
}

/** The real venue stops sending initial books beyond this many assets on one socket (observed 2026). */
const INITIAL_BOOKS_PER_SOCKET = 500
const BOOKS_PER_FRAME = 50
/**
 * Changes per tick whose book hash is computed in full; beyond it a burst gets a placeholder, and the next `book` the true hash.
 */
const TRUE_HASHES_PER_TICK = 8
/** One in this many price changes is wrapped in an array, as the venue sometimes does. */
const ARRAY_EVERY = 16

export class PolymarketStream implements MarketListener {
  /** Called for every trade, in addition to subscribers. */
  onTrade: ((market: PolyMarket, trade: LabTrade) => void) | null = null
  private readonly listing: PolyListing
  private readonly counters: Counters
  private readonly faults: () => Faults
  private readonly engine: () => Engine
  private readonly watchers = new Map<string, Set<Client>>()
  private readonly tops = new Map<string, string>()
  private corked: { market: EngineMarket; changes: number; traded: boolean; clients: Client[] } | null = null
  private changes = 0

  constructor(options: { listing: PolyListing; counters: Counters; faults: () => Faults; engine: () => Engine }) {
    this.listing = options.listing
    this.counters = options.counters
    this.faults = options.faults
    this.engine = options.engine
  }

  open(socket: LabSocket): SocketHandler {
    const client: Client = { socket, tokens: new Set(), custom: false, dumped: 0 }
    return {
      message: (text) => this.receive(client, text),
      closed: () => this.unsubscribe(client, [...client.tokens]),
    }
  }

  level(market: EngineMarket, side: Side, index: number): void {
    const clients = this.begin(market)
    if (clients === null) return
    const batch = this.corked!
    const fault = this.faults().isMuted(market.id) ? 'drop' : this.faults().deltaFault(market.id)
    const inFull = batch.changes++ < TRUE_HASHES_PER_TICK
    const frame = priceChangeFrame(this.listing.byKey.get(market.id)!, market, side, index, inFull)
    const text = ++this.changes % ARRAY_EVERY === 0 ? `[${frame}]` : frame
    for (const { socket } of clients) socket.data(text, fault)
  }

  trade(market: EngineMarket, trade: LabTrade): void {
    this.onTrade?.(this.listing.byKey.get(market.id)!, trade)
    const clients = this.begin(market)
    if (clients === null) return
    this.corked!.traded = true
    if (this.faults().isMuted(market.id)) return
    const poly = this.listing.byKey.get(market.id)!
    const [asset, text] = lastTradePriceFrame(poly, trade)
    for (const { socket, tokens } of clients) if (tokens.has(asset)) socket.data(text)
  }

  flush(market: EngineMarket): void {
    const batch = this.corked
    if (batch === null || batch.market !== market) return
    this.corked = null
    const poly = this.listing.byKey.get(market.id)!
    if (batch.traded && !this.faults().withholdsBooks(market.id)) this.sendBooks(poly, market, batch.clients)
    if (!this.faults().isMuted(market.id)) this.sendTop(poly, market, batch.clients)
    for (const { socket } of batch.clients) socket.uncork()
  }

  announce(kind: 'tickSize' | 'closed' | 'resolved', market: EngineMarket, oldStepMicros: number): void {
    const poly = this.listing.byKey.get(market.id)!
    const clients = [...(this.watchers.get(market.id) ?? [])]
    const timestamp = String(Math.max(market.statusAtMs, market.eventTs))
    if (kind === 'tickSize') {
      for (const asset_id of poly.tokens) {
        const text = tickSizeFrame(poly, asset_id, oldStepMicros, market.book.grid.stepMicros, timestamp)
        for (const { socket, tokens } of clients) if (tokens.has(asset_id)) socket.data(text)
      }
    }
    if (kind === 'resolved') {
      const text = marketResolvedFrame(poly, market.result === 'yes' ? 0 : 1, timestamp)
      for (const { socket, custom } of clients) if (custom) socket.data(text)
    }
  }

  /** Announces a newly listed market to every client with the custom flag. */
  announceNew(poly: PolyMarket, nowMs: number): void {
    const { stepMicros } = this.engine().glance(poly.key)!.book.grid
    const text = newMarketFrame(poly, stepMicros, String(nowMs))
    const recipients = new Set(
      [...this.watchers.values()].flatMap((clients) => [...clients]).filter(({ custom }) => custom),
    )
    for (const { socket } of recipients) socket.data(text)
  }

  private receive(client: Client, text: string): void {
    if (text === 'PING') {
      client.socket.control('PONG')
      return
    }
    const frame = parse(text)
    const tokens = Array.isArray(frame?.assets_ids)
      ? frame.assets_ids.filter((id): id is string => typeof id === 'string')
      : []
    if (frame !== null && (frame.operation === 'subscribe' || String(frame.type).toLowerCase() === 'market')) {
      client.custom ||= frame.custom_feature_enabled === true
      this.subscribe(client, tokens, frame.initial_dump !== false)
    } else if (frame?.operation === 'unsubscribe') this.unsubscribe(client, tokens)
    else client.socket.control('INVALID OPERATION')
  }

  private subscribe(client: Client, tokens: readonly string[], dump: boolean): void {
    const fresh: string[] = []
    for (const token of tokens) {
      const found = this.listing.byToken.get(token)
      if (found === undefined || client.tokens.has(token) || this.faults().denies(found.market.key) !== null) continue
      fresh.push(token)
      client.tokens.add(token)
      this.counters.subscribed(token, 1)
      const clients = this.watchers.get(found.market.key) ?? new Set()
      this.watchers.set(found.market.key, clients.add(client))
    }
    if (fresh.length === 0) {
      client.socket.control('NO NEW ASSETS')
      return
    }
    const remaining = Math.max(0, INITIAL_BOOKS_PER_SOCKET - client.dumped)
    const dumped = dump ? fresh.slice(0, remaining) : []
    client.dumped += dumped.length
    for (let i = 0; i < dumped.length; i += BOOKS_PER_FRAME) {
      const books = dumped.slice(i, i + BOOKS_PER_FRAME).flatMap((token) => this.initialBook(token) ?? [])
      if (books.length > 0) client.socket.data(JSON.stringify(books))
    }
  }

  private unsubscribe(client: Client, tokens: readonly string[]): void {
    for (const token of tokens) {
      if (!client.tokens.delete(token)) continue
      this.counters.subscribed(token, -1)
      const { market } = this.listing.byToken.get(token)!
      if (market.tokens.some((other) => client.tokens.has(other))) continue
      const clients = this.watchers.get(market.key)
      clients?.delete(client)
      if (clients?.size === 0) this.watchers.delete(market.key)
    }
  }

  private initialBook(token: string): Record<string, unknown> | null {
    const { market: poly, side } = this.listing.byToken.get(token)!
    const market = this.engine().market(poly.key)!
    if (market.status !== 'open' || this.faults().withholdsBooks(market.id)) return null
    const truth = this.faults().staleTruth(market.id, 'ws') ?? market.truth()
    return bookFrame(orderBookSummary(poly, side, truth, market.book.grid.stepMicros, market.lastTrade))
  }

  /** Corks the market's sockets for this tick; null without subscribers. */
  private begin(market: EngineMarket): Client[] | null {
    const watchers = this.watchers.get(market.id)
    if (watchers === undefined) return null
    if (this.corked?.market === market) return this.corked.clients
    if (this.corked !== null) this.flush(this.corked.market)
    const clients = [...watchers]
    for (const { socket } of clients) socket.cork()
    this.corked = { market, changes: 0, traded: false, clients }
    return clients
  }

  /** A trade is followed by the whole book of both tokens. */
  private sendBooks(poly: PolyMarket, market: EngineMarket, clients: readonly Client[]): void {
    const truth = market.truth()
    for (const side of [0, 1] as const) {
      const token = poly.tokens[side]
      const wanting = clients.filter(({ tokens }) => tokens.has(token))
      if (wanting.length === 0) continue
      const text = JSON.stringify(
        bookFrame(orderBookSummary(poly, side, truth, market.book.grid.stepMicros, market.lastTrade)),
      )
      for (const { socket } of wanting) socket.data(text)
    }
  }

  private sendTop(poly: PolyMarket, market: EngineMarket, clients: readonly Client[]): void {
    const bid = market.book.bestBidMicros() ?? 0
    const ask = market.book.bestAskMicros() ?? 1_000_000
    const top = `${bid}/${ask}`
    if (this.tops.get(market.id) === top) return
    this.tops.set(market.id, top)
    const wanting = clients.filter(({ custom }) => custom)
    if (wanting.length === 0) return
    for (const side of [0, 1] as const) {
      const text = bestBidAskFrame(poly, side, bid, ask, String(market.eventTs))
      for (const { socket, tokens } of wanting) if (tokens.has(poly.tokens[side])) socket.data(text)
    }
  }
}

interface ClientFrame {
  type?: unknown
  operation?: unknown
  assets_ids?: unknown[]
  custom_feature_enabled?: unknown
  initial_dump?: unknown
}

function parse(text: string): ClientFrame | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
