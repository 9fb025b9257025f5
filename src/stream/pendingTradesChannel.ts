// Streams fills that wait for their block: a subscriber gets a fill when it is first seen and when its outcome is known, but none first seen before
// it subscribed. Sent now or dropped, like every trade; encoded once, however many subscribers.
import type { Clock } from '#core/clock'
import { complementTrade, pendingTradeFrame } from './frames.ts'
import type { Hub } from './hub.ts'
import type { PendingTrades, PendingTradeUpdate, StreamRef } from './ports.ts'
import type { PendingTradesNotice, TradeStatus } from './protocol.ts'
import { type Connection, nameOutcome } from './topic.ts'

interface PendingTradesRequest {
  venue: string
  /** As requested. */
  marketId: string
  ref: StreamRef
  status: TradeStatus
}

interface Listener extends PendingTradesRequest {
  member: Connection
  /** Number of the newest fill at subscription time. */
  since: number
}

/** All pending-trade frames of a socket share one account. */
const account = 'pending trades'

export class PendingTradesChannel {
  private readonly hub: Hub
  private readonly source: PendingTrades
  private readonly clock: Clock
  /** By venue and book. */
  private readonly listeners = new Map<string, Set<Listener>>()
  private readonly end: () => void

  constructor(hub: Hub, source: PendingTrades, clock: Clock) {
    this.hub = hub
    this.source = source
    this.clock = clock
    this.end = source.listen((updates) => this.sendUpdates(updates))
  }

  watches(venue: string): boolean {
    return this.source.watches(venue)
  }

  get disclosure(): PendingTradesNotice {
    return this.source.disclosure
  }

  join(member: Connection, request: PendingTradesRequest): () => void {
    const key = keyOf(request.venue, request.ref.bookId)
    const listener: Listener = { ...request, member, since: this.source.newest }
    const listeners = this.listeners.get(key) ?? new Set()
    this.listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.listeners.get(key) === listeners) this.listeners.delete(key)
    }
  }

  stop(): void {
    this.end()
    this.listeners.clear()
  }

  private sendUpdates(updates: readonly PendingTradeUpdate[]): void {
    const ts = this.clock.now()
    const due = new Map<Connection, Buffer[]>()
    for (const update of updates) this.gather(update, ts, due)
    for (const [member, frames] of due) this.hub.offerAll(member, account, frames)
  }

  private gather(update: PendingTradeUpdate, ts: number, due: Map<Connection, Buffer[]>): void {
    /** A market has few names. */
    const frames = new Map<string, Buffer>()
    for (const listener of this.listeners.get(keyOf(update.venue, update.bookId)) ?? []) {
      if (update.n <= listener.since) continue
      // Readers of `all` get the confirmation from the venue's own tape.
      if (listener.status === 'all' && update.state.status === 'confirmed') continue
      const { marketId, member } = listener
      const frame = frames.get(marketId) ?? frameOf(listener, update, ts)
      frames.set(marketId, frame)
      const its = due.get(member)
      if (its === undefined) due.set(member, [frame])
      else its.push(frame)
    }
  }
}

const keyOf = (venue: string, bookId: string): string => `${venue}:${bookId}`

function frameOf({ venue, marketId, ref }: Listener, update: PendingTradeUpdate, ts: number): Buffer {
  const { data } = ref.complement ? complementTrade(update, ref.outcomeId ?? marketId) : update
  const named = data.outcome === null ? nameOutcome(data, ref.outcome) : data
  return pendingTradeFrame({ venue, marketId }, update, named, ts)
}
