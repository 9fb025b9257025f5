// One subscription: asked for, acknowledged, told, asked for again after every reconnect. What frames mean is each kind's own.
import { backoffMs, type Clock } from '../clock.ts'
import { StreamError } from '../errors.ts'
import type { AckFrame, ClientOp, ErrorFrame, ServerFrame } from './frames.ts'
import { type Dropped, Queue } from './queue.ts'

/** What every kind tells beside its own. */
export type CommonEvent =
  /** Acknowledged for the first time. */
  | { type: 'subscribed'; ack: AckFrame }
  /** Acknowledged again. What was told meanwhile was missed. */
  | { type: 'reconnected'; ack: AckFrame }
  /** What was told may no longer hold: the venue's book is in doubt, or the socket is gone. Something fresh follows. */
  | { type: 'stale'; reason: string }
  /** Refused for now; it is asked for again. */
  | { type: 'error'; code: string; message: string; retryInMs: number }
  | Dropped

/** A subscription as its stream knows it. */
export interface Reader {
  readonly key: string
  /** The socket is up, or it is time to try once more. */
  ask(): void
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

/** A message of ours that is not answered in this time was not read. */
const ackMs = 10_000
const again = { baseMs: 500, capMs: 30_000 }
const forNow: ReadonlySet<string> = new Set(['RATE_LIMITED', 'INTERNAL', 'NETWORK_ERROR'])
const isForNow = (code: string): boolean => forNow.has(code) || code.endsWith('_UNAVAILABLE')

export abstract class Subscription<Own> implements AsyncIterable<Own | CommonEvent>, Reader {
  /** As frames name it. */
  readonly key: string
  protected readonly wire: Wire
  protected readonly queue: Queue<Own | CommonEvent>
  private state: 'asked' | 'live' | 'ended' = 'asked'
  private wasLive = false
  /** Told since it was last said that nothing may hold. */
  private isFresh = false
  private attempt = 0
  private cancelTimer: () => void = () => undefined

  constructor(key: string, wire: Wire, bufferMax = wire.bufferMax) {
    this.key = key
    this.wire = wire
    this.queue = new Queue(bufferMax, { onEnded: () => this.leave(), onRead: (waiting) => this.read(waiting) })
  }

  /** Made anew each time: what it asks for may have moved on. */
  protected abstract asks(): ClientOp
  protected abstract ends(): ClientOp
  /** Only between an acknowledgement and the end of the socket. */
  protected abstract told(frame: ServerFrame): void
  /** What it holds is not known to be true any more. */
  protected abstract forget(): void
  /** An error that ends nothing; true when it was one. */
  protected heeds(_error: ErrorFrame): boolean {
    return false
  }
  /** Acknowledged; its frames follow. */
  protected began(): void {
    // Most kinds have nothing to say then.
  }
  protected read(_waiting: number): void {
    // Nothing is held back for a reader, unless a kind says so.
  }

  get isLive(): boolean {
    return this.state === 'live'
  }

  /** One reader: events go to whoever asks first. Leaving the loop ends the subscription. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Own | CommonEvent, void, undefined> {
    return this.queue
  }

  close(): void {
    void this.queue.return()
  }

  ask(): void {
    if (this.state === 'ended' || !this.wire.isUp) return
    this.state = 'asked'
    this.wire.send(this.asks())
    this.later(ackMs, () => this.ask())
  }

  frame(frame: ServerFrame) {
    if (this.state === 'ended' || frame.type === 'unsubscribed') return
    if (frame.type === 'subscribed') return this.acknowledged(frame)
    if (frame.type === 'error') return this.refused(frame)
    if (this.state === 'live') this.told(frame)
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

  /** Begins anew on the same socket, a little later each time it comes to nothing. */
  protected renew(): void {
    this.forget()
    this.state = 'asked'
    this.wire.send(this.ends())
    this.later(backoffMs(this.attempt++, again, this.wire.random), () => this.ask())
  }

  /** It came to something. */
  protected settled(): void {
    this.attempt = 0
  }

  protected fail(error: Error): void {
    this.wire.send(this.ends())
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
    this.began()
  }

  private refused(error: ErrorFrame) {
    const { code, message } = error
    // Of an end that came twice.
    if (code === 'NOT_SUBSCRIBED' || this.heeds(error)) return
    if (!isForNow(code)) {
      this.wire.leave(this)
      return this.over(new StreamError(code, message))
    }
    this.forget()
    this.state = 'asked'
    const retryInMs = backoffMs(this.attempt++, again, this.wire.random)
    this.emit({ type: 'error', code, message, retryInMs })
    this.later(retryInMs, () => this.ask())
  }

  private leave(): void {
    if (this.state === 'ended') return
    this.wire.send(this.ends())
    this.wire.leave(this)
    this.over(null)
  }

  private later(ms: number, run: () => void): void {
    this.cancelTimer()
    this.cancelTimer = this.wire.clock.after(ms, run)
  }
}
