// A hub without sockets: peers that read as slowly as a test needs.
import { ManualClock } from '#core/clock'
import type { BookUpdate } from '#schemas/topics'
import { Hub, type HubOptions } from '#stream/hub'
import type { SendResult, StreamSocket } from '#stream/socket'
import type { Connection } from '#stream/topic'
import type { Frame } from './support.ts'

/** A peer that reads on request: unread bytes are backpressure. */
export class SlowPeer implements StreamSocket {
  readonly id: number
  readonly received: Frame[] = []
  /** Bytes the peer takes before it stops reading. */
  window = Number.POSITIVE_INFINITY
  refuseAbove = Number.POSITIVE_INFINITY
  corks = 0
  runs: number[] = []
  closedWith: number | null = null
  private waiting: Buffer[] = []
  private run = 0

  constructor(id = 1) {
    this.id = id
  }

  send(bytes: Buffer): SendResult {
    if (this.bufferedAmount() > this.refuseAbove) return 'dropped'
    this.waiting.push(bytes)
    this.run += bytes.length
    this.read()
    return this.waiting.length === 0 ? 'sent' : 'buffered'
  }

  cork(run: () => void): void {
    this.corks++
    this.run = 0
    run()
    this.runs.push(this.run)
  }

  bufferedAmount(): number {
    return this.waiting.reduce((sum, bytes) => sum + bytes.length + 4, 0)
  }

  close(code: number): void {
    this.closedWith = code
  }

  read(): void {
    while (this.waiting.length > 0 && this.waiting[0]!.length <= this.window) {
      const bytes = this.waiting.shift()!
      this.window -= bytes.length
      this.received.push(JSON.parse(bytes.toString()))
    }
  }
}

export function setUp(over: Partial<HubOptions> = {}) {
  const clock = new ManualClock()
  const held = new Map<string, BookUpdate>()
  const watched: string[] = []
  const hub = new Hub({
    clock,
    books: { get: (venue, marketId) => held.get(`${venue}:${marketId}`) },
    watch: {
      add: (venue, marketId) => void watched.push(`${venue}:${marketId}`),
      remove: (venue, marketId) => void watched.splice(watched.indexOf(`${venue}:${marketId}`), 1),
    },
    defer: () => undefined,
    ...over,
  })
  const connect = (id = 1): { peer: SlowPeer; member: Connection } => {
    const peer = new SlowPeer(id)
    return { peer, member: hub.join(peer) }
  }
  return { clock, held, watched, hub, connect }
}
