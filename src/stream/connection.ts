// One socket as the hub sees it: its subscriptions, its due frames, how far behind it is.
import { Backlog } from './backlog.ts'
import type { StreamSocket } from './socket.ts'
import type { Subscription } from './topic.ts'

/** Account of a pluggable channel, which never queues. */
export interface DropStats {
  produced: number
  sent: number
  dropped: number
}

export class Connection {
  readonly socket: StreamSocket
  readonly subscriptions = new Set<Subscription>()
  readonly lossy = new Map<string, DropStats>()
  /** Subscriptions with something to send, in the order they became due: the first `dueCount` entries. */
  readonly due: (Subscription | null)[] = []
  dueCount = 0
  /** Books wait for the peer to read: due subscriptions stay due, each listed once. */
  stalled = false
  /** Is in the tick's list. */
  queued = false
  gone = false
  /** Bytes waiting for the peer when last checked. */
  buffered = 0
  readonly backlog = new Backlog()

  constructor(socket: StreamSocket) {
    this.socket = socket
  }

  /**
   * Entries are reused, never truncated: a list shortened to zero loses its memory and grows again every tick. Only a
   * stalled list outlives a tick, so only there is the subscription itself accessed (it is cold: one of thousands).
   */
  push(subscription: Subscription): void {
    if (this.stalled) {
      if (subscription.withheld) return
      subscription.withheld = true
    }
    this.due[this.dueCount++] = subscription
  }
}
