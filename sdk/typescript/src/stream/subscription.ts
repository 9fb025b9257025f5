// One subscription: requested, acknowledged, delivered, and requested again after every reconnect. Each kind interprets its own frames.
import { backoffMs, type Clock } from '../clock.ts'
import { StreamError } from '../errors.ts'
import type { AckFrame, ClientOp, ErrorFrame, ServerFrame } from './frames.ts'
import { type Dropped, Queue } from './queue.ts'

/** Events common to all subscriptions. */
export type CommonEvent =
  /** Acknowledged for the first time. */
  | { type: 'subscribed'; ack: AckFrame }
  /** Acknowledged again. Frames sent in between were missed. */
  | { type: 'reconnected'; ack: AckFrame }
  /** Earlier data may be out of date: the venue's book is stale, or the connection is lost. Fresh data follows. */
  | { type: 'stale'; reason: string }
  /** Rejected for now; it is requested again. */
  | { type: 'error'; code: string; message: string; retryInMs: number }
  | Dropped

/** A subscription as its stream knows it. */
export interface Reader {
  readonly key: string
  /** The socket is up, or it is time for another attempt. */
  request(): void
  frame(frame: ServerFrame): void
  down(reason: string): void
  over(error: Error | null): void
}

export interface Wire {
  readonly clock: Clock
  readonly random: () => number
  readonly isUp: boolean
  /** Events that wait for a reader. */
  readonly bufferMax: number
  send(op: ClientOp): void
  leave(reader: Reader): void
}

/** A message that is not answered in this time is sent again. */
const ackMs = 10_000
const retryBackoff = { baseMs: 500, capMs: 30_000 }
const temporaryCodes: ReadonlySet<string> = new Set(['RATE_LIMITED', 'INTERNAL', 'NETWORK_ERROR'])
const isTemporary = (code: string): boolean => temporaryCodes.has(code) || code.endsWith('_UNAVAILABLE')

export abstract class Subscription<Own> implements AsyncIterable<Own | CommonEvent>, Reader {
  /** The key that frames are matched by. */
  readonly key: string
  protected readonly wire: Wire
  protected readonly queue: Queue<Own | CommonEvent>
  private state: 'asked' | 'live' | 'ended' = 'asked'
  private wasLive = false
  /** True once data has arrived since the last `stale` event. */
  private isFresh = false
  private attempt = 0
  private cancelTimer: () => void = () => undefined

  constructor(key: string, wire: Wire, bufferMax = wire.bufferMax) {
    this.key = key
    this.wire = wire
    this.queue = new Queue(bufferMax, { onEnded: () => this.leave(), onRead: (waiting) => this.read(waiting) })
  }

  /** Built for each request: its parameters may have changed. */
  protected abstract subscribeMessage(): ClientOp
  protected abstract unsubscribeMessage(): ClientOp
  /** Called only between an acknowledgement and the end of the socket. */
  protected abstract received(frame: ServerFrame): void
  /** Discards its state, which may be out of date. */
  protected abstract forget(): void
  /** Handles an error that does not end the subscription; true if it was one. */
  protected handlesError(_error: ErrorFrame): boolean {
    return false
  }
  /** Called when acknowledged; its frames follow. */
  protected onAcknowledged(): void {
    // Most kinds do nothing here.
  }
  protected read(_waiting: number): void {
    // By default nothing is held back for a reader.
  }

  get isLive(): boolean {
    return this.state === 'live'
  }

  /** One reader: with several, each event goes to only one of them. Leaving the loop ends the subscription. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Own | CommonEvent, void, undefined> {
    return this.queue
  }

  close(): void {
    void this.queue.return()
  }

  request(): void {
    if (this.state === 'ended' || !this.wire.isUp) return
    this.state = 'asked'
    this.wire.send(this.subscribeMessage())
    this.later(ackMs, () => this.request())
  }

  frame(frame: ServerFrame) {
    if (this.state === 'ended' || frame.type === 'unsubscribed') return
    if (frame.type === 'subscribed') return this.acknowledged(frame)
    if (frame.type === 'error') return this.refused(frame)
    if (this.state === 'live') this.received(frame)
  }

  down(reason: string): void {
    if (this.state === 'ended') return
    this.cancelTimer()
    this.state = 'asked'
    this.forget()
    if (this.isFresh) this.emit({ type: 'stale', reason })
    this.isFresh = false
  }

  over(error: Error | null): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    this.cancelTimer()
    this.forget()
    this.queue.end(error)
  }

  protected emit(event: Own | CommonEvent): void {
    this.queue.push(event)
  }

  /** Starts over on the same socket, with a longer delay after each failed attempt. */
  protected resubscribe(): void {
    this.forget()
    this.state = 'asked'
    this.wire.send(this.unsubscribeMessage())
    this.later(backoffMs(this.attempt++, retryBackoff, this.wire.random), () => this.request())
  }

  /** The subscription works: the backoff starts over. */
  protected resetBackoff(): void {
    this.attempt = 0
  }

  protected fail(error: Error): void {
    this.wire.send(this.unsubscribeMessage())
    this.wire.leave(this)
    this.over(error)
  }

  private acknowledged(ack: AckFrame): void {
    if (this.state === 'live') return
    this.cancelTimer()
    this.state = 'live'
    this.emit({ type: this.wasLive ? 'reconnected' : 'subscribed', ack })
    this.wasLive = true
    this.isFresh = true
    this.onAcknowledged()
  }

  private refused(error: ErrorFrame) {
    const { code, message } = error
    // Ignores an end that arrives twice.
    if (code === 'NOT_SUBSCRIBED' || this.handlesError(error)) return
    if (!isTemporary(code)) {
      this.wire.leave(this)
      return this.over(new StreamError(code, message))
    }
    this.forget()
    this.state = 'asked'
    const retryInMs = backoffMs(this.attempt++, retryBackoff, this.wire.random)
    this.emit({ type: 'error', code, message, retryInMs })
    this.later(retryInMs, () => this.request())
  }

  private leave(): void {
    if (this.state === 'ended') return
    this.wire.send(this.unsubscribeMessage())
    this.wire.leave(this)
    this.over(null)
  }

  private later(ms: number, run: () => void): void {
    this.cancelTimer()
    this.cancelTimer = this.wire.clock.after(ms, run)
  }
}
