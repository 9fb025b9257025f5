// Subscriptions of a venue's feed: sockets by topic, topics by market, and the faults applied to each frame.
import type { Counters } from './counters.ts'
import type { Side } from './engine/book.ts'
import type { EngineMarket, LabTrade, MarketListener } from './engine/market.ts'
import type { Faults } from './faults.ts'
import type { LabSocket } from './socket.ts'

/** A topic and its message, built only when there are subscribers. */
export type LazyMessage = readonly [topic: string, text: () => string]

/** The venue's messages about a market, in its own format. */
export interface FeedFormatters {
  /** One level changed. Absent when the venue sends whole books. */
  level?(market: EngineMarket, side: Side, index: number): readonly LazyMessage[]
  /** After the last change of a tick, when anything changed. */
  book?(market: EngineMarket): readonly LazyMessage[]
  trade?(market: EngineMarket, trade: LabTrade): readonly LazyMessage[]
}

export class Topics implements MarketListener {
  private readonly formatters: FeedFormatters
  private readonly faults: () => Faults
  private readonly counters: Counters
  private readonly listeners = new Map<string, Set<LabSocket>>()
  /** Topics of a socket, each with the public id of the market that it counts for. */
  private readonly topicsBySocket = new Map<LabSocket, Map<string, string | null>>()
  private readonly changed = new Set<EngineMarket>()

  constructor(options: { formatters: FeedFormatters; faults: () => Faults; counters: Counters }) {
    this.formatters = options.formatters
    this.faults = options.faults
    this.counters = options.counters
  }

  /** False when already subscribed. `counts`: the public id of the market whose subscription this is; null for an auxiliary topic. */
  subscribe(socket: LabSocket, topic: string, counts: string | null): boolean {
    const mine = this.topicsBySocket.get(socket) ?? new Map<string, string | null>()
    if (mine.has(topic)) return false
    this.topicsBySocket.set(socket, mine.set(topic, counts))
    this.listeners.set(topic, (this.listeners.get(topic) ?? new Set()).add(socket))
    if (counts !== null) this.counters.subscribed(counts, 1)
    return true
  }

  /** False when not subscribed. */
  unsubscribe(socket: LabSocket, topic: string): boolean {
    const mine = this.topicsBySocket.get(socket)
    const counts = mine?.get(topic)
    if (mine?.delete(topic) !== true) return false
    const others = this.listeners.get(topic)
    others?.delete(socket)
    if (others?.size === 0) this.listeners.delete(topic)
    if (typeof counts === 'string') this.counters.subscribed(counts, -1)
    return true
  }

  leave(socket: LabSocket): void {
    for (const topic of [...(this.topicsBySocket.get(socket)?.keys() ?? [])]) this.unsubscribe(socket, topic)
    this.topicsBySocket.delete(socket)
  }

  topicsOf(socket: LabSocket): string[] {
    return [...(this.topicsBySocket.get(socket)?.keys() ?? [])]
  }

  level(market: EngineMarket, side: Side, index: number): void {
    if (this.formatters.book !== undefined) this.changed.add(market)
    if (this.formatters.level !== undefined) this.publish(market, this.formatters.level(market, side, index), true)
  }

  trade(market: EngineMarket, trade: LabTrade): void {
    if (this.formatters.trade !== undefined) this.publish(market, this.formatters.trade(market, trade), false)
  }

  flush(market: EngineMarket): void {
    if (this.changed.delete(market)) this.publish(market, this.formatters.book?.(market) ?? [], true)
  }

  /** A market event other than book changes and trades. */
  announce(market: EngineMarket, messages: readonly LazyMessage[]): void {
    this.publish(market, messages, false)
  }

  /** The same fault applies to every topic and socket that gets this change. */
  private publish(market: EngineMarket, messages: readonly LazyMessage[], isBook: boolean): void {
    const messagesToSend = messages.filter(([topic]) => this.listeners.has(topic))
    if (messagesToSend.length === 0) return
    const isMuted = this.faults().isMuted(market.id)
    const fault = isMuted ? 'drop' : isBook ? this.faults().deltaFault(market.id) : 'send'
    for (const [topic, text] of messagesToSend) {
      const message = text()
      for (const socket of this.listeners.get(topic)!) socket.data(message, fault)
    }
  }
}
