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
  /** Subscriptions with something to send, in the order they became due. */
  readonly due: Subscription[] = []
  /** Stands in the tick's list. */
  queued = false
  gone = false
  /** Bytes that waited for the peer when last looked at. */
  buffered = 0
  readonly backlog = new Backlog()

  constructor(socket: StreamSocket) {
    this.socket = socket
  }
}
