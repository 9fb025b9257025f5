// One socket as the hub sees it: what it reads, what is due to it, how far behind it is.
import { Backlog } from './backlog.ts'
import type { StreamSocket } from './socket.ts'
import type { Subscription } from './topic.ts'

/** Account of a pluggable channel: nothing is ever queued there. */
export interface LossyAccount {
  produced: number
  sent: number
  dropped: number
}

export class Member {
  readonly socket: StreamSocket
  readonly subscriptions = new Set<Subscription>()
  readonly lossy = new Map<string, LossyAccount>()
  /** Subscriptions with something to send, in the order they became due: the first `dueCount` places. */
  readonly due: (Subscription | null)[] = []
  dueCount = 0
  /** Books wait for the peer to read: what is due stays due, each subscription once. */
  stalled = false
  /** Stands in the tick's list. */
  queued = false
  gone = false
  /** Bytes that waited for the peer when last looked at. */
  buffered = 0
  readonly backlog = new Backlog()

  constructor(socket: StreamSocket) {
    this.socket = socket
  }

  /**
   * Places are reused, never cut off: a list shortened to nothing loses its memory and grows again every tick.
   * Only a stalled list outlives a tick, so only there is the subscription itself looked at (it is cold: one of thousands).
   */
  push(subscription: Subscription): void {
    if (this.stalled) {
      if (subscription.withheld) return
      subscription.withheld = true
    }
    this.due[this.dueCount++] = subscription
  }
}
