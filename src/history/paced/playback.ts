// One replay on one socket: takes events in time order and sends each when due, or as soon as the socket accepts it.
//
//   due ─► socket keeps up ─► frame        not due, or behind ─► a timer; nothing is read meanwhile
import type { Clock, Timer } from '#core/clock'
import { Fault } from '#core/fault'
import type { StreamErrorCode } from '#schemas/errors'
import { KWayMerge } from './merge.ts'
import type { EmittedFrame, Market } from './sources.ts'

/** The part of the socket a run needs; the stream's ChannelPeer. */
export interface ReplayPeer {
  keepsUp(): boolean
  offer(topic: string, frame: Buffer): unknown
  /** Sent whether or not the socket is behind. */
  answer(frame: Buffer): void
  refuse(code: StreamErrorCode, message: string): void
  done(topic: string): void
}

export interface RunOptions {
  clock: Clock
  peer: ReplayPeer
  topic: string
  sources: readonly { of: Market; pages: AsyncIterable<EmittedFrame[]> }[]
  sinceMs: number
  /** Replayed milliseconds per real one. */
  speed: number | 'max'
  /** Pays for the next `billedFrames`; rejects if the account cannot. */
  pay(): Promise<void> | void
  /** Up to when the tape is complete, epoch ms; null: unknown. */
  completeUntil(): Promise<number | null>
  onFailure(error: unknown): void
}

/** Frames per turn of the event loop: others are served in between. */
const framesPerTurn = 200
/** A slow socket is checked again after this. */
const behindMs = 20
/** Timers are limited to 24 days, and a replay at a tenth of the speed may wait longer. */
const waitMsMax = 60_000
/** As many as a page of history has by default. */
export const billedFrames = 5_000

export class ReplayRun {
  private readonly options: RunOptions
  private readonly merge: KWayMerge<Market>
  private readonly sequences = new Map<Market, number>()
  private timer: Timer | null = null
  private stopped = false
  private pausedAt: number | null = null
  /** When `sinceMs` is now, on the monotonic clock. */
  private origin: number
  private frames = 0
  private at: number | null = null
  private working = false
  /** As of the beginning: pages read later have everything received before it. */
  private readonly completeUntil: Promise<number | null>

  constructor(options: RunOptions) {
    this.options = options
    this.completeUntil = options.completeUntil().catch(() => null)
    this.merge = new KWayMerge(options.sources)
    this.origin = options.clock.monotonic()
    this.schedule(0)
  }

  pause(): void {
    if (this.pausedAt !== null || this.stopped) return
    this.pausedAt = this.options.clock.monotonic()
    this.timer?.cancel()
    this.timer = null
    this.state('replayPaused')
  }

  resume(): void {
    if (this.pausedAt === null || this.stopped) return
    this.origin += this.options.clock.monotonic() - this.pausedAt
    this.pausedAt = null
    this.state('replayResumed')
    this.schedule(0)
  }

  stop(): void {
    if (this.stopped) return
    this.stopped = true
    this.timer?.cancel()
    void this.merge.close()
  }

  private schedule(delayMs: number): void {
    if (this.stopped || this.pausedAt !== null || this.working) return
    this.timer?.cancel()
    this.timer = this.options.clock.after(delayMs, () => void this.turn())
  }

  private async turn(): Promise<void> {
    this.working = true
    let dueAt: number | null
    try {
      dueAt = await this.sendDue()
    } catch (error) {
      dueAt = null
      this.fail(error)
    } finally {
      this.working = false
    }
    if (dueAt !== null) this.schedule(Math.min(waitMsMax, Math.max(0, dueAt - this.options.clock.monotonic())))
  }

  /** When the next step is due, on the monotonic clock; null: done. */
  private async sendDue(): Promise<number | null> {
    const { peer, clock } = this.options
    for (let n = 0; n < framesPerTurn; n++) {
      if (!peer.keepsUp()) return clock.monotonic() + behindMs
      const peeked = this.merge.peek()
      const next = peeked instanceof Promise ? await peeked : peeked
      // Either may have happened while the tape was being read.
      if (this.stopped) return null
      if (this.pausedAt !== null) return 0
      if (next === null) return await this.end()
      const dueAt = this.dueAt(next.frame.at)
      if (dueAt > clock.monotonic()) return dueAt
      if (next.frame.kind !== 'gap' && this.frames % billedFrames === 0) await this.options.pay()
      if (this.stopped) return null
      this.merge.take()
      this.sendEvent(next.of, next.frame)
    }
    return 0
  }

  private dueAt(at: number): number {
    const { speed, sinceMs } = this.options
    return speed === 'max' ? 0 : this.origin + (at - sinceMs) / speed
  }

  private sendEvent(market: Market, { kind, data, at }: EmittedFrame): void {
    const { venue, marketId } = market
    const ts = this.options.clock.now()
    const [head, mark] = [
      { venue, marketId, ts },
      { replay: true, at },
    ]
    if (kind === 'gap') {
      this.send({ type: 'replayGap', ...head, ...mark, data })
      return
    }
    this.frames += 1
    this.at = at
    if (kind === 'trade') {
      this.send({ type: 'trade', ...head, ...mark, data })
      return
    }
    const sequence = (this.sequences.get(market) ?? 0) + 1
    this.sequences.set(market, sequence)
    this.send({ type: sequence === 1 ? 'snapshot' : 'update', ...head, sequence, ...mark, data })
  }

  private state(
    type: 'replayPaused' | 'replayResumed' | 'replayEnd',
    more: { completeUntil?: number | null } = {},
  ): void {
    const { frames, at } = this
    const frame = { type, ts: this.options.clock.now(), replay: true, data: { frames, at, ...more } }
    this.options.peer.answer(Buffer.from(JSON.stringify(frame)))
  }

  private async end(): Promise<null> {
    const completeUntil = await this.completeUntil
    if (this.stopped) return null
    this.state('replayEnd', { completeUntil })
    this.over()
    return null
  }

  private fail(error: unknown): void {
    if (this.stopped) return
    const { peer, onFailure } = this.options
    if (error instanceof Fault) peer.refuse(error.code, error.message)
    else {
      onFailure(error)
      peer.refuse('HISTORY_UNAVAILABLE', 'the replay broke off: subscribe again from where it was')
    }
    this.over()
  }

  private over(): void {
    this.stop()
    this.options.peer.done(this.options.topic)
  }

  private send(frame: object): void {
    this.options.peer.offer(this.options.topic, Buffer.from(JSON.stringify(frame)))
  }
}
