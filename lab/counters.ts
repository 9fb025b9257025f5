// Counters that a test can read from a lab venue: what really arrived from outside.

export interface CounterSnapshot {
  connectionsOpened: number
  connectionsRefused: number
  /** Official clients open such sockets, so they are let in. */
  socketsWithoutUserAgent: number
  socketsOpen: number
  /** Open subscriptions by public market id (token id, ticker); markets with none are absent. */
  subscriptions: Record<string, number>
  /** Requests by route pattern, whether answered or refused. */
  httpRequests: Record<string, number>
  framesSent: number
  /** Frames swallowed by a fault. */
  framesDropped: number
  /** Sockets closed because they did not read. */
  slowDisconnects: number
}

export class Counters {
  connectionsOpened = 0
  connectionsRefused = 0
  socketsWithoutUserAgent = 0
  socketsOpen = 0
  framesSent = 0
  framesDropped = 0
  slowDisconnects = 0
  private readonly subscriptions = new Map<string, number>()
  private readonly httpRequests = new Map<string, number>()

  request(pattern: string): void {
    this.httpRequests.set(pattern, (this.httpRequests.get(pattern) ?? 0) + 1)
  }

  subscribed(market: string, by: 1 | -1): void {
    const count = (this.subscriptions.get(market) ?? 0) + by
    if (count === 0) this.subscriptions.delete(market)
    else this.subscriptions.set(market, count)
  }

  snapshot(): CounterSnapshot {
    const { connectionsOpened, connectionsRefused, socketsWithoutUserAgent, socketsOpen } = this
    const { framesSent, framesDropped, slowDisconnects } = this
    return {
      connectionsOpened,
      connectionsRefused,
      socketsWithoutUserAgent,
      socketsOpen,
      subscriptions: Object.fromEntries(this.subscriptions),
      httpRequests: Object.fromEntries(this.httpRequests),
      framesSent,
      framesDropped,
      slowDisconnects,
    }
  }
}
