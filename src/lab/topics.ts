// Subscriptions of a venue's feed: sockets by topic, topics by market, and the faults applied to each frame.
import type { Counters } from './counters.ts'
import type { Side } from './engine/book.ts'
import type { EngineMarket, LabTrade, MarketListener } from './engine/market.ts'
import type { Faults } from './faults.ts'
import type { LabSocket } from './socket.ts'

/** A topic and its message, built only when there are subscribers. */
export type LazyMessage = readonly [topic: string, text: () => string]

/** The venue's messages about a market, in its own format. */
export interface FeedWords {
  /** One level changed. Absent when the venue sends whole books. */
  level?(market: EngineMarket, side: Side, index: number): readonly LazyMessage[]
  /** After the last change of a tick, when anything changed. */
  book?(market: EngineMarket): readonly LazyMessage[]
  trade?(market: EngineMarket, trade: LabTrade): readonly LazyMessage[]
}

export class Topics implements MarketListener {
  private readonly words: FeedWords
  private readonly faults: () => Faults
  private readonly counters: Counters
  private readonly listeners = new Map<string, Set<LabSocket>>()
  /** Topics of a socket, each with the public id of the market that it counts for. */
  private readonly heard = new Map<LabSocket, Map<string, string | null>>()
  private readonly changed = new Set<EngineMarket>()

  constructor(options: { words: FeedWords; faults: () => Faults; counters: Counters }) {
    this.words = options.words
    this.faults = options.faults
    this.counters = options.counters
  }

  /** False when already subscribed. `counts`: the public id of the market whose subscription this is; null for an auxiliary topic. */
  subscribe(socket: LabSocket, topic: string, counts: string | null): boolean {
    const mine = this.heard.get(socket) ?? new Map<string, string | null>()
    if (mine.has(topic)) return false
    this.heard.set(socket, mine.set(topic, counts))
    this.listeners.set(topic, (this.listeners.get(topic) ?? new Set()).add(socket))
    if (counts !== null) this.counters.subscribed(counts, 1)
    return true
  }

  /** False when not subscribed. */
  unsubscribe(socket: LabSocket, topic: string): boolean {
    const mine = this.heard.get(socket)
    const counts = mine?.get(topic)
    if (mine?.delete(topic) !== true) return false
    const others = this.listeners.get(topic)
    others?.delete(socket)
    if (others?.size === 0) this.listeners.delete(topic)
    if (typeof counts === 'string') this.counters.subscribed(counts, -1)
    return true
  }

  leave(socket: LabSocket): void {
    for (const topic of [...(this.heard.get(socket)?.keys() ?? [])]) this.unsubscribe(socket, topic)
    this.heard.delete(socket)
  }

  topicsOf(socket: LabSocket): string[] {
    return [...(this.heard.get(socket)?.keys() ?? [])]
  }

  level(market: EngineMarket, side: Side, index: number): void {
    if (this.words.book !== undefined) this.changed.add(market)
    if (this.words.level !== undefined) this.tell(market, this.words.level(market, side, index), true)
  }

  trade(market: EngineMarket, trade: LabTrade): void {
    if (this.words.trade !== undefined) this.tell(market, this.words.trade(market, trade), false)
  }

  flush(market: EngineMarket): void {
    if (this.changed.delete(market)) this.tell(market, this.words.book?.(market) ?? [], true)
  }

  /** A market event other than book changes and trades. */
  announce(market: EngineMarket, sayings: readonly LazyMessage[]): void {
    this.tell(market, sayings, false)
  }

  /** The same fault applies to every topic and socket that gets this change. */
  private tell(market: EngineMarket, sayings: readonly LazyMessage[], isBook: boolean): void {
    const heard = sayings.filter(([topic]) => this.listeners.has(topic))
    if (heard.length === 0) return
    const isMuted = this.faults().isMuted(market.id)
    const fate = isMuted ? 'drop' : isBook ? this.faults().deltaFate(market.id) : 'send'
    for (const [topic, text] of heard) {
      const said = text()
      for (const socket of this.listeners.get(topic)!) socket.data(said, fate)
    }
  }
}
