// One socket of the older API family. Behind it is a connection of our own stream, which owns key, limits, books and backpressure; here
// messages are only translated, one to one.
//
//   {"action": "subscribe", …} ─► request ─► {"op": "subscribe", …} ─► stream
//   {"event": "data", …} ◄─ by market and request ◄─ snapshot, update, trade
import type { Clock } from '#core/clock'
import { MessageLimiter, type MessageRate } from '../messageLimiter.ts'
import { bookOf, type InnerFrame, tradeOf } from '../older/answer.ts'
import { readOlderMessage, type WatchMethod, type WatchRequest } from '../older/request.ts'
import { closeFlood } from '../protocol.ts'
import type { SendResult, StreamConnection, StreamSocket } from '../socket.ts'

/** Markets one socket may request; most plans have a lower limit. */
export const olderMarketsMax = 2_000
/** Keeps an operation within our stream's message limit, whatever the ids. */
const marketsPerOperation = 50

interface Watched {
  op: Pick<WatchRequest, 'channel' | 'venue'> & { marketId: string }
  /** The newest request of each method: clients send a new request with each call and ignore the previous one. */
  requests: Map<WatchMethod, WatchRequest>
}

export class PmxtConnection implements StreamConnection, StreamSocket {
  readonly id: number
  private readonly socket: StreamSocket
  private readonly clock: Pick<Clock, 'monotonic'>
  private readonly limiter: MessageLimiter
  private readonly watched = new Map<string, Watched>()
  private inner: StreamConnection | null = null

  constructor(socket: StreamSocket, clock: Pick<Clock, 'monotonic'>, rate: MessageRate) {
    this.id = socket.id
    this.socket = socket
    this.clock = clock
    this.limiter = new MessageLimiter(rate, clock.monotonic())
  }

  attach(inner: StreamConnection): this {
    this.inner = inner
    return this
  }

  // A message from the client.

  message(bytes: Buffer, isBinary: boolean): void {
    const taken = this.limiter.take(this.clock.monotonic())
    if (taken === 'ok') this.read(bytes, isBinary)
    else if (taken === 'refused') this.error(null, 'RATE_LIMITED', 'too many messages; this one was not read')
    else this.socket.close(closeFlood, 'too many messages')
  }

  private read(bytes: Buffer, isBinary: boolean): void {
    const message = readOlderMessage(bytes, isBinary)
    if (message.kind === 'watch') this.watch(message.request)
    else if (message.kind === 'unwatch') this.unwatch(message.id)
    else this.error(message.id, message.code, message.message)
  }

  private watch(request: WatchRequest): void {
    const { channel, venue, marketIds, method } = request
    const fresh = marketIds.filter((marketId) => !this.watched.has(keyOf({ channel, venue, marketId })))
    if (this.watched.size + fresh.length > olderMarketsMax) {
      this.error(request.id, 'SUBSCRIPTION_LIMIT', `at most ${olderMarketsMax} markets per connection`)
      return
    }
    for (const marketId of marketIds) {
      const op = { channel, venue, marketId }
      const key = keyOf(op)
      const watched = this.watched.get(key) ?? { op, requests: new Map() }
      watched.requests.set(method, request)
      this.watched.set(key, watched)
    }
    if (fresh.length < marketIds.length) this.sendFrame({ event: 'subscribed', id: request.id })
    for (let from = 0; from < fresh.length; from += marketsPerOperation)
      this.forward({ op: 'subscribe', channel, venue, marketIds: fresh.slice(from, from + marketsPerOperation) })
  }

  private unwatch(id: string): void {
    for (const [key, { op, requests }] of this.watched) {
      for (const [method, request] of requests) if (request.id === id) requests.delete(method)
      if (requests.size > 0) continue
      this.watched.delete(key)
      this.forward({ op: 'unsubscribe', ...op })
    }
    this.sendFrame({ event: 'subscribed', id })
  }

  drained(): void {
    this.inner?.drained()
  }

  closed(): void {
    this.watched.clear()
    this.inner?.closed()
  }

  // A frame from our stream.

  send(bytes: Buffer): SendResult {
    const frame = JSON.parse(bytes.toString('utf8')) as InnerFrame
    switch (frame.type) {
      case 'subscribed':
        return this.toAll(this.requestsOf(frame), ({ id }) => ({ event: 'subscribed', id, symbol: frame.marketId }))
      case 'snapshot':
      case 'update': {
        const requests = this.requestsOf({ ...frame, channel: 'orderbook' })
        return this.toAll(requests, ({ id, method, limit }) => dataOf(id, method, frame, bookOf(frame, limit)))
      }
      case 'trade': {
        const requests = this.requestsOf({ ...frame, channel: 'trades' })
        return this.toAll(requests, ({ id, method }) => dataOf(id, method, frame, [tradeOf(frame)]))
      }
      case 'error':
        return this.refused(frame)
      default:
        return 'sent'
    }
  }

  /** A stale book is an error to the waiting call, and recovers by itself; other refusals end the subscription or the socket. */
  private refused(frame: Extract<InnerFrame, { type: 'error' }>): SendResult {
    const { code, message, channel, venue, marketId } = frame
    const ofMarket = channel !== undefined && venue !== undefined && marketId !== undefined
    const requests = ofMarket ? this.requestsOf({ channel, venue, marketId }) : this.allRequests()
    if (ofMarket && code !== 'NETWORK_ERROR') this.watched.delete(keyOf({ channel, venue, marketId }))
    if (!ofMarket && requests.length === 0) return this.error(null, code, message)
    return this.toAll(requests, ({ id }) => errorOf(id, code, message))
  }

  cork(run: () => void): void {
    this.socket.cork(run)
  }

  bufferedAmount(): number {
    return this.socket.bufferedAmount()
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason)
  }

  private requestsOf(named: { channel: string; venue: string; marketId: string }): WatchRequest[] {
    return [...(this.watched.get(keyOf(named))?.requests.values() ?? [])]
  }

  private allRequests(): WatchRequest[] {
    const byId = new Map(
      [...this.watched.values()].flatMap(({ requests }) => [...requests.values()].map((one) => [one.id, one])),
    )
    return [...byId.values()]
  }

  private toAll(requests: readonly WatchRequest[], frameOf: (request: WatchRequest) => object): SendResult {
    const results = requests.map((request) => this.sendFrame(frameOf(request)))
    return results.find((result) => result === 'dropped') ?? results.at(-1) ?? 'sent'
  }

  private error(id: string | null, code: string, message: string): SendResult {
    return this.sendFrame(errorOf(id, code, message))
  }

  private sendFrame(frame: object): SendResult {
    return this.socket.send(Buffer.from(JSON.stringify(frame)))
  }

  private forward(op: object): void {
    this.inner?.message(Buffer.from(JSON.stringify(op)), false)
  }
}

const keyOf = ({ channel, venue, marketId }: { channel: string; venue: string; marketId: string }): string =>
  `${channel}:${venue}:${marketId}`

const dataOf = (
  id: string,
  method: string,
  { venue, marketId }: { venue: string; marketId: string },
  data: unknown,
) => ({
  event: 'data',
  id,
  method,
  symbol: marketId,
  source: venue,
  data,
})

const errorOf = (id: string | null, code: string, message: string) => ({
  event: 'error',
  ...(id === null ? {} : { id }),
  error: { code, message },
})
